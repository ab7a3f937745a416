/** Dialog "search everywhere": files, symbols and text. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { trapTab } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Group, Kind, Result, SearchStore } from '../model/search-everywhere.ts';
import type { Session } from '../model/session.ts';
import { cardStyles } from '../styles/card.ts';
import { fieldStyles } from '../styles/forms.ts';
import { searchEverywhereStyles } from '../styles/search-everywhere.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { highlightMatch } from './inline-text.ts';
import { openLocation } from './location-links.ts';
import { searchField } from './search-field.ts';

const LABELS: Readonly<Record<Kind, string>> = { files: t('Files'), symbols: t('Symbols'), text: t('Text') };
const PAGE = 8;
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

export class AcSearchEverywhere extends LitElement {
  static override properties = { session: { attribute: false }, first: { attribute: false } };
  static override styles = [base, fieldStyles, cardStyles, searchEverywhereStyles];

  declare session: Session;
  /** Initial query; '' for the last one. */
  declare first: string;
  /** Enter was pressed before the results had arrived. */
  #pendingEnter: KeyboardEvent | null = null;

  constructor() {
    super();
    new StoreController(this, () => [this.#store, this.session.selection]);
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  get #store(): SearchStore {
    return this.session.search;
  }

  protected override firstUpdated(): void {
    // Search again: the previous results may be outdated.
    this.#store.search(this.first || this.#store.query);
    const input = this.renderRoot.querySelector('input');
    input?.focus();
    void this.updateComplete.then(() => input?.select());
  }

  protected override updated(): void {
    this.#runPendingEnter();
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const store = this.#store;
    const { results, active } = store;
    return html`<div class="scrim top" @pointerdown=${this.#pressed}>
      <div class="card search" role="dialog" aria-modal="true" aria-label=${t('Search everywhere')} tabindex="-1">
        <div class="head">
          ${searchField({
            ac: 'search-everywhere',
            label: t('Search files, symbols and text'),
            placeholder: t('Search files, symbols and text'),
            value: store.query,
            onInput: (text) => {
              this.#pendingEnter = null;
              store.search(text);
            },
            option: results.length ? `result-${active}` : '',
          })}
        </div>
        <div class="list" id="list" role="listbox" aria-label=${t('Found')}>${this.#groups(store)}</div>
        <p class="keys muted">
          <span><kbd>Enter</kbd> ${t('opens')}</span> <span><kbd>Ctrl</kbd>+<kbd>Enter</kbd> ${t('ticks the file')}</span> <span><kbd>Esc</kbd> ${t('closes')}</span>
        </p>
      </div>
    </div>`;
  }

  #groups({ groups, active, query }: SearchStore): TemplateResult[] {
    let before = 0;
    return groups.map((group) => {
      const start = before;
      before += group.results.length;
      return html`<div role="group" aria-label=${LABELS[group.kind]} class="group">
        <div class="heading" role="presentation">${LABELS[group.kind]} ${group.isSearching ? icons.spinner : nothing}</div>
        ${group.results.map((result, at) => this.#result(result, start + at, start + at === active, query.trim()))}
        ${remark(group)}
      </div>`;
    });
  }

  #result(result: Result, index: number, isActive: boolean, query: string): TemplateResult {
    const { kind, location, title, more, detail, isRemark = false } = result;
    const isTicked = this.session.selection.has(location.path);
    return html`<div class="result ${kind} ${isRemark ? 'about' : ''}" role="option" id=${`result-${index}`} data-ac="search-result" data-kind=${kind}
      data-path=${location.path} data-line=${location.line} aria-selected=${isActive}
      title=${`${title}${more}\n${detail}`} @click=${(event: MouseEvent) => this.#take(result, event)}>
      <span class="title"><span class="name"><bdi>${highlightMatch(title, isRemark ? '' : query)}</bdi></span>${more ? html`<span class="more">${more}</span>` : nothing}</span>
      <span class="detail muted"><bdi>${highlightMatch(detail, kind === 'files' ? query : '')}</bdi></span>
      ${isTicked ? html`<span class="ticked" role="img" aria-label=${t('ticked')} title=${t('Ticked')}>${icons.check}</span>` : nothing}
    </div>`;
  }

  #take(result: Result, { ctrlKey, metaKey }: MouseEvent | KeyboardEvent): void {
    if (ctrlKey || metaKey) {
      this.#store.tick(result);
      return;
    }
    openLocation(this, result.location);
    this.#close();
  }

  #runPendingEnter(): void {
    const [enter, { best, groups }] = [this.#pendingEnter, this.#store];
    if (!enter || (!best && groups.some(({ isSearching }) => isSearching))) return;
    this.#pendingEnter = null;
    if (best) this.#take(best, enter);
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
    // The focus stays in the field.
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
      this.#pendingEnter = event;
      this.#store.searchNow();
    } else if (event.key === 'Enter' && result) this.#take(result, event);
    else if (by !== undefined) this.#store.move(by);
    else return;
    event.preventDefault();
  }
}

function remark({ results, isCut, isSearching, error }: Group): TemplateResult | typeof nothing {
  if (error) return html`<p class="remark" role="alert">${error}</p>`;
  if (isCut) return html`<p class="remark muted">${t('There are more; type on to narrow them down.')}</p>`;
  return results.length || isSearching ? nothing : html`<p class="remark muted">${t('Nothing found.')}</p>`;
}
