/** One search box over files, symbols and text. */

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { trapTab } from '../controllers/focus.ts';
import { WhileOpen } from '../controllers/open-things.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { EverywhereStore, Group, Kind, Result } from '../model/everywhere.ts';
import type { Session } from '../model/session.ts';
import { cardStyles } from '../styles/card.ts';
import { everywhereStyles } from '../styles/everywhere.ts';
import { fieldStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { openPlace } from './open-place.ts';
import { searchField } from './search-field.ts';
import { marked } from './words.ts';

const LABELS: Readonly<Record<Kind, string>> = { files: 'Files', symbols: 'Symbols', text: 'Text' };
const PAGE = 8;
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

export class AcEverywhere extends LitElement {
  static override properties = { session: { attribute: false }, first: { attribute: false } };
  static override styles = [base, fieldStyles, cardStyles, everywhereStyles];

  declare session: Session;
  /** What is searched for at first; '' for what was searched for last. */
  declare first: string;
  /** Enter came before what it is about was found. */
  #wish: KeyboardEvent | null = null;

  constructor() {
    super();
    new StoreController(this, () => [this.#store, this.session.selection]);
    new WhileOpen(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  get #store(): EverywhereStore {
    return this.session.everywhere;
  }

  protected override firstUpdated(): void {
    // Also what was found before may have changed since.
    this.#store.search(this.first || this.#store.query);
    const input = this.renderRoot.querySelector('input');
    input?.focus();
    void this.updateComplete.then(() => input?.select());
  }

  protected override updated(): void {
    this.#grant();
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const store = this.#store;
    const { results, active } = store;
    return html`<div class="scrim top" @pointerdown=${this.#pressed}>
      <div class="card search" role="dialog" aria-modal="true" aria-label="Search everywhere" tabindex="-1">
        <div class="head">
          ${searchField({
            ac: 'search-everywhere',
            label: 'Search files, symbols and text',
            placeholder: 'Search files, symbols and text',
            value: store.query,
            onInput: (text) => {
              this.#wish = null;
              store.search(text);
            },
            option: results.length ? `result-${active}` : '',
          })}
        </div>
        <div class="list" id="list" role="listbox" aria-label="Found">${this.#groups(store)}</div>
        <p class="keys muted">
          <span><kbd>Enter</kbd> opens</span> <span><kbd>Ctrl</kbd>+<kbd>Enter</kbd> ticks the file</span> <span><kbd>Esc</kbd> closes</span>
        </p>
      </div>
    </div>`;
  }

  #groups({ groups, active, query }: EverywhereStore): TemplateResult[] {
    let before = 0;
    return groups.map((group) => {
      const start = before;
      before += group.results.length;
      return html`<div role="group" aria-label=${LABELS[group.kind]} class="group">
        <h3>${LABELS[group.kind]} ${group.isLooking ? icons.spinner : nothing}</h3>
        ${group.results.map((result, at) => this.#result(result, start + at, start + at === active, query.trim()))}
        ${remark(group)}
      </div>`;
    });
  }

  #result(result: Result, index: number, isActive: boolean, query: string): TemplateResult {
    const { kind, place, title, more, detail, isRemark = false } = result;
    const isTicked = this.session.selection.has(place.path);
    return html`<div class="result ${kind} ${isRemark ? 'about' : ''}" role="option" id=${`result-${index}`} data-ac="search-result" data-kind=${kind}
      data-path=${place.path} data-line=${place.line} aria-selected=${isActive}
      title=${`${title}${more}\n${detail}`} @click=${(event: MouseEvent) => this.#take(result, event)}>
      <span class="title"><span class="name"><bdi>${marked(title, isRemark ? '' : query)}</bdi></span>${more ? html`<span class="more">${more}</span>` : nothing}</span>
      <span class="detail muted"><bdi>${marked(detail, kind === 'files' ? query : '')}</bdi></span>
      ${isTicked ? html`<span class="ticked" role="img" aria-label="ticked" title="Ticked">${icons.check}</span>` : nothing}
    </div>`;
  }

  #take(result: Result, { ctrlKey, metaKey }: MouseEvent | KeyboardEvent): void {
    if (ctrlKey || metaKey) {
      this.#store.tick(result);
      return;
    }
    openPlace(this, result.place);
    this.#close();
  }

  #grant(): void {
    const [wish, { best, groups }] = [this.#wish, this.#store];
    if (!wish || (!best && groups.some(({ isLooking }) => isLooking))) return;
    this.#wish = null;
    if (best) this.#take(best, wish);
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
    // The keyboard stays in the field.
    else if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('ac-close'));
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    trapTab(event, this.renderRoot);
    const { results, active } = this.#store;
    const result = results[active];
    const by = event.altKey ? undefined : MOVES[event.key];
    if (event.key === 'Enter' && this.#store.isStale) {
      this.#wish = event;
      this.#store.hurry();
    } else if (event.key === 'Enter' && result) this.#take(result, event);
    else if (by !== undefined) this.#store.move(by);
    else return;
    event.preventDefault();
  }
}

function remark({ results, isCut, isLooking, error }: Group): TemplateResult | typeof nothing {
  if (error) return html`<p class="remark" role="alert">${error}</p>`;
  if (isCut) return html`<p class="remark muted">There are more; type on to narrow them down.</p>`;
  return results.length || isLooking ? nothing : html`<p class="remark muted">Nothing found.</p>`;
}
