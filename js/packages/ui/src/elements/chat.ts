/** Element of the conversation: message list with scrolling, and the composer. */

import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html } from 'lit/static-html.js';
import { AnswerLinks } from '../controllers/answer-links.ts';
import { frameThrottle } from '../controllers/frame-throttle.ts';
import { KeepScroll } from '../controllers/keep-scroll.ts';
import { LazyDrawing } from '../controllers/lazy-drawing.ts';
import { StickToBottom } from '../controllers/stick-to-bottom.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { TypingController } from '../controllers/typing.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import { grouped } from '../model/format.ts';
import type { Message } from '../model/messages.ts';
import type { Session } from '../model/session.ts';
import { chatStyles } from '../styles/chat.ts';
import { editStyles } from '../styles/edits.ts';
import { prose } from '../styles/prose.ts';
import { base } from '../styles/tokens.ts';
import { onEditAction, performEditAction } from './edit-actions.ts';
import { tag } from './element-tags.ts';
import { openSettings } from './header.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';
import { handleLocationLinks } from './location-links.ts';
import type { AcMessage } from './message.ts';

/** The last messages are always drawn and laid out; older ones only near the viewport. */
const ALWAYS_LAID_OUT = 15;

const EXAMPLES = [
  t('What does this repository do?'),
  t('Explain the ticked files.'),
  t('Which tests are missing for the ticked files?'),
];

/** How far a code block must scroll sideways to show a place. */
function sideways(range: Range, code: Element): number {
  const place = range.getBoundingClientRect();
  const view = code.getBoundingClientRect();
  const isInView = place.left >= view.left && place.right <= view.right;
  return isInView ? 0 : (place.left + place.right - view.left - view.right) / 2;
}

export class AcChat extends LitElement {
  static override properties = { session: { attribute: false }, markdown: { attribute: false } };
  static override styles = [base, chatStyles, prose, editStyles];

  declare session: Session;
  declare markdown: MarkdownRenderer | null;
  readonly #bottom = new StickToBottom(
    () => this.requestUpdate(),
    // The beginning of an empty conversation says what it is for.
    () => this.session.chat.messages.length > 0,
  );
  readonly #drawing = new LazyDrawing(() => {
    this.#bottom.follow();
    this.dispatchEvent(new CustomEvent('ac-drawn'));
  });
  /** The messages whose elements are watched. */
  #watched: readonly Message[] = [];
  /** Set while earlier messages are being fetched: restores the scroll position. */
  #restoreScroll: (() => void) | null = null;
  /** The last question that was scrolled to. */
  #asked = '';

  constructor() {
    super();
    this.markdown = null;
    new KeepScroll(this);
    const throttle = frameThrottle(new TypingController(this));
    new StoreController(this, () => [this.session.chat, this.session.chat.grown], throttle);
    new StoreController(this, () => [this.session]);
    handleLocationLinks(this);
    new AnswerLinks(this, () => this.session.links);
    onEditAction(this, (action) => {
      performEditAction(this.session, action);
      if (action.act === 'retry') this.focusInput();
    });
    this.addEventListener('ac-more', (event) => {
      void this.session.chat.showMore((event as CustomEvent<Message>).detail);
    });
    this.addEventListener('ac-played', () => this.focusInput());
    this.addEventListener('ac-stop', () => {
      this.focusInput();
      void this.session.chat.stop();
    });
    this.addEventListener('ac-edit', (event) => {
      this.focusInput();
      void this.#branch((event as CustomEvent<Message>).detail);
    });
    this.addEventListener('ac-again', (event) => this.#again((event as CustomEvent<string>).detail));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#bottom.detach();
    this.#drawing.detach();
    this.#watched = [];
  }

  /** Scrolls to a message and draws it; null when it isn't loaded. */
  reveal(key: string): AcMessage | null {
    const found = this.#elements.find(({ message }) => message.key === key);
    if (!found) return null;
    this.#bottom.leave();
    found.draw();
    found.scrollIntoView({ block: 'center' });
    return found;
  }

  /** Key of the first message that is in view; '' for none. */
  firstInView(): string {
    const top = this.renderRoot.querySelector('.scroller')?.getBoundingClientRect().top ?? 0;
    const first = this.#elements.find((element) => element.getBoundingClientRect().bottom > top);
    return first?.message.key ?? '';
  }

  /** Scrolls a place in a drawn message to the middle of the view, also within code that scrolls by itself. */
  centre(range: Range): void {
    const scroller = this.renderRoot.querySelector('.scroller');
    const code = range.startContainer.parentElement?.closest('pre');
    if (code) code.scrollLeft += sideways(range, code);
    if (!scroller) return;
    const { top, bottom } = range.getBoundingClientRect();
    const view = scroller.getBoundingClientRect();
    scroller.scrollTop += (top + bottom) / 2 - (view.top + view.bottom) / 2;
  }

  /** The elements of the messages that are drawn. */
  get drawnMessages(): AcMessage[] {
    return this.#elements.filter(({ isDrawn }) => isDrawn);
  }

  get #elements(): AcMessage[] {
    return [...this.renderRoot.querySelectorAll<AcMessage>('[data-ac="message"]')];
  }

  focusInput(): void {
    const composer = this.renderRoot.querySelector('.composer');
    if (composer instanceof HTMLElement) composer.focus();
  }

  protected override render(): TemplateResult {
    const { messages, stream } = this.session.chat;
    const { edits } = this.session;
    const last = messages.findLast(({ role }) => role === 'assistant');
    return html`
      <${tag.composer} class="composer" .session=${this.session}></${tag.composer}>
      <div class="log">
        <div class="scroller" tabindex="0" role="log" aria-live=${this.#restoreScroll ? 'off' : 'polite'} aria-label=${t('Conversation')}>
          ${messages.length === 0 ? this.#welcome() : nothing}
          ${this.#earlier()}
          ${repeat(
            messages,
            (message) => message.key,
            (message, index) => html`<${tag.message}
              .message=${message}
              .session=${this.session}
              .imageCache=${this.session.images}
              .markdown=${this.markdown}
              .canEnterKey=${this.session.settings.offers('keys')}
              .stream=${message.requestId === stream?.requestId ? stream : null}
              .canUndo=${edits.isUndoOffered}
              .standings=${edits.standingsOf(message.requestId)}
              .staged=${edits.staged}
              .question=${message.requestId === edits.question?.requestId ? edits.question : null}
              .canRetry=${message === last && !stream}
              .canBranch=${this.session.questions.canBranch}
              .isBusy=${edits.isBusy}
              .agent=${this.session.agent}
              .canWait=${index < messages.length - ALWAYS_LAID_OUT}
              ?data-far=${index < messages.length - ALWAYS_LAID_OUT}
            ></${tag.message}>`,
          )}
          ${this.session.rpc.offers('LLMService.get_example') ? html`<${tag.example} .session=${this.session}></${tag.example}>` : nothing}
          <${tag.otherEnd} .session=${this.session}></${tag.otherEnd}>
          ${messages.length === 0 ? nothing : this.#modelNotice()}
        </div>
        <${tag.conversationTools} .session=${this.session} .log=${this}></${tag.conversationTools}>
        ${this.#bottom.isStuck ? nothing : this.#bottomButton()}
      </div>
      ${messages.length === 0 ? this.#modelNotice() : nothing}
    `;
  }

  protected override updated(): void {
    // Attach again after the notebook has removed and re-inserted the output.
    const scroller = this.renderRoot.querySelector('.scroller') as HTMLElement;
    this.#bottom.attach(scroller);
    this.#watchMessages(scroller);
    // The messages render right after this element.
    const stay = this.#restoreScroll;
    this.#followQuestion();
    if (stay && !this.session.chat.isLoadingEarlier)
      void Promise.resolve().then(() => this.#afterEarlier(stay));
    void Promise.resolve().then(() => this.#bottom.follow());
  }

  /** The elements render right after this one. */
  #watchMessages(scroller: HTMLElement): void {
    const { messages } = this.session.chat;
    if (messages === this.#watched) return;
    this.#watched = messages;
    void Promise.resolve().then(() => this.#drawing.watch(scroller, this.#elements));
  }

  /** Scrolls to a new question of this page, wherever the view is. */
  #followQuestion(): void {
    const { asked } = this.session.chat;
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (asked) this.#bottom.scrollToBottom();
  }

  #earlier(): TemplateResult | typeof nothing {
    const { earlier, isLoadingEarlier } = this.session.chat;
    if (!earlier) return nothing;
    return html`<div class="earlier">
      <button class="button" type="button" data-ac="earlier" aria-disabled=${isLoadingEarlier}
        @click=${() => isLoadingEarlier || this.#showEarlier()}>
        ${isLoadingEarlier ? icons.spinner : nothing} ${t('Show earlier messages')}
      </button>
      <span class="muted number">${t('%1 before these', grouped(earlier))}</span>
    </div>`;
  }

  #showEarlier(): void {
    this.#restoreScroll = this.#bottom.anchor(this.renderRoot.querySelector('[data-ac="message"]'));
    void this.session.chat.showEarlier();
  }

  /** After earlier messages were rendered: restores the scroll position, and keeps the focus in the log. */
  #afterEarlier(stay: () => void): void {
    this.#restoreScroll = null;
    stay();
    if (!this.session.chat.earlier) this.renderRoot.querySelector<HTMLElement>('.scroller')?.focus();
    this.requestUpdate();
  }

  #welcome(): TemplateResult {
    const { repoName, model } = this.session;
    const sent = model.isDemo
      ? t('The demo model runs on this machine: nothing is sent anywhere.')
      : t(
          'They are sent with your question, the conversation and a map of the repository: names and signatures, no bodies.',
        );
    return html`<div class="welcome">
      <h3>${repoName ? t('Ask about %1', repoName) : t('Ask about this repository')}</h3>
      <p class="muted">${t('Tick the files that the model should read in full, then ask. %1', sent)}</p>
      <div class="ideas">
        ${EXAMPLES.map((idea) => html`<button class="button" type="button" @click=${() => this.#take(idea)}>${idea}</button>`)}
      </div>
    </div>`;
  }

  #bottomButton(): TemplateResult {
    return html`<button class="to-end button" type="button" @click=${() => this.#bottom.scrollToBottom()}>
      ${icons.arrowDown} ${t('To the end')}
    </button>`;
  }

  #modelNotice(): TemplateResult | typeof nothing {
    const { model } = this.session;
    if (model.isAvailable || !model.message) return nothing;
    return html`<div class="model-notice" role="status">${icons.warning}<div>
      <p>${inlineCode(model.message)}</p>
      ${
        this.session.settings.offers('models')
          ? html`<button class="button" type="button" @click=${() => openSettings(this, 'models')}>${t('Choose a model')}</button>`
          : nothing
      }
    </div></div>`;
  }

  /** Puts a question back into the input, in a branched conversation. */
  async #branch(question: Message): Promise<void> {
    await this.session.questions.branch(question);
    this.#bottom.scrollToBottom();
  }

  #take(question: string): void {
    this.focusInput();
    const { draft } = this.session;
    if (!draft.text.includes(question)) draft.prepend(question);
  }

  #again(requestId: string): void {
    const isQuestion = (message: Message) => message.role === 'user' && message.requestId === requestId;
    const question = this.session.chat.messages.find(isQuestion);
    if (!question) return;
    this.focusInput();
    void this.session.questions.reuse(question.content, question.images);
  }
}
