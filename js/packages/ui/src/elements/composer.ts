/** Input of the chat: draft, attachments, send, queue and stop. */

import { RpcMixin } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { AutoGrow } from '../controllers/auto-grow.ts';
import { insertText, replaceText } from '../controllers/insert-text.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { imageFile, onPaste } from '../controllers/paste-and-drop.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { DraftStore } from '../model/draft.ts';
import { InputHistory } from '../model/input-history.ts';
import { InputMenuStore, type MenuItem, type Trigger } from '../model/input-menu.ts';
import { questionsOf } from '../model/messages.ts';
import type { Session } from '../model/session.ts';
import { composerStyles } from '../styles/composer.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import * as icons from './icons.ts';
import { inputCommands } from './input-commands.ts';
import {
  chooseItem,
  handleMenuKey,
  INPUT_MENU_ID,
  inputMenuStyles,
  inputMenuTemplate,
} from './input-menu.ts';

export class AcComposer extends RpcMixin(LitElement) {
  static override properties = { session: { attribute: false } };
  static override styles = [base, inputMenuStyles, composerStyles];

  declare session: Session;
  readonly #growth = new AutoGrow();
  readonly #history = new InputHistory();
  #menu: { readonly session: Session; readonly store: InputMenuStore } | null = null;
  /** The draft shown in the input. */
  #draft: DraftStore | null = null;
  #generation = 0;

  constructor() {
    super();
    new StoreController(this, () => [this.session, this.session.draft, this.session.attachments, this.menu]);
    new OverlayController(
      this,
      () => this.menu.isOpen,
      () => this.menu.close(),
    );
  }

  /** The menu of this session. */
  get menu(): InputMenuStore {
    if (this.#menu?.session !== this.session) {
      const { session } = this;
      const parts = {
        ...{ rpc: session.rpc, files: session.files, selection: session.selection },
        ...{ urls: session.urls, snippets: session.snippets },
        commands: () => inputCommands(session, this),
        notebookItems: (trigger: Trigger, renew: () => void) =>
          session.mentions?.offers(trigger, renew) ?? [],
      };
      this.#menu = { session, store: new InputMenuStore(parts) };
    }
    return this.#menu.store;
  }

  override focus(): void {
    this.renderRoot.querySelector('textarea')?.focus();
  }

  protected override render(): TemplateResult {
    const { draft, chat } = this.session;
    const { menu } = this;
    return html`<${tag.askedFiles} .session=${this.session} @ac-input=${() => this.focus()}></${tag.askedFiles}>${draft.queued ? this.#queueItem(draft.queued) : nothing}<div class="box">
      ${inputMenuTemplate(menu, this.#choose)}
      <textarea
        aria-autocomplete="list"
        aria-controls=${menu.isOpen ? INPUT_MENU_ID : nothing}
        aria-activedescendant=${menu.isOpen ? `option-${menu.active}` : nothing}
        data-ac="input"
        rows="1"
        aria-label=${t('Your question')}
        placeholder=${this.session.repoName ? t('Ask about %1 …', this.session.repoName) : t('Ask about this repository …')}
        @input=${this.#onInput}
        @click=${this.#updateMenu}
        @keyup=${this.#updateMenu}
        @blur=${() => menu.isOpen && menu.close()}
        @keydown=${this.#key}
        @paste=${(event: ClipboardEvent) => onPaste(event, (files) => this.session.attach(files))}
      ></textarea>
      <${tag.urlChips} .session=${this.session} @ac-input=${() => this.focus()}></${tag.urlChips}>
      <${tag.pathOffers} .session=${this.session} @ac-input=${() => this.focus()}></${tag.pathOffers}>
      <${tag.contextChips} .session=${this.session} @ac-input=${() => this.focus()}></${tag.contextChips}>
      <${tag.browserNews} .session=${this.session} @ac-input=${() => this.focus()}></${tag.browserNews}>
      ${this.#images()}
      <div class="row">
        <${tag.snippets} .session=${this.session} @ac-insert=${this.#insert}></${tag.snippets}>
        ${this.#imageButton()}
        <${tag.speechButton} .session=${this.session} @ac-insert=${this.#onSpoken}></${tag.speechButton}>
        <${tag.editMode} .session=${this.session}></${tag.editMode}>
        <${tag.mode} .session=${this.session}></${tag.mode}>
        <${tag.agentSwitch} .session=${this.session}></${tag.agentSwitch}>
        <span class="end">
          <span class="hint muted" aria-hidden="true"><span>${chat.stream ? t('Enter asks next') : t('Enter sends')}</span> <span>${t('Shift+Enter starts a line')}</span></span>
          ${chat.stream ? html`${this.#nextButton()} ${this.#stopButton()}` : this.#sendButton()}
        </span>
      </div>
    </div>`;
  }

  protected override updated(): void {
    const area = this.renderRoot.querySelector('textarea');
    if (!area) return;
    this.#syncInput(area);
    this.#growth.attach(area);
    this.#growth.fit();
  }

  /** Copies the draft into the input if it differs; undo must not lead to another conversation's draft. */
  #syncInput(area: HTMLTextAreaElement): void {
    const { draft } = this.session;
    const isOther = draft !== this.#draft || draft.generation !== this.#generation;
    this.#draft = draft;
    this.#generation = draft.generation;
    if (isOther) area.value = draft.text;
    else if (area.value !== draft.text) replaceText(area, draft.text);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#growth.detach();
  }

  #imageButton(): TemplateResult | typeof nothing {
    if (!this.session.rpc.offers('LLMService.put_image')) return nothing;
    return html`<label class="icon-button" title=${t('Attach images')} data-ac="image-button">
      ${icons.image}<input class="hidden" type="file" multiple accept="image/png,image/jpeg,image/gif,image/webp" aria-label=${t('Attach images')}
        @change=${this.#onImages} /></label>`;
  }

  readonly #onImages = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    this.session.attach([...(field.files ?? [])].map(imageFile));
    field.value = '';
    this.focus();
  };

  /** Inserts spoken text at the cursor, with a blank before it where words would touch. */
  readonly #onSpoken = (event: CustomEvent<string>): void => {
    const area = this.renderRoot.querySelector('textarea');
    if (!area) return;
    const before = area.value.slice(0, area.selectionStart);
    insertText(area, `${before && !/\s$/.test(before) ? ' ' : ''}${event.detail} `);
  };

  #images(): TemplateResult | typeof nothing {
    const { images } = this.session.attachments;
    if (!images.length) return nothing;
    return html`<div class="images">
      ${images.map(
        (image, index) => html`<button type="button" data-ac="attachment" title=${t('Leave this image out')}
          aria-label=${t('Leave image %1 out', index + 1)} @click=${(event: MouseEvent) => this.#leaveOut(event, index)}>
          <img src=${image} alt=""> ${icons.close}
        </button>`,
      )}
    </div>`;
  }

  #leaveOut(event: MouseEvent, index: number): void {
    this.session.attachments.remove(index);
    if (event.detail === 0) this.focus();
  }

  #sendButton(): TemplateResult {
    const canSend = this.rpcConnected && this.session.draft.text.trim() !== '';
    return html`<button
      class="button primary"
      type="button"
      data-ac="send"
      ?disabled=${!canSend}
      title=${this.rpcConnected ? t('Send (Enter)') : t('Not connected')}
      aria-label=${t('Send')}
      @click=${(event: MouseEvent) => this.#press(event, () => this.session.ask())}
    >
      ${icons.send} <span class="words">${t('Send')}</span>
    </button>`;
  }

  /** Queues the draft while an answer is running. */
  #nextButton(): TemplateResult | typeof nothing {
    const { draft } = this.session;
    if (!draft.text.trim() || draft.queued) return nothing;
    return html`<button class="button" type="button" data-ac="queue" title=${t('Ask when the answer is complete (Enter)')}
      ?disabled=${!this.rpcConnected} @click=${(event: MouseEvent) => this.#press(event, () => this.session.ask())}>
      ${t('Ask next')}
    </button>`;
  }

  #queueItem(question: string): TemplateResult {
    return html`<div class="queued" data-ac="queue-item" role="status">
      <span class="muted">${t('Next')}</span>
      <span class="question" title=${question}>${question}</span>
      <button class="icon-button" type="button" title=${t("Don't ask it: put it back into the input")}
        aria-label=${t('Put the waiting question back into the input')} @click=${() => this.#unqueue()}>${icons.close}</button>
    </div>`;
  }

  #unqueue(): void {
    this.focus();
    this.session.questions.unqueue();
  }

  #stopButton(): TemplateResult {
    return html`<button
      class="button stop"
      type="button"
      data-ac="stop"
      ?disabled=${this.session.chat.stream?.phase === 'stopping' || !this.rpcConnected}
      @click=${(event: MouseEvent) => this.#press(event, () => this.session.chat.stop())}
    >
      ${icons.stop} ${t('Stop')}
    </button>`;
  }

  readonly #insert = (event: CustomEvent<string>): void => {
    const area = this.renderRoot.querySelector('textarea');
    if (area) insertText(area, event.detail);
  };

  /** Send and Stop replace each other: after a press by keyboard, the focus moves to the input. */
  #press(event: MouseEvent, act: () => Promise<void>): void {
    if (event.detail === 0) this.focus();
    void act();
  }

  readonly #onInput = (event: Event): void => {
    this.session.draft.set((event.target as HTMLTextAreaElement).value);
    this.session.mentions?.typed();
    this.#updateMenu(event);
  };

  readonly #updateMenu = (event: Event): void => {
    const { value, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
    this.menu.update(value, selectionStart === selectionEnd ? selectionEnd : -1);
  };

  readonly #choose = (item: MenuItem): void => {
    const area = this.renderRoot.querySelector('textarea');
    if (area) chooseItem(area, this.menu, item);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (handleMenuKey(event, this.menu, this.#choose)) return;
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') this.#onArrowKey(event);
    // During IME composition, Enter accepts the candidate.
    const isSending = event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing;
    if (!isSending) return;
    event.preventDefault();
    void this.session.ask();
  };

  /** Steps through the earlier questions, when the arrow keys can't move the cursor in the input. */
  #onArrowKey(event: KeyboardEvent): void {
    const area = event.target as HTMLTextAreaElement;
    const { selectionStart, selectionEnd, value } = area;
    const isAtEdge =
      selectionStart === selectionEnd && (selectionStart === 0 || selectionEnd === value.length);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (!isAtEdge || !isPlain || event.isComposing || event.defaultPrevented) return;
    const { draft, chat } = this.session;
    const asked = questionsOf(chat.messages);
    const isBack = event.key === 'ArrowUp';
    const question = isBack
      ? this.#history.previous(draft.text, asked)
      : this.#history.next(draft.text, asked);
    if (question === null) return;
    event.preventDefault();
    draft.set(question);
  }
}
