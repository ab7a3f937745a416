/** Chips of what is new in the watched pages, offered to the next question; and the card that reloads a page after edits. */

import { t, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import type { NewsItem } from '../model/browser/page-news.ts';
import { shownLine, shownUrl } from '../model/browser/shown-text.ts';
import type { Session } from '../model/session.ts';
import { formStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import { urlChipStyles } from '../styles/url-chips.ts';
import { consentQuestion } from './consent-question.ts';
import { reloadCard, reloadCardStyles } from './reload-card.ts';
import { browserStores } from './sessions.ts';

const styles = css`
  .chip.offered {
    border-style: dashed;
    border-color: var(--ac-edge);
    background: none;
  }
  .main.all {
    flex: none;
    padding: 0 8px;
    color: var(--ac-accent);
    font-size: 12px;
    font-weight: 600;
  }
  /* Offers take less room than what is added. */
  .chips {
    max-height: 104px;
  }
  .kind {
    color: var(--ac-muted);
  }
`;

export class AcBrowserNews extends LitElement {
  static override properties = { session: { attribute: false }, current: { state: true } };
  static override styles = [base, urlChipStyles, formStyles, styles, reloadCardStyles];

  declare session: Session;
  /** Key of the chip that Tab goes to; the first one if there is no such chip. */
  declare current: string;

  constructor() {
    super();
    this.current = '';
    new StoreController(this, () => {
      const { store } = this;
      return store ? [browserStores, store, store.news, store.reload, store.consent] : [browserStores];
    });
  }

  get store(): BrowserStore | null {
    return browserStores.find(this.session);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { store } = this;
    if (!store) return nothing;
    const { offered } = store.news;
    return html`<span class="announcement" role="status">${offered.length ? t('%1 of the page can be added', tn('%1 new thing', '%1 new things', offered.length)) : ''}</span>
      ${reloadCard(store.reload)} ${store.isViewOpen ? nothing : consentQuestion(store)}
      ${offered.length ? this.#chips(store, offered) : nothing}`;
  }

  #chips(store: BrowserStore, offered: readonly NewsItem[]): TemplateResult {
    const current = offered.some(({ key }) => key === this.current) ? this.current : offered[0]?.key;
    return html`<div class="chips" role="toolbar" aria-label=${t('New in the page, not added yet')} @keydown=${this.#key}>
      <button class="main all" type="button" data-ac="chips-add-all" @click=${() => void this.#addAll(store)}>${t('Add all')}</button>
      ${repeat(
        offered,
        ({ key }) => key,
        (item) => this.#chip(store, item, item.key === current),
      )}
    </div>`;
  }

  #chip(store: BrowserStore, item: NewsItem, isCurrent: boolean): TemplateResult {
    const { key, kind } = item;
    const name = shownLine(item.name, 80);
    return html`<div class="chip offered" role="group" tabindex=${isCurrent ? 0 : -1} data-ac="chip" data-kind=${kind} data-state="offered" data-key=${key} data-name=${name}
      aria-label=${t('%1 %2: not added', kind, name)} aria-description=${t('Enter adds it to the next question, Delete leaves it out.')}
      title=${t('%1: %2\n%3\nNot sent; a click adds it to the next question', kind, name, shownUrl(item.source, 200))}
      @focusin=${() => {
        this.current = key;
      }}>
      <button class="main" type="button" tabindex="-1" data-ac="chip-add" @click=${() => this.#add(store, item)}>
        ${kind === 'error' ? icons.warning : kind === 'request' ? icons.plug : icons.browser} <span class="kind">${kind}</span> <span class="name"><bdi>${name}</bdi></span> <span class="verb">${t('Add')}</span>
      </button>
      <button class="icon-button" type="button" tabindex="-1" data-ac="chip-remove" title=${t('Leave it out')} aria-label=${t('Leave %1 out', name)}
        @click=${() => this.#leaveOut(store, item)}>${icons.close}</button>
    </div>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    const { store } = this;
    if (!store || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { offered } = store.news;
    const element = (event.target as HTMLElement).closest<HTMLElement>('.chip');
    const index = offered.findIndex(({ key }) => key === element?.dataset.key);
    const item = offered[index];
    if (!item) return;
    const next = arrowKeyIndex(event.key, index, offered.length);
    if (next !== null) this.#focusChip(offered[next]?.key);
    else if (event.key === 'Delete') this.#leaveOut(store, item);
    else if (event.key === 'Enter' && event.target === element) this.#add(store, item);
    else return;
    event.preventDefault();
  };

  #add(store: BrowserStore, item: NewsItem): void {
    this.#moveFocus(store, item.key);
    void store.news.add(item);
  }

  #leaveOut(store: BrowserStore, item: NewsItem): void {
    this.#moveFocus(store, item.key);
    store.news.leaveOut(item.key);
  }

  async #addAll(store: BrowserStore): Promise<void> {
    this.dispatchEvent(new CustomEvent('ac-input'));
    await store.news.addAll();
  }

  /** The chip disappears: the focus moves to its neighbour, or to the input. */
  #moveFocus({ news: { offered } }: BrowserStore, key: string): void {
    const index = offered.findIndex((item) => item.key === key);
    const next = offered[index + 1] ?? offered[index - 1];
    if (next) this.#focusChip(next.key);
    else this.dispatchEvent(new CustomEvent('ac-input'));
  }

  #focusChip(key: string | undefined): void {
    const chips = [...this.renderRoot.querySelectorAll<HTMLElement>('.chip')];
    chips.find((chip) => chip.dataset.key === key)?.focus();
  }
}
