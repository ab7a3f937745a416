/** Element over the conversation: search, a menu, and what screen readers are told of answers. */

import { t, tn } from '@jupyter-ac/messages';
import { css, LitElement, nothing, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { focused, trapTab } from '../controllers/focus.ts';
import { Popover } from '../controllers/popover.ts';
import { saveFile } from '../controllers/save-file.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { AcChat } from '../elements/chat.ts';
import * as commonIcons from '../elements/icons.ts';
import { AT_REST, announcement, type Moment } from '../model/announcements.ts';
import {
  type ConversationStore,
  conversationOf,
  type ExportForm,
  type Marked,
} from '../model/conversation.ts';
import type { Session } from '../model/session.ts';
import { popoverStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { findTag } from './part-tags.ts';

const styles = css`
  :host {
    position: absolute;
    z-index: 1;
    top: 6px;
    right: 14px;
    left: 10px;
    pointer-events: none;
  }
  .tools,
  .popover {
    pointer-events: auto;
  }
  .tools {
    display: flex;
    width: fit-content;
    margin-left: auto;
    padding: 1px;
    border: 1px solid var(--ac-line);
    border-radius: 8px;
    background: color-mix(in srgb, var(--ac-bg) 92%, transparent);
  }
  .popover {
    top: 32px;
    right: 0;
    width: 290px;
    max-width: 100%;
    max-height: min(420px, 60vh);
    overflow: hidden auto;
    font-size: 12px;
  }
  h3 {
    margin: 4px 4px 0;
    color: var(--ac-muted);
    font-size: 11px;
    font-weight: 600;
  }
  .forms {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .row {
    display: flex;
    align-items: baseline;
    gap: 8px;
    width: 100%;
    padding: 4px 6px;
    text-align: left;
  }
  .row:hover {
    background: var(--ac-raised);
  }
  .row .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

const FORMS: readonly [ExportForm, string][] = [
  ['markdown', t('Markdown')],
  ['ipynb', t('Notebook')],
  ['json', 'JSON'],
];

export class AcConversationTools extends LitElement {
  static override properties = {
    session: { attribute: false },
    log: { attribute: false },
    isSearching: { state: true },
    spoken: { state: true },
  };
  static override styles = [base, popoverStyles, styles];

  declare session: Session;
  /** The conversation that the element stands over. */
  declare log: AcChat;
  declare isSearching: boolean;
  /** What a screen reader is told. */
  declare spoken: string;
  readonly #popover = new Popover(this, () => this.#opened());
  #panel: Element | null = null;
  #before: Moment = AT_REST;
  readonly #onPanelKey = (event: Event) => this.#key(event as KeyboardEvent);
  readonly #onMarks = () => void this.#showMarks();
  /** What gets the focus when the menu opens. */
  #first = 'button';

  constructor() {
    super();
    this.isSearching = false;
    this.spoken = '';
    new StoreController(this, () => [this.session.chat, this.#store, this.session]);
    this.addEventListener('keydown', (event) => {
      const popover = this.renderRoot.querySelector('.popover');
      if (popover) trapTab(event, popover);
    });
  }

  get #store(): ConversationStore {
    return conversationOf(this.session);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#panel = outermostHost(this);
    this.#panel.addEventListener('keydown', this.#onPanelKey);
    this.#panel.addEventListener('ac-marks', this.#onMarks);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#panel?.removeEventListener('keydown', this.#onPanelKey);
    this.#panel?.removeEventListener('ac-marks', this.#onMarks);
    this.isSearching = false;
  }

  protected override willUpdate(): void {
    const { stream, messages } = this.session.chat;
    const answer = messages.findLast(({ role }) => role === 'assistant') ?? null;
    const now: Moment = { stream, answer };
    this.spoken = announcement(this.#before, now) || this.spoken;
    this.#before = now;
  }

  protected override render(): TemplateResult {
    return html`<div class="spoken" role="status" data-ac="spoken">${this.spoken}</div>
      ${this.session.chat.messages.length && !this.isSearching ? this.#tools() : nothing}
      ${
        this.isSearching
          ? html`<${findTag} data-find .session=${this.session} .log=${this.log} @ac-close=${() => {
              this.isSearching = false;
            }}></${findTag}>`
          : nothing
      }`;
  }

  #tools(): TemplateResult {
    return html`<div class="tools">
        <button class="icon-button" type="button" data-ac="find-open" aria-label=${t('Search this conversation')}
          title=${t('Search this conversation (Ctrl+F)')} @click=${() => this.#find()}>${commonIcons.search}</button>
        <button class="icon-button" type="button" data-ac="conversation-menu" aria-label=${t('More of this conversation')}
          title=${t("Save this conversation; what is pinned and what isn't sent")} aria-haspopup="dialog" aria-expanded=${this.#popover.isOpen}
          @click=${() => this.#flip()}>${icons.more}</button>
      </div>
      ${this.#popover.isOpen ? this.#menu() : nothing}`;
  }

  #menu(): TemplateResult {
    const { marked, canExport } = this.#store;
    return html`<div class="popover" role="dialog" aria-label=${t('More of this conversation')} tabindex="-1">
      ${canExport ? this.#exports() : nothing}
      ${this.#list(
        t('Pinned: kept by compactions'),
        marked.filter(({ context }) => context === 'pinned'),
      )}
      ${this.#list(
        t('Not sent with questions'),
        marked.filter(({ context }) => context === 'excluded'),
      )}
    </div>`;
  }

  #exports(): TemplateResult {
    return html`<h3>${t('Save this conversation as')}</h3>
      <div class="forms">${FORMS.map(
        ([form, label]) => html`<button class="button" type="button" data-ac="export-as" data-format=${form}
          @click=${() => void this.#export(form)}>${label}</button>`,
      )}</div>`;
  }

  #list(title: string, rows: readonly Marked[]): TemplateResult | typeof nothing {
    if (!rows.length) return nothing;
    return html`<h3>${title}</h3>
      <div>${rows.map(
        ({ requestId, name, tokens, context }) => html`<button class="row" type="button" data-ac="marked-row"
          data-context=${context} @click=${() => void this.#goTo(requestId)}>
          <span class="name">${name}</span><span class="muted number">${tn('%1 token', '%1 tokens', tokens)}</span></button>`,
      )}</div>`;
  }

  #opened(): void {
    const popover = this.renderRoot.querySelector<HTMLElement>('.popover');
    (popover?.querySelector<HTMLElement>(this.#first) ?? popover)?.focus();
    this.#first = 'button';
  }

  /** Opens the menu at what is marked; a narrow panel may not show the conversation. */
  async #showMarks(): Promise<void> {
    const { marked } = this.#store;
    if (!marked.length) return;
    if (this.checkVisibility?.() === false) {
      this.#panel?.dispatchEvent(new CustomEvent('ac-section', { detail: 'chat' }));
      await (this.#panel as LitElement | null)?.updateComplete;
    }
    this.isSearching = false;
    this.#first = '[data-ac="marked-row"]';
    if (this.#popover.isOpen) this.#opened();
    else this.#popover.isOpen = true;
  }

  #flip(): void {
    if (this.#popover.isOpen) this.#popover.close();
    else this.#popover.isOpen = true;
  }

  async #export(form: ExportForm): Promise<void> {
    const file = await this.#store.export(form);
    if (!file) return;
    saveFile(file.name, file.content);
    this.#popover.close();
  }

  /** Scrolls to a question; loads earlier messages until it is there. */
  async #goTo(requestId: string): Promise<void> {
    const { chat } = this.session;
    this.#popover.close();
    const isLoaded = () => chat.messages.some((message) => message.requestId === requestId);
    while (!isLoaded() && chat.earlier > 0) {
      const { earlier } = chat;
      await chat.showEarlier();
      if (chat.earlier === earlier) break;
    }
    await this.log.updateComplete;
    this.log.reveal(`${requestId}/user`);
  }

  #find(): void {
    this.#popover.isOpen = false;
    this.renderRoot.querySelector<HTMLElement>('[data-find]')?.focus();
    this.isSearching = true;
  }

  /** Ctrl+F anywhere in the panel; not while something covers the conversation. */
  #key(event: KeyboardEvent): void {
    const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isChord || event.key.toLowerCase() !== 'f' || event.defaultPrevented) return;
    if (isInert(this) || !this.session.chat.messages.length || isInEditor()) return;
    event.preventDefault();
    this.#find();
  }
}

function outermostHost(element: Element): Element {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? outermostHost(root.host) : element;
}

function isInert(element: Element): boolean {
  if (element.closest('[inert]')) return true;
  const root = element.getRootNode();
  return root instanceof ShadowRoot && isInert(root.host);
}

/** An editor of code has a search of its own. */
function isInEditor(): boolean {
  return focused()?.closest('.cm-editor') != null;
}
