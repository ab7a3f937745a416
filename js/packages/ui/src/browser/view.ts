/** View of browsers, modal within the panel: the watched pages, and what they do. */

import { t, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, html as plainHtml, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { arrowKeyIndex, focused, trapTab } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { onOpenLocation } from '../elements/location-links.ts';
import type { BrowserStore, Pane } from '../model/browser/browser.ts';
import { shownLine, shownUrl } from '../model/browser/shown-text.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { consentQuestion } from './consent-question.ts';
import { dialogBox } from './dialog-box.ts';
import { paneTag } from './pane-tags.ts';
import { browserStores } from './sessions.ts';
import { viewStyles } from './styles.ts';

const PANES: readonly [Pane, string][] = [
  ['targets', t('Pages')],
  ['console', t('Console')],
  ['network', t('Network')],
  ['rules', t('Rules')],
  ['inspect', t('Elements')],
];

export class AcBrowser extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, viewStyles];

  declare session: Session;
  /** The link that has opened the viewer. */
  #opener: HTMLElement | null = null;
  #hadQuestion = false;
  #hadDialog = false;
  readonly #look = (): void => this.store.look();

  constructor() {
    super();
    new StoreController(this, () => [this.store, this.store.consent, this.store.dialog]);
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => trapTab(event, this.renderRoot));
    this.addEventListener('focusin', () => this.store.look());
    // The viewer covers this view: the focus returns to the link when it closes.
    onOpenLocation(this, () => {
      this.#opener = focused();
    });
  }

  get store(): BrowserStore {
    return browserStores.open(this.session);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#look);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#look);
    this.store.closeView();
  }

  override focus(): void {
    const opener = this.#opener;
    (opener?.isConnected
      ? opener
      : this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]')
    )?.focus();
  }

  protected override firstUpdated(): void {
    this.focus();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('session')) void this.store.open(() => this.#isVisible);
    const { consent, dialog } = this.store;
    const hasQuestion = consent.question !== null;
    const hasDialog = dialog.shown !== null;
    const isFocusLost = this.#hadDialog && !hasDialog && !this.matches(':focus-within');
    if (hasQuestion && !this.#hadQuestion)
      this.renderRoot.querySelector<HTMLElement>('[data-ac="browser-refuse"]')?.focus();
    else if ((!hasQuestion && this.#hadQuestion) || isFocusLost)
      this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
    this.#hadQuestion = hasQuestion;
    this.#hadDialog = hasDialog;
  }

  get #isVisible(): boolean {
    return this.isConnected && document.visibilityState !== 'hidden' && (this.checkVisibility?.() ?? true);
  }

  protected override render(): TemplateResult {
    const { store } = this;
    return html`<div class="scrim" @pointerdown=${this.#pressed}>
      <div class="card wide" role="dialog" aria-modal="true" aria-label=${t('Browser')} data-ac="browser" data-pane=${store.pane} data-state=${this.#state} tabindex="-1">
        <div class="bar">
          <h2>${t('Browser')}</h2>
          <span class="state cut muted" role="status">${this.#stateLine()}</span>
          <button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close')} @click=${() => this.#close()}>${icons.close}</button>
        </div>
        <div class="which">
          <div class="tabs" role="tablist" aria-label=${t('Browser')} @keydown=${this.#tabKey}>${PANES.map(([pane, label]) => this.#tab(pane, label))}</div>
          ${this.#targetSelect()}
        </div>
        ${this.#messages()}
        <div class="pane" id="pane" role="tabpanel" aria-labelledby=${`tab-${store.pane}`}>${this.#pane()}</div>
      </div>
    </div>`;
  }

  get #state(): string {
    const { chosen, page } = this.store;
    return chosen?.state ?? page.state;
  }

  #stateLine(): string {
    const { chosen, isLoaded } = this.store;
    if (!isLoaded) return t('Looking for browsers …');
    if (!chosen) return t('No page is watched');
    const { state, epoch, errors } = chosen;
    return t(
      '%1, %2, connection %3',
      errors ? tn('%1 error', '%1 errors', errors) : t('No errors'),
      shownLine(state, 30),
      epoch,
    );
  }

  #tab(pane: Pane, label: string): TemplateResult {
    const isOpen = pane === this.store.pane;
    return html`<button type="button" role="tab" id=${`tab-${pane}`} data-pane=${pane} aria-selected=${isOpen} aria-controls="pane" tabindex=${isOpen ? 0 : -1}
      @click=${() => this.store.show(pane)}>${label}</button>`;
  }

  /** Chooses among several watched pages. */
  #targetSelect(): TemplateResult | typeof nothing {
    const { watched, chosen, pane } = this.store;
    if (watched.length < 2 || pane === 'targets') return nothing;
    return html`<label><select data-ac="browser-page" aria-label=${t('Watched page')} @change=${(event: Event) => this.store.choose((event.target as HTMLSelectElement).value)}>
      ${watched.map(({ id, title, url }) => plainHtml`<option value=${id} ?selected=${id === chosen?.id}>${shownLine(title, 50) || shownUrl(url, 50)}</option>`)}
    </select></label>`;
  }

  #messages(): TemplateResult | typeof nothing {
    const { store } = this;
    const { problem, page, consent, dialog } = store;
    if (!problem && !page.error && !consent.question && !dialog.shown) return nothing;
    return html`<div class="messages">
      ${consentQuestion(store)} ${dialogBox(dialog)}
      ${problem ? this.#problem(problem, 'browser-problem', () => store.say('')) : nothing}
      ${page.error ? this.#problem(page.error, 'browser-error', () => void store.dismissError()) : nothing}
    </div>`;
  }

  #problem(words: string, name: string, dismiss: () => void): TemplateResult {
    return html`<div class="box bad line" role="alert" data-ac=${name}><p class="wrap">${shownLine(words, 600)}</p>
      <button class="icon-button" type="button" title=${t('Dismiss')} aria-label=${t('Dismiss the error')} @click=${dismiss}>${icons.close}</button></div>`;
  }

  #pane(): TemplateResult {
    const { store, session } = this;
    switch (store.pane) {
      case 'targets':
        return html`<${paneTag.targets} .store=${store}></${paneTag.targets}>`;
      case 'console':
        return html`<${paneTag.console} .session=${session} .store=${store}></${paneTag.console}>`;
      case 'network':
        return html`<${paneTag.network} .session=${session} .store=${store}></${paneTag.network}>`;
      case 'rules':
        return html`<${paneTag.rules} .store=${store}></${paneTag.rules}>`;
      case 'inspect':
        return html`<${paneTag.inspect} .session=${session} .store=${store}></${paneTag.inspect}>`;
    }
  }

  readonly #tabKey = (event: KeyboardEvent): void => {
    const index = PANES.findIndex(([pane]) => pane === this.store.pane);
    const [next] = PANES[arrowKeyIndex(event.key, index, PANES.length) ?? -1] ?? [];
    if (!next) return;
    event.preventDefault();
    this.store.show(next);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`[data-pane="${next}"][role="tab"]`)?.focus(),
    );
  };

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };

  /** Escape refuses an open question first. */
  #close(): void {
    if (this.store.consent.question) this.store.consent.answer(false);
    else this.dispatchEvent(new CustomEvent('ac-close'));
  }
}
