/** Form that changes a task of a plan before it runs, or adds one. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { shownLine } from '../model/browser/shown-text.ts';
import type { PlansStore, TaskEdit } from '../model/plans/plan-store.ts';
import { headline, typeName } from '../model/plans/plan-texts.ts';
import { dependents, freeId, type Plan, TASK_TYPES, type Task } from '../model/plans/plans.ts';
import { base } from '../styles/tokens.ts';
import { formStyles } from './styles.ts';

const MAX_DESCRIPTION = 10_000;
const PRIORITIES: readonly [number, string][] = [
  [1, t('1, first')],
  [2, '2'],
  [3, '3'],
  [4, '4'],
  [5, t('5, last')],
];
const NEW_TASK: TaskEdit = {
  type: 'code_generation',
  description: '',
  dependencies: [],
  priority: 3,
  needs_all: true,
};

export class AcPlanTaskForm extends LitElement {
  static override properties = {
    store: { attribute: false },
    plan: { attribute: false },
    task: { attribute: false },
    edit: { state: true },
  };
  static override styles = [base, formStyles];

  declare store: PlansStore;
  declare plan: Plan;
  /** Null for a new one. */
  declare task: Task | null;
  declare edit: TaskEdit;

  constructor() {
    super();
    this.task = null;
    this.edit = NEW_TASK;
    new StoreController(this, () => [this.store]);
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
  }

  protected override willUpdate(): void {
    const { task } = this;
    if (this.hasUpdated || !task) return;
    const { type, description, dependencies, priority, needsAll } = task;
    this.edit = { type, description, dependencies, priority, needs_all: needsAll };
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('textarea')?.focus();
  }

  protected override render(): TemplateResult {
    const { edit, task, store } = this;
    const isOff = store.busy !== '' || !edit.description.trim();
    return html`<form data-ac="plan-task-form" aria-label=${task ? t('Change %1', shownLine(task.id)) : t('A new task')} @submit=${this.#submit}>
      <textarea rows="4" maxlength=${MAX_DESCRIPTION} aria-label=${t('What is to be done')} data-ac="plan-task-description" placeholder=${t('What is to be done, with the names of the files')}
        .value=${edit.description} @input=${(event: Event) => this.#set({ description: (event.target as HTMLTextAreaElement).value })}></textarea>
      <div class="actions">
        <label>${t('Kind')} <select data-ac="plan-task-type" @change=${(event: Event) => this.#set({ type: (event.target as HTMLSelectElement).value })}>
          ${TASK_TYPES.map((type) => html`<option value=${type} ?selected=${type === edit.type}>${typeName(type)}</option>`)}</select></label>
        <label>${t('Priority')} <select data-ac="plan-task-priority" @change=${(event: Event) => this.#set({ priority: Number((event.target as HTMLSelectElement).value) })}>
          ${PRIORITIES.map(([value, words]) => html`<option value=${value} ?selected=${value === edit.priority}>${words}</option>`)}</select></label>
      </div>
      ${this.#dependencies()}
      <label title=${t('Otherwise a skipped task counts as done')}><input type="checkbox" data-ac="plan-task-needs-all" .checked=${edit.needs_all}
        @change=${(event: Event) => this.#set({ needs_all: (event.target as HTMLInputElement).checked })}>
        ${t('Blocked when one of these is skipped')}</label>
      <div class="actions">
        <button class="button primary" type="submit" data-ac="plan-task-save" aria-disabled=${isOff}>
          ${store.busy === 'edit' ? icons.spinner : nothing} ${task ? t('Save') : t('Add')}</button>
        <button class="button" type="button" data-ac="plan-task-cancel" @click=${() => this.#close()}>${t('Cancel')}</button>
      </div>
    </form>`;
  }

  /** Those that depend on this task can't come before it. */
  #dependencies(): TemplateResult | typeof nothing {
    const { plan, task, edit } = this;
    const later = task ? dependents(plan.tasks, task.id) : new Set<string>();
    const others = plan.tasks.filter(({ id }) => id !== task?.id && !later.has(id));
    if (!others.length) return nothing;
    return html`<fieldset><legend>${t('After these tasks')}</legend>
      ${others.map(
        ({
          id,
          description,
        }) => html`<label><input type="checkbox" data-ac="plan-task-after" data-id=${id} .checked=${edit.dependencies.includes(id)}
          @change=${(event: Event) => this.#depend(id, (event.target as HTMLInputElement).checked)}>
          <span class="cut"><bdi>${shownLine(id)}</bdi> <span class="muted">${shownLine(headline(description))}</span></span></label>`,
      )}
    </fieldset>`;
  }

  #depend(id: string, isOn: boolean): void {
    const others = this.edit.dependencies.filter((each) => each !== id);
    this.#set({ dependencies: isOn ? [...others, id] : others });
  }

  #set(change: Partial<TaskEdit>): void {
    this.edit = { ...this.edit, ...change };
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { store, plan, edit } = this;
    if (store.busy || !edit.description.trim()) return;
    const id = this.task?.id ?? freeId(plan.tasks);
    if (!(await store.edit(plan, id, edit))) return;
    store.choose(id);
    this.#close();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('ac-close'));
  }
}
