/** Below an answer of the agent: how far its run is, how it ended, what it changed, and undo. */

import { t, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { openLocation } from '../elements/location-links.ts';
import { diffButton, shownDiffTemplate, unifiedDiffStyles } from '../elements/unified-diff.ts';
import type { AgentStore, Undone } from '../model/agent/agent-store.ts';
import type { RawRun } from '../model/agent/raw-run.ts';
import { MODE_NAMES, progressText, STATE_NAMES, usedText } from '../model/agent/run-texts.ts';
import { parseRun, type Run, type RunState, type ToolCall } from '../model/agent/runs.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { editStyles } from '../styles/edits.ts';
import { base } from '../styles/tokens.ts';
import { runStyles } from './styles.ts';
import { questionTag } from './tool-calls.ts';

/** Longer lists of files are folded. */
const MAX_UNFOLDED = 8;
const MAX_FILES = 200;
/** How often the time of a running step is updated; the server tells it only with other news. */
const TICK_MS = 5000;
const TONES: Readonly<Record<RunState, string>> = {
  running: 'open',
  done: 'good',
  limit: 'odd',
  repeated: 'odd',
  stopped: 'calm',
  failed: 'bad',
};

export class AcAgentRun extends LitElement {
  static override properties = {
    run: { attribute: false },
    requestId: { attribute: false },
    agent: { attribute: false },
  };
  static override styles = [base, editStyles, unifiedDiffStyles, runStyles];

  /** Null for an answer that has no run, or none that the page knows of yet. */
  declare run: RawRun | null;
  declare requestId: string;
  declare agent: AgentStore | null;
  /** Time of the last news of the run, in ms since 1970. */
  #toldAt = 0;
  #tick: ReturnType<typeof setTimeout> | undefined;
  #hadFocus = false;

  constructor() {
    super();
    this.run = null;
    this.requestId = '';
    this.agent = null;
    new StoreController(this, () => (this.agent ? [this.agent, this.agent.diffs] : []));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#tick);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('run')) this.#toldAt = Date.now();
    this.#hadFocus = Boolean(this.shadowRoot?.activeElement);
  }

  protected override updated(): void {
    // The button has gone with what it could take back.
    if (this.#hadFocus && !this.shadowRoot?.activeElement)
      this.renderRoot.querySelector<HTMLElement>('.summary')?.focus();
    clearTimeout(this.#tick);
    if (this.run && parseRun(this.run).state === 'running')
      this.#tick = setTimeout(() => this.requestUpdate(), TICK_MS);
  }

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run ? parseRun(this.run) : null;
    const waiting = this.agent?.pendingOf(this.requestId, run?.calls ?? []) ?? [];
    if (!run && !waiting.length) return nothing;
    return html`${repeat(
      waiting,
      ({ id }) => id,
      (call) => this.#waiting(call),
    )}
    ${run ? (run.state === 'running' ? this.#progress(run) : this.#summary(run)) : nothing}`;
  }

  /** A call whose card the page hasn't: it was reloaded while the call waited. */
  #waiting(call: ToolCall): TemplateResult {
    return html`<div class="waiting" data-ac="tool-card" data-tool=${call.tool} data-status=${call.status}>
      <${questionTag} .agent=${this.agent} .requestId=${this.requestId} .call=${call}></${questionTag}>
    </div>`;
  }

  #progress(run: Run): TemplateResult {
    const isWaiting = run.calls.some(({ status }) => status === 'waiting');
    const passed = isWaiting ? 0 : (Date.now() - this.#toldAt) / 1000;
    const used = { ...run.used, seconds: run.used.seconds + Math.max(0, passed) };
    return html`<p class="line muted number" aria-live="off" data-ac="run-line" data-run=${run.id}>
      ${MODE_NAMES[run.mode]}: ${progressText(used, run.limits)}</p>`;
  }

  #summary(run: Run): TemplateResult {
    const undone = this.agent?.undoneOf(run.id) ?? null;
    return html`<section class="summary" tabindex="-1" aria-label=${t('Run')} data-ac="run-summary" data-run=${run.id} data-state=${run.state}>
      <p class="number"><span class=${TONES[run.state]}><span class="state">${STATE_NAMES[run.state]}</span></span>
        <span class="muted">${MODE_NAMES[run.mode]} · ${usedText(run.used)}</span></p>
      ${run.reason ? html`<p>${escapeInvisible(run.reason)}</p>` : nothing}
      ${this.#files(run)} ${undone ? undoneTemplate(undone) : nothing}
      ${this.#actions(run)}
    </section>`;
  }

  #files({ files }: Run): TemplateResult | typeof nothing {
    if (!files.length) return nothing;
    const more = files.length - MAX_FILES;
    return html`<details ?open=${files.length <= MAX_UNFOLDED} data-ac="run-files">
      <summary>${t('Changed %1', tn('%1 file', '%1 files', files.length))}</summary>
      <ul>
        ${files.slice(0, MAX_FILES).map((path) => this.#file(path))}
        ${more > 0 ? html`<li class="muted">${t('and %1', tn('%1 more file', '%1 more files', more))}</li>` : nothing}
      </ul>
    </details>`;
  }

  #file(path: string): TemplateResult {
    const name = escapeInvisible(path);
    return html`<li><button class="file" type="button" data-path=${path} title=${t('Show what differs in %1 from the last commit', name)}
      @click=${() => openLocation(this, { path, line: 0, col: 0, isDiff: true })}><bdi>${name}</bdi></button></li>`;
  }

  #actions({ id, files, canUndo }: Run): TemplateResult | typeof nothing {
    const diffs = this.agent?.diffs;
    if (!diffs || (!files.length && !canUndo)) return nothing;
    const shown = diffs.of(id);
    return html`<div class="actions">
        ${files.length ? diffButton(shown, 'run-diff', () => diffs.toggle(id)) : nothing}
        ${canUndo ? this.#undoButton(id) : nothing}
      </div>
      ${shownDiffTemplate(shown, 'run-diff')}`;
  }

  #undoButton(id: string): TemplateResult {
    const isOff = this.agent?.undoing !== '';
    return html`<button class="button" type="button" data-ac="run-undo" data-run=${id} aria-disabled=${isOff}
        title=${t("Restore what its edits and commands changed; later changes by anybody else stay, and files that git ignores aren't restored")}
        @click=${() => isOff || void this.agent?.undo(id, 1)}>${this.agent?.undoing === id ? icons.spinner : icons.retry} ${t('Undo this run')}</button>`;
  }
}

function undoneTemplate({ restored, kept, step }: Undone): TemplateResult {
  const since = step > 1 ? t(' as before step %1', step) : '';
  return html`<div data-ac="run-undone" role="status">
    ${restored.length ? html`<p>${t('Restored%1: %2', since, restored.map(escapeInvisible).join(', '))}</p>` : html`<p>${t('No file was restored.')}</p>`}
    ${kept.length ? html`<p>${t('Left alone:')}</p>` : nothing}
    <ul>
      ${kept.map(({ path, reason }) => html`<li><bdi>${escapeInvisible(path)}</bdi>: ${escapeInvisible(reason)}</li>`)}
    </ul>
  </div>`;
}
