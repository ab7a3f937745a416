/** Links to locations in files, and the events that ask the panel to open a location, a search or a web page. */

import { t } from '@jupyter-ac/messages';
import { html, type TemplateResult } from 'lit';
import { escapeInvisible, type FileLocation, locationLabel } from '../model/file-location.ts';

const EVENT = 'ac-place';
const SEARCH = 'ac-search';
const PAGE = 'ac-page';
/** Class of the links; handled by event delegation, since some are created without a template. */
const LINK = 'place';

export function openLocation(from: EventTarget, detail: FileLocation): void {
  from.dispatchEvent(new CustomEvent(EVENT, { detail, bubbles: true, composed: true }));
}

export function onOpenLocation(host: EventTarget, listener: (location: FileLocation) => void): void {
  host.addEventListener(EVENT, (event) => listener((event as CustomEvent<FileLocation>).detail));
}

/**
 * Opens locations before the panel does, until the signal is aborted.
 *
 * @param open - returns false to let the panel open it
 */
export function interceptLocations(
  host: EventTarget,
  open: (location: FileLocation) => boolean,
  signal: AbortSignal,
): void {
  host.addEventListener(
    EVENT,
    (event) => {
      if (open((event as CustomEvent<FileLocation>).detail)) event.stopImmediatePropagation();
    },
    { capture: true, signal },
  );
}

/** A link without `href`: it opens the file in the panel only. */
export function locationLink(location: FileLocation): HTMLElement {
  const link = document.createElement('a');
  const { path, line, col, anchor } = location;
  link.className = LINK;
  link.tabIndex = 0;
  link.setAttribute('role', 'link');
  link.title = t('Open %1', locationLabel(location));
  Object.assign(link.dataset, { ac: 'place', path, line, col }, anchor ? { anchor } : {});
  return link;
}

/** A link for a name with several symbols: it opens the search. */
export function searchLink(query: string): HTMLElement {
  const link = locationLink({ path: '', line: 0, col: 0 });
  link.title = t('Find %1', query);
  link.dataset.query = query;
  return link;
}

export function openSearch(from: EventTarget, detail = ''): void {
  from.dispatchEvent(new CustomEvent(SEARCH, { detail, bubbles: true, composed: true }));
}

export function onSearch(host: EventTarget, listener: (query: string) => void): void {
  host.addEventListener(SEARCH, (event) => listener((event as CustomEvent<string>).detail));
}

/** Asks the panel to show the text of a web page. */
export function openPage(from: EventTarget, detail: string): void {
  from.dispatchEvent(new CustomEvent(PAGE, { detail, bubbles: true, composed: true }));
}

export function onOpenPage(host: EventTarget, listener: (url: string) => void): void {
  host.addEventListener(PAGE, (event) => listener((event as CustomEvent<string>).detail));
}

export function locationTemplate({ path, line }: FileLocation): TemplateResult {
  return html`<a class=${LINK} tabindex="0" role="link" data-ac="place" data-path=${path} data-line=${line} data-col="0"
    title=${t('Open %1', locationLabel({ path, line, col: 0 }))}><bdi>${escapeInvisible(path)}</bdi></a>`;
}

/** Handles clicks and Enter on the links below `host`. */
export function handleLocationLinks(host: HTMLElement): void {
  const follow = (event: Event): void => {
    const isLink = (node: EventTarget) => node instanceof HTMLElement && node.classList.contains(LINK);
    const link = event.composedPath().find(isLink);
    if (!(link instanceof HTMLElement)) return;
    const { path = '', line, col, anchor, query } = link.dataset;
    event.preventDefault();
    if (query) openSearch(link, query);
    else openLocation(link, { path, line: Number(line), col: Number(col), ...(anchor ? { anchor } : {}) });
  };
  host.addEventListener('click', follow);
  host.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') follow(event);
  });
}
