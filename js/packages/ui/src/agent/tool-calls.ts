/** The tool calls of one step of a run: a card for each, which unfolds to its arguments and result. */

import { tagOf } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html, unsafeStatic } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { AgentStore } from '../model/agent/agent-store.ts';
import type { RawRun } from '../model/agent/raw-run.ts';
import { callDuration, STATUS_NAMES } from '../model/agent/run-texts.ts';
import { type CallStatus, parseRun, type Run, type ToolCall } from '../model/agent/runs.ts';
import { shownArguments, shownOutput } from '../model/agent/shown-output.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { grouped, tokens } from '../model/format.ts';
import { base } from '../styles/tokens.ts';
import { cardStyles, outputStyles } from './styles.ts';

export const questionTag = unsafeStatic(tagOf('ac-tool-question'));

const TONES: Readonly<Record<CallStatus, readonly [string, TemplateResult | typeof nothing]>> = {
  waiting: ['odd', icons.info],
  running: ['open', icons.spinner],
  done: ['good', icons.check],
  failed: ['bad', icons.warning],
  refused: ['calm', icons.close],
  cancelled: ['calm', icons.stop],
};

export class AcToolCalls extends LitElement {
  static override properties = {
    run: { attribute: false },
    step: { attribute: false },
    agent: { attribute: false },
    unfolded: { state: true },
    backtracking: { state: true },
  };
  static override styles = [base, outputStyles, cardStyles];

  declare run: RawRun | null;
  /** From 1. */
  declare step: number;
  declare agent: AgentStore | null;
  /** Ids of the calls whose arguments and results are shown. */
  declare unfolded: ReadonlySet<string>;
  /** The user is asked whether to go back to before this step. */
  declare backtracking: boolean;
  /** The call that has the focus before an update; '' for none. */
  #focusedCall = '';

  constructor() {
    super();
    this.run = null;
    this.agent = null;
    this.unfolded = new Set();
    this.backtracking = false;
    new StoreController(this, () => (this.agent ? [this.agent] : []));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Screen readers announce only questions.
    this.setAttribute('aria-live', 'off');
  }

  protected override willUpdate(): void {
    const card = this.shadowRoot?.activeElement?.closest<HTMLElement>('.card');
    this.#focusedCall = card?.dataset.call ?? '';
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.run) return nothing;
    const run = parseRun(this.run);
    const calls = run.calls.filter(({ step }) => step === this.step);
    const canGoBack = run.canUndo && run.state !== 'running' && run.changedSteps.has(this.step);
    const back = canGoBack ? calls[0]?.id : '';
    return html`${repeat(
      calls,
      ({ id }) => id,
      (call) => this.#card(run, call, call.id === back),
    )}`;
  }

  /** A question that was answered has gone, and the focus with it: its card keeps it. */
  protected override updated(): void {
    if (!this.#focusedCall || this.shadowRoot?.activeElement) return;
    const cards = [...this.renderRoot.querySelectorAll<HTMLElement>('.card')];
    const card = cards.find(({ dataset }) => dataset.call === this.#focusedCall);
    card?.querySelector<HTMLElement>('.head')?.focus();
  }

  #card(run: Run, call: ToolCall, hasBack: boolean): TemplateResult {
    const [tone, icon] = TONES[call.status];
    const isOpen = this.unfolded.has(call.id);
    const title = escapeInvisible(call.title);
    const status = STATUS_NAMES[call.status];
    return html`<section class="card ${tone}" role="group" data-ac="tool-card" data-call=${call.id} data-tool=${call.tool} data-status=${call.status}
      aria-label=${`${call.tool} ${title}: ${status}`}>
      <div class="top">
        <button class="head" type="button" aria-expanded=${isOpen} @click=${() => this.#unfold(call.id, !isOpen)}>
          ${isOpen ? icons.chevronDown : icons.chevronRight}
          <span class="tool">${escapeInvisible(call.tool)}</span>
          <span class="title" title=${title}><bdi>${title}</bdi></span>
          <span class="facts number">${facts(call)}</span>
          <span class="badge">${icon} ${status}</span>
        </button>
        ${hasBack ? this.#backButton() : nothing}
      </div>
      ${call.reason && !isOpen ? html`<p class="reason muted">${escapeInvisible(call.reason)}</p>` : nothing}
      ${hasBack && this.backtracking ? this.#backQuestion(run) : nothing}
      ${isOpen ? body(call) : nothing}
      ${
        call.status === 'waiting' && call.question
          ? html`<${questionTag} .agent=${this.agent} .requestId=${run.requestId} .call=${call}></${questionTag}>`
          : nothing
      }
    </section>`;
  }

  #unfold(id: string, isOpen: boolean): void {
    const others = [...this.unfolded].filter((other) => other !== id);
    this.unfolded = new Set(isOpen ? [...others, id] : others);
  }

  #backButton(): TemplateResult {
    return html`<button class="icon-button" type="button" data-ac="run-back" data-step=${this.step} aria-expanded=${this.backtracking}
      title=${t('Back to this step …')} aria-label=${t('Back to before step %1 …', this.step)}
      @click=${() => {
        this.backtracking = !this.backtracking;
      }}>${icons.history}</button>`;
  }

  #backQuestion({ id }: Run): TemplateResult {
    const isOff = this.agent?.undoing !== '';
    return html`<div class="back" role="group" aria-label=${t('Back to this step')}>
      <p>${t('What this step and the later ones changed is taken back; files that were changed since by anybody else stay as they are.')}</p>
      <div class="actions">
        <button class="button" type="button" data-ac="run-back-confirm" aria-disabled=${isOff} @click=${() => isOff || this.#goBack(id)}>
          ${t('Back to before step %1', this.step)}</button>
        <button class="button" type="button" data-ac="run-back-cancel" @click=${() => {
          this.backtracking = false;
        }}>${t('Cancel')}</button>
      </div>
    </div>`;
  }

  #goBack(runId: string): void {
    this.backtracking = false;
    void this.agent?.undo(runId, this.step);
  }
}

function facts({ duration_ms, tokens: count }: ToolCall): string {
  const time = duration_ms === null ? [] : [callDuration(duration_ms)];
  return [...time, ...(count ? [t('%1 tokens', tokens(count))] : [])].join(' · ');
}

function body({ arguments: written, result, leftOut, reason }: ToolCall): TemplateResult {
  return html`<div class="body">
    <h3>${t('Arguments')}</h3>
    <pre tabindex="0" aria-label=${t('Arguments')}>${shownArguments(written)}</pre>
    ${result ? html`<h3>${t('Result')}</h3><pre tabindex="0" aria-label=${t('Result')}>${shownOutput(result)}</pre>` : nothing}
    ${leftOut ? html`<p class="muted number">${t('%1 more characters are not shown.', grouped(leftOut))}</p>` : nothing}
    ${reason && !result ? html`<p class="muted">${escapeInvisible(reason)}</p>` : nothing}
  </div>`;
}
