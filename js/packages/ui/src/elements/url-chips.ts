/** Chips of the web pages below the input: fetch, include, read, fetch again, remove. */

import { RpcMixin } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { bytes } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import type { UrlChip } from '../model/url-chips.ts';
import { base } from '../styles/tokens.ts';
import { urlChipStyles } from '../styles/url-chips.ts';
import * as icons from './icons.ts';
import { openPage } from './location-links.ts';

export class AcUrlChips extends RpcMixin(LitElement) {
  static override properties = { session: { attribute: false }, current: { state: true } };
  static override styles = [base, urlChipStyles];

  declare session: Session;
  /** Address of the chip that Tab goes to; the first one if there is no such chip. */
  declare current: string;

  /** Address of the last chip that was rendered. */
  #last = '';
  #hadFocus = false;

  constructor() {
    super();
    this.current = '';
    new StoreController(this, () => [this.session.urls]);
  }

  protected override render(): TemplateResult {
    const { chips, announcement } = this.session.urls;
    const current = chips.some(({ url }) => url === this.current) ? this.current : chips[0]?.url;
    return html`<span class="announcement" role="status">${announcement}</span>
      ${
        chips.length
          ? html`<div class="chips" role="toolbar" aria-label=${t('Web pages')} @keydown=${this.#key}>
              ${repeat(
                chips,
                ({ url }) => url,
                (chip) => this.#chip(chip, chip.url === current),
              )}
            </div>`
          : nothing
      }`;
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.#isFocused;
  }

  protected override updated(): void {
    // A chip that moves in the list loses the focus, and so does one whose pressed button disappears.
    if (this.#hadFocus && !this.#isFocused) this.#focusChip(this.current);
    const last = this.session.urls.chips.at(-1)?.url ?? '';
    if (last === this.#last) return;
    this.#last = last;
    // New chips come last: many chips scroll.
    const list = this.renderRoot.querySelector('.chips');
    if (list && !this.#isFocused) list.scrollTop = list.scrollHeight;
  }

  get #isFocused(): boolean {
    return Boolean(this.shadowRoot?.activeElement);
  }

  #chip(chip: UrlChip, isCurrent: boolean): TemplateResult {
    const { url, state, isIncluded } = chip;
    return html`<div
      class="chip ${state} ${isIncluded ? '' : 'out'}"
      role="group"
      tabindex=${isCurrent ? 0 : -1}
      data-ac="chip"
      data-kind="url"
      data-state=${state}
      data-url=${url}
      data-included=${isIncluded}
      aria-label=${`${escapeInvisible(chip.name)}: ${statusText(chip)}`}
      aria-description=${keysText(chip, this.session.urls.isFetchedBySending)}
      title=${tooltip(chip, this.session.urls.isFetchedBySending)}
      @focusin=${() => {
        this.current = url;
      }}
      @click=${(event: MouseEvent) => event.target === event.currentTarget && this.#open(chip)}
    >
      ${state === 'ready' ? this.#toggle(chip) : nothing} ${this.#name(chip)}
      ${(state === 'ready' || state === 'failed') && this.session.urls.isFetchAllowed ? this.#fetchAgainButton(chip) : nothing}
      ${state === 'fetching' ? nothing : this.#removeButton(chip)}
    </div>`;
  }

  #toggle({ url, name, isIncluded }: UrlChip): TemplateResult {
    return html`<input
      type="checkbox"
      tabindex="-1"
      data-ac="chip-toggle"
      title=${isIncluded ? t('Leave it out of the next request') : t('Include it in the next request')}
      aria-label=${t('Send %1', escapeInvisible(name))}
      .checked=${live(isIncluded)}
      @change=${() => this.session.urls.include(url, !isIncluded)}
    />`;
  }

  /** The name, which is a button: it fetches what was found, and shows what was fetched or why it failed. */
  #name(chip: UrlChip): TemplateResult {
    const { state, name, bytes: count } = chip;
    const label = html`<span class="name"><bdi>${escapeInvisible(name)}</bdi></span>`;
    if (state === 'fetching') {
      return html`<span class="main">${icons.spinner} ${label} <span class="progress number">${count ? bytes(count) : '…'}</span></span>`;
    }
    const isFound = state === 'found';
    const icon = isFound ? icons.arrowDown : state === 'failed' ? icons.warning : nothing;
    return html`<button class="main" type="button" tabindex="-1" data-ac=${isFound ? 'chip-fetch' : 'chip-view'}
      ?disabled=${isFound && !this.rpcConnected} @click=${() => this.#open(chip)}>
      ${icon} ${label} ${isFound ? html`<span class="verb">${t('Fetch')}</span>` : nothing}
    </button>`;
  }

  #fetchAgainButton({ url, name }: UrlChip): TemplateResult {
    return html`<button class="icon-button" type="button" tabindex="-1" data-ac="chip-fetch" title=${t('Fetch it again')}
      aria-label=${t('Fetch %1 again', escapeInvisible(name))} ?disabled=${!this.rpcConnected}
      @click=${() => this.#fetch(url, true)}>${icons.refresh}</button>`;
  }

  #removeButton({ url, name, state }: UrlChip): TemplateResult {
    return html`<button class="icon-button" type="button" tabindex="-1" data-ac="chip-remove"
      title=${state === 'found' ? t("Don't fetch it") : t('Remove it from the conversation')}
      aria-label=${t('Remove %1', escapeInvisible(name))} @click=${() => this.#remove(url)}>${icons.close}</button>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { chips } = this.session.urls;
    const element = (event.target as HTMLElement).closest<HTMLElement>('.chip');
    const index = chips.findIndex(({ url }) => url === element?.dataset.url);
    const chip = chips[index];
    if (!chip) return;
    const next = arrowKeyIndex(event.key, index, chips.length);
    // Enter and Space on a button inside the chip press that button.
    const isOnChip = event.target === element;
    if (next !== null) this.#focusChip(chips[next]?.url);
    else if (event.key === 'Delete') this.#remove(chip.url);
    else if (event.key === 'Enter' && isOnChip) this.#open(chip);
    else if (event.key === ' ' && isOnChip) this.session.urls.include(chip.url, !chip.isIncluded);
    else return;
    event.preventDefault();
  };

  /** Fetches what was found; shows the text of what was fetched, or why it could not be. */
  #open({ url, state }: UrlChip): void {
    if (state === 'found') this.#fetch(url, false);
    else if (state !== 'fetching') openPage(this, url);
  }

  /** The pressed button disappears with the fetch, so the focus moves to its chip. */
  #fetch(url: string, isAnew: boolean): void {
    if (!this.rpcConnected) return;
    this.#focusChip(url);
    void this.session.urls.fetch(url, isAnew);
  }

  /** The focus moves to the chip that takes this one's place, or to the input. */
  #remove(url: string): void {
    const { urls } = this.session;
    if (urls.chip(url)?.state === 'fetching') return;
    const index = urls.chips.findIndex((chip) => chip.url === url);
    void urls.remove(url);
    const next = urls.chips[Math.min(index, urls.chips.length - 1)];
    if (next) this.#focusChip(next.url);
    else this.dispatchEvent(new CustomEvent('ac-input'));
  }

  #focusChip(url: string | undefined): void {
    const chips = [...this.renderRoot.querySelectorAll<HTMLElement>('.chip')];
    chips.find((chip) => chip.dataset.url === url)?.focus();
  }
}

function statusText({ state, isIncluded, error, bytes: count }: UrlChip): string {
  switch (state) {
    case 'found':
      return t('not fetched');
    case 'fetching':
      return t('being fetched%1', count ? `, ${bytes(count)}` : '');
    case 'failed':
      return t('could not be fetched: %1', error);
    case 'ready':
      return isIncluded ? t('sent with the next question') : t('left out');
  }
}

function keysText({ state, isIncluded }: UrlChip, isFetchedBySending: boolean): string {
  switch (state) {
    case 'found':
      return isFetchedBySending
        ? t('Fetched when the question is sent. Enter fetches it now, Delete leaves it out.')
        : t('Enter fetches the page, Delete removes the address.');
    case 'fetching':
      return '';
    case 'failed':
      return t('Enter shows the reason, Delete removes the page.');
    case 'ready':
      return t(
        'Enter shows the text, Space %1, Delete removes the page.',
        isIncluded ? t('leaves it out') : t('includes it'),
      );
  }
}

function tooltip(chip: UrlChip, isFetchedBySending: boolean): string {
  const { url, title, state } = chip;
  const offer = isFetchedBySending
    ? t('Fetched when the question is sent; a click fetches it now')
    : t('Not fetched yet; a click fetches it');
  const action = state === 'found' ? offer : statusText(chip);
  return [title, url, action].filter(Boolean).map(escapeInvisible).join('\n');
}
