/** Element of a message. Renders without a shadow root, so that the parent's scripts and styles apply. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { html as staticHtml } from 'lit/static-html.js';
import { copyText } from '../controllers/clipboard.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import type { AgentStore } from '../model/agent/agent-store.ts';
import { NO_STANDINGS, type Standings } from '../model/edit-summary.ts';
import type { UndoQuestion } from '../model/edits-store.ts';
import { dollars, grouped, tokens } from '../model/format.ts';
import type { ImageCache } from '../model/images.ts';
import { type Image, type Message, RECORDED } from '../model/messages.ts';
import type { Session } from '../model/session.ts';
import { type Pause, pauseLabel, type Stream } from '../model/stream.ts';
import { AnswerView } from './answer-view.ts';
import { summaryTemplate } from './edit-summary.ts';
import { tag } from './element-tags.ts';
import { openSettings } from './header.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

const NEXT_FOCUS = [
  '[data-ac="undo-keep"]',
  '[data-ac="edit-accept"]:not([data-protected])',
  '[data-ac="edit-summary"]',
];
const COPIED_MS = 1500;
const NO_MODEL = t('Recorded answer: written by us, not by a model; nothing was sent, nothing was paid');
const LABELS = { user: t('Your question'), assistant: t('Answer'), system: t('Event') } as const;

/** Of a line, for messages that are not drawn yet. */
const LINE_PX = 20;
const LINE_CHARS = 90;
const AROUND_PX = 60;
const MOST_PX = 6000;

/** About how high a message is when it is drawn. */
function expectedPx({ content, images }: Message): number {
  const lines = content.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE_CHARS), 0);
  return Math.min(MOST_PX, AROUND_PX + LINE_PX * lines + (images.length ? 180 : 0));
}

export class AcMessage extends LitElement {
  static override properties = {
    message: { attribute: false },
    session: { attribute: false },
    imageCache: { attribute: false },
    markdown: { attribute: false },
    stream: { attribute: false },
    canEnterKey: { attribute: false },
    canUndo: { attribute: false },
    standings: { attribute: false },
    staged: { attribute: false },
    question: { attribute: false },
    canRetry: { attribute: false },
    canBranch: { attribute: false },
    isBusy: { attribute: false },
    canWait: { attribute: false },
    agent: { attribute: false },
  };

  declare message: Message;
  declare session: Session;
  declare imageCache: ImageCache;
  /** null until it is loaded. */
  declare markdown: MarkdownRenderer | null;
  /** Set while this message is the answer being streamed. */
  declare stream: Stream | null;
  /** The server accepts API keys from this page. */
  declare canEnterKey: boolean;
  /** Its edits can be undone. */
  declare canUndo: boolean;
  declare standings: Standings;
  /** Files that were not staged with their edits, but are staged by now. */
  declare staged: ReadonlySet<string>;
  /** The question before an undo of its edits; null for none. */
  declare question: UndoQuestion | null;
  /** Its failed edits can be requested again. */
  declare canRetry: boolean;
  /** A question can be edited and asked in a branched conversation. */
  declare canBranch: boolean;
  /** A decision on edits is being sent. */
  declare isBusy: boolean;
  /** It needn't be drawn before it comes near the view. */
  declare canWait: boolean;
  /** Runs of the agent; null until they are loaded. */
  declare agent: AgentStore | null;
  #view: AnswerView | null = null;
  #hasFocus = false;
  #isDrawn = false;
  /** Its answer has come in while it was shown: a failure is then news. */
  #wasStreamed = false;
  #tick: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.markdown = null;
    this.stream = null;
    this.canEnterKey = false;
    this.canUndo = false;
    this.standings = NO_STANDINGS;
    this.staged = new Set();
    this.question = null;
    this.canRetry = false;
    this.canBranch = false;
    this.isBusy = false;
    this.canWait = false;
    this.agent = null;
    this.addEventListener('click', (event) => void this.#clicked(event));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    this.dataset.ac = 'message';
    this.dataset.role = this.message.role;
    this.dataset.state = this.message.state;
    this.dataset.context = this.message.context;
    this.className = `message ${this.message.role}`;
    this.setAttribute('role', 'article');
    const notSent = this.message.context === 'excluded' ? t(' (not sent)') : '';
    this.setAttribute('aria-label', `${LABELS[this.message.role]}${notSent}`);
    // The log is live: without this, screen readers would read each piece of a streamed answer.
    this.setAttribute('aria-live', 'off');
    this.#wasStreamed ||= this.message.state === 'streaming';
    this.setAttribute('aria-busy', String(this.message.state === 'streaming'));
    this.#hasFocus = this.#isFocused;
    this.#isDrawn ||= !this.canWait;
    const height = this.#isDrawn ? '' : `${expectedPx(this.message)}px`;
    if (this.style.minHeight !== height) this.style.minHeight = height;
  }

  /** Its content is in the page; until then it only takes about its place. */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  /** Puts the content into the page now. */
  draw(): void {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    this.requestUpdate();
    if (this.isConnected) this.performUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.#isDrawn) return nothing;
    return html`
      ${this.message.model === RECORDED ? html`<p class="recorded" data-ac="recorded" title=${NO_MODEL}>${t('Recorded answer')}</p>` : nothing}
      ${this.#reasoning()}
      <div class="answer"></div>
      ${this.#rest()}
      ${this.#images()} ${this.#run()}
      ${this.message.state === 'streaming' ? this.#progress() : nothing}
      ${summaryTemplate(this, this.message, this)} ${this.#failure()} ${this.#notes()} ${this.#edit()}
    `;
  }

  protected override updated(_changed: PropertyValues): void {
    if (!this.#isDrawn) return;
    const { message } = this;
    const answer = this.querySelector('.answer') as HTMLElement;
    const { markdown } = this;
    if (this.#view?.markdown !== markdown) {
      answer.replaceChildren();
      this.#view = new AnswerView(answer, message.role === 'user', markdown);
    }
    this.#view.show(message, this);
    if (message.role === 'assistant' && message.state !== 'streaming') markdown?.completeAnswer(answer);
    if (this.#hasFocus && !this.#isFocused) this.#moveFocus();
    this.#scheduleCountdown();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#tick);
  }

  /** Schedules a render for each second of the countdown. */
  #scheduleCountdown(): void {
    clearTimeout(this.#tick);
    const left_ms = (this.stream?.pause?.until ?? 0) - Date.now();
    if (left_ms > 0) this.#tick = setTimeout(() => this.requestUpdate(), ((left_ms - 1) % 1000) + 1);
  }

  /** Button for the rest of a very long text. */
  #rest(): TemplateResult | typeof nothing {
    const { content } = this.message.rest;
    if (!content) return nothing;
    return html`<p class="rest muted">
      <span class="number">${t('%1 more characters.', grouped(content))}</span>
      <button class="button" data-more type="button">${t('Show more')}</button>
    </p>`;
  }

  get #isFocused(): boolean {
    return this.contains((this.getRootNode() as Document | ShadowRoot).activeElement);
  }

  /**
   * Moves the focus when the pressed button has disappeared: to the next decision, but never to a button that
   * lets a program run.
   */
  #moveFocus(): void {
    const [next] = NEXT_FOCUS.flatMap((wanted) => this.querySelector<HTMLElement>(wanted) ?? []);
    next?.focus();
  }

  #images(): TemplateResult | typeof nothing {
    const { images } = this.message;
    if (!images.length) return nothing;
    return html`<div class="images">${images.map((image) => this.#image(image))}</div>`;
  }

  #image(image: Image): TemplateResult | typeof nothing {
    const uri = this.imageCache.peek(image);
    if (uri === null) void this.#fetch(image);
    else if (uri) return html`<img src=${uri} alt=${t('Image of the question')}>`;
    return uri === null ? nothing : html`<span class="muted">${t('Image no longer available')}</span>`;
  }

  async #fetch(image: Image): Promise<void> {
    await this.imageCache.uri(image);
    if (this.imageCache.peek(image) !== null) this.requestUpdate();
  }

  #reasoning(): TemplateResult | typeof nothing {
    const { reasoning, content, rest } = this.message;
    if (!reasoning) return nothing;
    return html`<details class="reasoning muted" ?open=${this.message.state === 'streaming' && !content}>
      <summary>${t('Reasoning')}</summary>
      <div>${reasoning}${rest.reasoning ? t(' … (%1 more characters)', grouped(rest.reasoning)) : nothing}</div>
    </details>`;
  }

  #run(): TemplateResult | typeof nothing {
    const { run, state, requestId } = this.message;
    if (!run && state !== 'streaming') return nothing;
    return staticHtml`<${tag.agentRun} .run=${run} .requestId=${requestId} .agent=${this.agent}></${tag.agentRun}>`;
  }

  #progress(): TemplateResult {
    const { stream } = this;
    if (stream?.pause) return this.#pause(stream.pause);
    const words = {
      sending: t('Sending …'),
      waiting: t('Waiting for the model …'),
      reading: t('Reading the prompt …'),
      thinking: t('Thinking …'),
      answering: '',
      stopping: t('Stopping …'),
    }[stream?.phase ?? 'waiting'];
    const percent = stream?.percent ?? null;
    if (!words) return html`<span class="caret" aria-hidden="true"></span>`;
    return html`<div class="progress muted" role="status">
      ${icons.spinner} <span>${stream?.note || words}</span>
      ${percent === null ? nothing : html`<span class="track"><span style="width:${percent}%"></span></span>`}
    </div>`;
  }

  /** The countdown is hidden from screen readers, which announce the reason once. */
  #pause(pause: Pause): TemplateResult {
    return html`<div class="progress pause muted">
      ${icons.spinner}
      <span><span role="status">${inlineCode(pause.reason)}</span> <span class="number" aria-hidden="true">${pauseLabel(pause, Date.now())}</span></span>
      <button class="button" data-stop type="button">${t('Stop instead')}</button>
    </div>`;
  }

  #failure(): TemplateResult | typeof nothing {
    const { failure, state } = this.message;
    if (state === 'cancelled') return html`<div class="mark muted">${icons.stop} ${t('Stopped')}</div>`;
    if (state !== 'error') return nothing;
    const seconds = failure?.retryAfter ? t('in %1 s', Math.ceil(failure.retryAfter)) : '';
    // Our server's message already contains it.
    const wait = seconds && !failure?.message.includes(seconds) ? t(' Try again %1.', seconds) : '';
    return html`<div class="failure" role=${this.#wasStreamed ? 'alert' : nothing}>
      ${icons.warning}
      <div>
        <p>${inlineCode(failure?.message ?? t('The answer failed.'))}${wait}</p>
        <div class="actions">
        <button class="button" data-again type="button">${icons.retry} ${t('Ask again')}</button>
        ${failure?.type === 'provider_auth' && this.canEnterKey ? html`<button class="button" data-keys type="button">${t('Enter a key')}</button>` : nothing}
        </div>
      </div>
    </div>`;
  }

  #notes(): TemplateResult | typeof nothing {
    const { notices, state, role } = this.message;
    if (role !== 'assistant' || state === 'streaming') return nothing;
    return html`
      ${notices.map((notice) => html`<p class="notice muted">${icons.info} <span>${inlineCode(notice)}</span></p>`)}
      <div class="foot muted number">
        ${this.message.content ? html`<button class="copy" data-copy-all type="button">${t('Copy')}</button>` : nothing}
        ${this.#actions()}
        <span class="usage">${this.#usage()}</span>
      </div>
    `;
  }

  /** What can be done with the question and this answer. */
  #actions(): TemplateResult {
    return staticHtml`<${tag.turnActions} .session=${this.session} .message=${this.message}></${tag.turnActions}>`;
  }

  /** Edit button of a question; not while its answer is running. */
  #edit(): TemplateResult | typeof nothing {
    const { role, requestId } = this.message;
    if (role !== 'user' || !requestId || !this.canBranch || this.stream) return nothing;
    return staticHtml`<${tag.versions} .session=${this.session} .requestId=${requestId}></${tag.versions}>
      <button class="icon-button edit-question" data-edit data-ac="question-edit" type="button"
      title=${t('Edit and ask again: in a new conversation from here on; this one stays in the list')}
      aria-label=${t('Edit and ask again')}>${icons.edit}</button>`;
  }

  #usage(): string {
    const { usage, model } = this.message;
    if (model === RECORDED) return NO_MODEL;
    if (!usage) return model;
    const cached = usage.cacheRead ? t(' (%1 from cache)', tokens(usage.cacheRead)) : '';
    const cost = usage.cost === null ? [] : [dollars(usage.cost)];
    return [
      ...(model ? [model] : []),
      usage.isGuess
        ? t('about %1 in%2', tokens(usage.input), cached)
        : t('%1 in%2', tokens(usage.input), cached),
      t('%1 out', tokens(usage.output)),
      ...cost,
    ].join(' · ');
  }

  async #clicked(event: Event): Promise<void> {
    const button = (event.target as Element | null)?.closest('button');
    if (!button) return;
    if ('again' in button.dataset) {
      const detail = this.message.requestId;
      this.dispatchEvent(new CustomEvent('ac-again', { detail, bubbles: true, composed: true }));
    }
    if ('stop' in button.dataset) {
      this.dispatchEvent(new CustomEvent('ac-stop', { bubbles: true, composed: true }));
    }
    if ('edit' in button.dataset) {
      const detail = this.message;
      this.dispatchEvent(new CustomEvent('ac-edit', { detail, bubbles: true, composed: true }));
    }
    if ('more' in button.dataset) {
      const detail = this.message;
      this.dispatchEvent(new CustomEvent('ac-more', { detail, bubbles: true, composed: true }));
    }
    if ('keys' in button.dataset) openSettings(this, 'keys');
    if (!button.classList.contains('copy')) return;
    const code = button.closest('.code')?.querySelector('code')?.textContent;
    const isCopied = await copyText('copyAll' in button.dataset ? this.message.content : (code ?? ''));
    button.textContent = isCopied ? t('Copied') : t('Not allowed');
    setTimeout(() => {
      button.textContent = t('Copy');
    }, COPIED_MS);
  }
}
