/** The wish to see a place in a file, on its way from wherever it is named to the panel. */

import { html, type TemplateResult } from 'lit';
import { legible, type Place, placeWords } from '../model/places.ts';

const EVENT = 'ac-place';
const SEARCH = 'ac-search';
/** Of the links below; they are followed by delegation, since some are made without a template. */
const LINK = 'place';

export function openPlace(from: EventTarget, detail: Place): void {
  from.dispatchEvent(new CustomEvent(EVENT, { detail, bubbles: true, composed: true }));
}

export function onPlace(host: EventTarget, listener: (place: Place) => void): void {
  host.addEventListener(EVENT, (event) => listener((event as CustomEvent<Place>).detail));
}

/** A link without an address: the file is shown in the panel, and nothing else may follow it. */
export function placeLink(place: Place): HTMLElement {
  const link = document.createElement('a');
  const { path, line, col, anchor } = place;
  link.className = LINK;
  link.tabIndex = 0;
  link.setAttribute('role', 'link');
  link.title = `Open ${placeWords(place)}`;
  Object.assign(link.dataset, { ac: 'place', path, line, col }, anchor ? { anchor } : {});
  return link;
}

/** The same for a name that several symbols have: it is looked for. */
export function searchLink(query: string): HTMLElement {
  const link = placeLink({ path: '', line: 0, col: 0 });
  link.title = `Find ${query}`;
  link.dataset.query = query;
  return link;
}

export function openSearch(from: EventTarget, detail = ''): void {
  from.dispatchEvent(new CustomEvent(SEARCH, { detail, bubbles: true, composed: true }));
}

export function onSearch(host: EventTarget, listener: (query: string) => void): void {
  host.addEventListener(SEARCH, (event) => listener((event as CustomEvent<string>).detail));
}

export function placeTemplate({ path, line }: Place): TemplateResult {
  return html`<a class=${LINK} tabindex="0" role="link" data-ac="place" data-path=${path} data-line=${line} data-col="0"
    title=${`Open ${placeWords({ path, line, col: 0 })}`}><bdi>${legible(path)}</bdi></a>`;
}

/** Follows the links below `host`, by mouse and keyboard. */
export function followPlaces(host: HTMLElement): void {
  const follow = (event: Event): void => {
    const isLink = (node: EventTarget) => node instanceof HTMLElement && node.classList.contains(LINK);
    const link = event.composedPath().find(isLink);
    if (!(link instanceof HTMLElement)) return;
    const { path = '', line, col, anchor, query } = link.dataset;
    event.preventDefault();
    if (query) openSearch(link, query);
    else openPlace(link, { path, line: Number(line), col: Number(col), ...(anchor ? { anchor } : {}) });
  };
  host.addEventListener('click', follow);
  host.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') follow(event);
  });
}
