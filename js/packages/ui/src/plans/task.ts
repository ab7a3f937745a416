/** The details of a task: what it does, how it went, its tool calls, and what the user may do with it. */

import { t, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, html as plainHtml, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { LostFocusController } from '../controllers/lost-focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { diffButton, shownDiffTemplate } from '../elements/unified-diff.ts';
import type { RawRun } from '../model/agent/raw-run.ts';
import { shownOutput } from '../model/agent/shown-output.ts';
import { shownLine, shownLines } from '../model/browser/shown-text.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { isEditable, isRepeatable, isSkippable, isStoppable } from '../model/plans/plan-actions.ts';
import type { PlansStore } from '../model/plans/plan-store.ts';
import { hasConflict, taskWords, typeName, usedText } from '../model/plans/plan-texts.ts';
import type { Conflict, Output, Plan, Task, TaskState } from '../model/plans/plans.ts';
import type { Session } from '../model/session.ts';
import { fields, list, number, text } from '../model/wire.ts';
import { base } from '../styles/tokens.ts';
import { partTag } from './part-tags.ts';
import { planStores } from './sessions.ts';
import { taskIcon } from './state-icons.ts';
import { taskStyles } from './styles.ts';

const MAX_NOTE = 10_000;
const MAX_FILES = 200;
/** While a task is in one of these, how far its run is counts; afterwards what came out of it does. */
const ACTIVE: ReadonlySet<TaskState> = new Set<TaskState>(['running', 'validating']);

export class AcPlanTask extends LitElement {
  static override properties = {
    session: { attribute: false },
    plan: { attribute: false },
    task: { attribute: false },
    isEditing: { state: true },
    note: { state: true },
  };
  static override styles = [base, taskStyles];

  declare session: Session;
  declare plan: Plan;
  declare task: Task;
  declare isEditing: boolean;
  /** What the task is told when it tries again. */
  declare note: string;

  constructor() {
    super();
    this.isEditing = false;
    this.note = '';
    new LostFocusController(this, () => this.renderRoot.querySelector<HTMLElement>('h3')?.focus());
    new StoreController(this, () => {
      const { plans, diffs } = planStores(this.session);
      const { agent } = this.session;
      return [plans, diffs, ...(agent ? [agent, agent.tasks] : [])];
    });
  }

  get store(): PlansStore {
    return planStores(this.session).plans;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('task') as Task | undefined;
    const isOther = before && before.id !== this.task.id;
    if (isOther) this.note = '';
    if (isOther || !isEditable(this.plan)) this.isEditing = false;
  }

  protected override render(): TemplateResult {
    const { task, plan, store } = this;
    const [words, tone] = taskWords(task);
    const title = html`<h3 tabindex="-1"><bdi>${shownLine(task.id)}</bdi> <span class="state ${tone}">${taskIcon(task.state)} ${words}</span></h3>`;
    if (this.isEditing)
      return html`${title}<${partTag.form} .store=${store} .plan=${plan} .task=${task} @ac-close=${() => this.#edited()}></${partTag.form}>`;
    return html`<div class="details" data-ac="plan-task-details" data-id=${task.id} data-status=${task.state}>
      ${title}
      ${task.reason ? html`<p class="wrap ${tone} reason">${escapeInvisible(task.reason)}</p>` : nothing}
      <p class="words">${shownLines(task.description)}</p>
      ${this.#facts()} ${this.#actions()} ${this.#conflicts()} ${this.#run()} ${task.output ? outputTemplate(task.output) : nothing}
      ${shownDiffTemplate(planStores(this.session).diffs.of(plan.id, task.id), 'plan-diff')}
    </div>`;
  }

  #facts(): TemplateResult {
    const { task, store } = this;
    const { output } = task;
    const used = output ? usedText([output]) : '';
    return plainHtml`<p class="facts muted number">${[
      typeName(task.type),
      t('priority %1', task.priority),
      ...(task.attempts ? [tn('%1 attempt', '%1 attempts', task.attempts)] : []),
      ...(used ? [used] : []),
      ...(output?.model ? [shownLine(output.model, 60)] : []),
    ].join(' · ')}</p>
    ${
      task.dependencies.length
        ? plainHtml`<p class="facts wrap"><span class="muted">${t('After')}</span>
            ${task.dependencies.map((id) => plainHtml`<button class="link" type="button" data-id=${id} @click=${() => store.choose(id)}>${shownLine(id)}</button> `)}
            ${task.needsAll ? nothing : plainHtml`<span class="muted">${t('(a skipped one counts as done)')}</span>`}</p>`
        : nothing
    }`;
  }

  #actions(): TemplateResult | typeof nothing {
    const { task, plan, store } = this;
    const { diffs } = planStores(this.session);
    const edit = isEditable(plan) && task.state !== 'skipped';
    return plainHtml`<div class="actions" role="group" aria-label=${t('The task')}>
      ${edit ? this.#button('edit', t('Change'), () => this.#startEditing()) : nothing}
      ${isEditable(plan) && plan.tasks.length > 1 ? this.#button('remove', t('Remove'), () => this.#remove()) : nothing}
      ${isSkippable(plan, task) ? this.#button('skip', t('Skip'), () => store.skip(plan, task)) : nothing}
      ${isStoppable(plan, task) ? this.#button('stop', t('Stop'), () => store.stop(plan, task)) : nothing}
      ${
        task.state === 'done'
          ? diffButton(diffs.of(plan.id, task.id), 'plan-diff', () => diffs.toggle(plan.id, task.id))
          : nothing
      }
    </div>
    ${isRepeatable(plan, task) ? this.#retry() : nothing}`;
  }

  #button(what: string, words: string, act: () => unknown): TemplateResult {
    const { busy } = this.store;
    return plainHtml`<button class="button" type="button" data-ac="plan-task-${what}" aria-disabled=${busy !== ''}
      @click=${() => busy || act()}>${busy === what ? icons.spinner : nothing} ${words}</button>`;
  }

  #retry(): TemplateResult {
    const { task, store } = this;
    const isConflict = hasConflict(task);
    const isOff = store.busy !== '';
    return plainHtml`<form class="retry" @submit=${this.#again}>
      <textarea rows="2" maxlength=${MAX_NOTE} data-ac="plan-task-note" aria-label=${t('A note to the task (optional)')}
        placeholder=${isConflict ? t('How shall it be solved? (optional)') : t('What shall it do differently? (optional)')}
        .value=${this.note} @input=${(event: Event) => {
          this.note = (event.target as HTMLTextAreaElement).value;
        }}></textarea>
      <button class="button primary" type="submit" data-ac="plan-task-retry" aria-disabled=${isOff}>
        ${store.busy === 'retry' ? icons.spinner : icons.retry} ${isConflict ? t('Give the conflict back') : t('Try again')}</button>
    </form>`;
  }

  #conflicts(): TemplateResult | typeof nothing {
    const conflicts = this.task.output?.conflicts ?? [];
    if (!conflicts.length) return nothing;
    return plainHtml`<section aria-label=${t('Conflicts')}><h4>${t('%1 with what others have changed', tn('%1 conflict', '%1 conflicts', conflicts.length))}</h4>
      ${conflicts.map(conflictTemplate)}</section>`;
  }

  /** The tool calls of the last attempt, as far as this page knows them. */
  #run(): TemplateResult | typeof nothing {
    const { plan, task } = this;
    const { agent } = this.session;
    const run = agent?.tasks.of(plan.id, task.id) ?? null;
    if (!run) return nothing;
    return html`<section aria-label=${t('What it did')} data-ac="plan-task-run"><h4>${t('What it did')}</h4>
      ${stepsOf(run).map((step) => html`<${partTag.toolCalls} .run=${run} .step=${step} .agent=${agent}></${partTag.toolCalls}>`)}
      ${
        ACTIVE.has(task.state)
          ? html`<${partTag.agentRun} .run=${run} .requestId=${text(run.request_id)} .agent=${agent}></${partTag.agentRun}>`
          : nothing
      }
    </section>`;
  }

  #startEditing(): void {
    this.isEditing = true;
  }

  async #edited(): Promise<void> {
    this.isEditing = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[data-ac="plan-task-edit"]')?.focus();
  }

  #remove(): void {
    this.store.choose('');
    void this.store.remove(this.plan, this.task);
  }

  readonly #again = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { store, plan, task, note } = this;
    await store.retry(plan, task, note.trim());
    if (!store.problem) this.note = '';
  };
}

/** The steps of a run that have calls, in order. */
function stepsOf(run: RawRun): number[] {
  const steps = list(run.calls).map((call) => number(fields<{ step: number }>(call).step));
  return [...new Set(steps)].sort((one, other) => one - other);
}

function conflictTemplate({ path, text: written }: Conflict): TemplateResult {
  return plainHtml`<div class="conflict" data-ac="plan-conflict" data-path=${path}>
    <p><bdi>${escapeInvisible(path)}</bdi></p>
    ${written ? plainHtml`<pre tabindex="0" aria-label=${t('Both versions')}>${marked(written)}</pre>` : plainHtml`<p class="muted">${t('Not text, or one side has deleted it.')}</p>`}
  </div>`;
}

/** The marks and the lines between them, each version in a colour of its own. */
function marked(written: string): unknown[] {
  let side = '';
  return written
    .trimEnd()
    .split('\n')
    .map((line) => {
      const mark = /^(<{7}|\|{7}|={7}|>{7})(?: |$)/.exec(line)?.[1]?.[0];
      if (mark) side = mark === '>' ? '' : mark === '<' ? 'ours' : mark === '|' ? 'base' : 'theirs';
      const kind = mark ? 'mark' : side;
      return kind ? plainHtml`<span class=${kind}>${shownOutput(line)}\n</span>` : `${shownOutput(line)}\n`;
    });
}

function outputTemplate({ explanation, modified, created, deleted }: Output): TemplateResult {
  const files: readonly [string, readonly string[]][] = [
    [t('Created'), created],
    [t('Changed'), modified],
    [t('Deleted'), deleted],
  ];
  return plainHtml`<section aria-label=${t('Result')} data-ac="plan-task-output">
    ${explanation ? plainHtml`<h4>${t('Result')}</h4><p class="words">${shownLines(explanation)}</p>` : nothing}
    ${files.map(([words, paths]) =>
      paths.length
        ? plainHtml`<p class="wrap"><span class="muted">${words}:</span> ${paths.slice(0, MAX_FILES).map(escapeInvisible).join(', ')}${paths.length > MAX_FILES ? t(' and %1 more', paths.length - MAX_FILES) : ''}</p>`
        : nothing,
    )}
  </section>`;
}
