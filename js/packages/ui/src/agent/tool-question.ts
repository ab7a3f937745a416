/** The question before a tool call runs: the exact command, cell, path or address, and the user's decision. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { focused } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { isActing } from '../model/agent/acting-tools.ts';
import type { AgentStore } from '../model/agent/agent-store.ts';
import type { Scope, ToolCall, ToolQuestion } from '../model/agent/runs.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { grouped } from '../model/format.ts';
import { base } from '../styles/tokens.ts';
import { outputStyles, questionStyles } from './styles.ts';

/** Of a text with more lines a part is out of sight. */
const MANY_LINES = 12;
/** After it has taken the focus by itself, keys do nothing for this long: they may be meant for the input. */
const KEY_GRACE_MS = 600;

export class AcToolQuestion extends LitElement {
  static override properties = {
    agent: { attribute: false },
    requestId: { attribute: false },
    call: { attribute: false },
    asksReason: { attribute: false },
  };
  static override styles = [base, outputStyles, questionStyles];

  declare agent: AgentStore | null;
  declare requestId: string;
  declare call: ToolCall;
  /** Of a refusal a model is told the reason. */
  declare asksReason: boolean;
  /** Time from which on keys decide, by `performance.now()`. */
  #keysFrom_ms = 0;

  constructor() {
    super();
    this.agent = null;
    this.asksReason = true;
    new StoreController(this, () => (this.agent ? [this.agent] : []));
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { question, tool } = this.call;
    if (!question) return nothing;
    const count = question.text.split('\n').length;
    const words = questionWords(tool, question);
    return html`<div class="ask" role="group" tabindex="0" aria-label=${words} data-ac="tool-question"
      aria-keyshortcuts=${question.wantsText ? nothing : 'a s n'}>
      <div role="alert">
        <p class="what"><span>${words}</span> ${this.#sandbox(question)}</p>
        ${question.wantsText ? html`<p class="lines" data-ac="tool-text">${lines(question.text)}</p>` : html`<pre tabindex="0" role="group" aria-label=${t('What exactly')} data-ac="tool-text">${lines(question.text)}</pre>`}
        ${count > MANY_LINES && !question.wantsText ? html`<p class="muted number" data-ac="tool-lines">${t('%1 lines: scroll to see all.', grouped(count))}</p>` : nothing}
        ${question.why ? html`<p class="muted">${escapeInvisible(question.why)}</p>` : nothing}
        ${question.warning ? html`<p class="warning">${icons.warning} <span>${escapeInvisible(question.warning)}</span></p>` : nothing}
      </div>
      ${question.wantsText ? this.#answer() : this.#decision(question)}
    </div>`;
  }

  protected override firstUpdated(): void {
    if (!mayTakeFocus(this)) return;
    this.#keysFrom_ms = performance.now() + KEY_GRACE_MS;
    const part = this.call.question?.wantsText ? 'textarea' : '.ask';
    this.renderRoot.querySelector<HTMLElement>(part)?.focus();
  }

  get #isOff(): boolean {
    return !this.agent || this.agent.isDecided(this.requestId, this.call.id);
  }

  get #words(): string {
    const field = this.renderRoot.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
    return field?.value.trim() ?? '';
  }

  #sandbox({ isSandboxed, origin, wantsText }: ToolQuestion): TemplateResult | typeof nothing {
    if (isSandboxed && !wantsText) return html`<span class="muted">${t('in the sandbox')}</span>`;
    if (origin || wantsText || !isActing(this.call.tool)) return nothing;
    return html`<span class="odd muted">${t('not sandboxed')}</span>`;
  }

  #decision({ scopes, prefix, origin }: ToolQuestion): TemplateResult {
    const session = origin ? t('%1 for this session', escapeInvisible(origin)) : t('For this session');
    return html`<div class="actions">
        ${this.#allow('once', t('Allow once'), 'a')}
        ${scopes.has('session') ? this.#allow('session', session, 's') : nothing}
        ${scopes.has('prefix') && prefix.length ? this.#allow('prefix', t('Always: %1 …', prefix.map(escapeInvisible).join(' ')), '') : nothing}
      </div>
      <div class="actions">
        <button class="button" type="button" data-ac="tool-refuse" aria-keyshortcuts="n" aria-disabled=${this.#isOff}
          @click=${this.#refuse}>${t('No')} <kbd aria-hidden="true">n</kbd></button>
        ${this.asksReason ? this.#reason() : nothing}
      </div>`;
  }

  #reason(): TemplateResult {
    return html`<input type="text" maxlength="500" aria-label=${t('Why not: the model is told')} placeholder=${t('Why not? (optional)')}
      data-ac="tool-reason" @keydown=${this.#reasonKey}>`;
  }

  #allow(scope: Scope, words: string, key: string): TemplateResult {
    return html`<button class="button ${scope === 'once' ? 'primary' : ''}" type="button" data-ac="tool-approve" data-scope=${scope}
      aria-keyshortcuts=${key || nothing} aria-disabled=${this.#isOff} @click=${() => this.#decide(true, scope)}>
      ${words} ${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}</button>`;
  }

  #answer(): TemplateResult {
    return html`<textarea rows="2" maxlength="20000" aria-label=${t('Your answer')} data-ac="tool-answer" @input=${() => this.requestUpdate()}
        @keydown=${this.#answerKey}></textarea>
      <div class="actions">
        <button class="button primary" type="button" data-ac="tool-approve" data-scope="once" aria-disabled=${this.#isOff || !this.#words}
          @click=${this.#send}>${t('Answer')}</button>
        <button class="button" type="button" data-ac="tool-refuse" aria-disabled=${this.#isOff} @click=${this.#refuseAnswer}>${t('No answer')}</button>
      </div>`;
  }

  /** Keys decide while the focus is on the question or its buttons, not in a text field. */
  #key(event: KeyboardEvent): void {
    const { question } = this.call;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.repeat;
    const isField = event.composedPath()[0] instanceof HTMLInputElement;
    if (!question || question.wantsText || !isPlain || isField || event.isComposing) return;
    if (!['a', 's', 'n'].includes(event.key)) return;
    event.preventDefault();
    if (performance.now() < this.#keysFrom_ms) return;
    if (event.key === 'n') this.#refuse();
    else if (event.key === 'a') this.#decide(true, 'once');
    else if (question.scopes.has('session')) this.#decide(true, 'session');
  }

  readonly #reasonKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    this.#refuse();
  };

  readonly #answerKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send();
  };

  readonly #send = (): void => {
    const words = this.#words;
    if (words) this.#decide(true, 'once', words);
  };

  readonly #refuse = (): void => this.#decide(false, 'once', this.#words);

  /** Text in the field is an answer that isn't given, no reason. */
  readonly #refuseAnswer = (): void => this.#decide(false, 'once');

  #decide(isAllowed: boolean, scope: Scope, text = ''): void {
    if (!this.#isOff) void this.agent?.decide(this.requestId, this.call.id, { isAllowed, scope, text });
  }
}

function questionWords(tool: string, { wantsText }: ToolQuestion): string {
  if (wantsText) return t('A question for you');
  return tool === 'edit' ? t('Make this edit?') : t('Let %1 do this?', tool || t('the agent'));
}

function lines(text: string): string {
  return text.split('\n').map(escapeInvisible).join('\n');
}

/** Whether the user isn't typing or deciding: the focus is nowhere, or in the panel and not in a field with text. */
function mayTakeFocus(element: HTMLElement): boolean {
  const here = focused();
  if (!here || here === document.body) return document.hasFocus();
  const root = here.getRootNode();
  if (root instanceof ShadowRoot && root.host instanceof AcToolQuestion) return false;
  const isPanel = outermostHost(here) === outermostHost(element);
  const isField = here.matches('input, textarea, select, [contenteditable]');
  return isPanel && (!isField || (here instanceof HTMLTextAreaElement && here.value === ''));
}

function outermostHost(element: Element): Element {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? outermostHost(root.host) : element;
}
