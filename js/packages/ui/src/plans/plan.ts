/** One plan: what it is about, what the user may do with it, its picture, and the details of the chosen task. */

import { t, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, html as plainHtml, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { LostFocusController } from '../controllers/lost-focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { openLocation } from '../elements/location-links.ts';
import { diffButton, shownDiffTemplate } from '../elements/unified-diff.ts';
import { duration } from '../model/agent/run-texts.ts';
import { shownLine, shownLines } from '../model/browser/shown-text.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { isEditable, isOpen, isRunnable } from '../model/plans/plan-actions.ts';
import type { PlansStore } from '../model/plans/plan-store.ts';
import { headline, planWords, progressText } from '../model/plans/plan-texts.ts';
import type { Plan, Task } from '../model/plans/plans.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { partTag } from './part-tags.ts';
import { planStores } from './sessions.ts';
import { planIcon } from './state-icons.ts';
import { planStyles } from './styles.ts';

const CONCURRENCIES: readonly number[] = [1, 2, 3, 4, 6, 8];
/** The executor that needs no mention. */
const OWN_AGENT = 'agent';
/** Longer lists of files are folded. */
const MAX_UNFOLDED = 6;

export class AcPlan extends LitElement {
  static override properties = {
    session: { attribute: false },
    plan: { attribute: false },
    concurrency: { state: true },
    executor: { state: true },
    isAdding: { state: true },
  };
  static override styles = [base, planStyles];

  declare session: Session;
  declare plan: Plan;
  /** How many tasks shall run at the same time; null for as many as the plan says. */
  declare concurrency: number | null;
  /** Name of what shall carry out the tasks. */
  declare executor: string;
  /** A task is being added. */
  declare isAdding: boolean;

  constructor() {
    super();
    this.concurrency = null;
    this.executor = OWN_AGENT;
    this.isAdding = false;
    new LostFocusController(this, () => this.renderRoot.querySelector<HTMLElement>('.first')?.focus());
    new StoreController(this, () => {
      const { plans, diffs } = planStores(this.session);
      return [plans, diffs, ...(this.session.agent ? [this.session.agent.tasks] : [])];
    });
  }

  get store(): PlansStore {
    return planStores(this.session).plans;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('plan') as Plan | undefined;
    if (before && before.id !== this.plan.id) this.concurrency = null;
    if (!isEditable(this.plan)) this.isAdding = false;
  }

  protected override render(): TemplateResult {
    const { plan, session, store } = this;
    return html`<section class="plan" data-ac="plan" data-id=${plan.id} data-status=${plan.state} aria-label=${t('Plan')}>
      <div class="whole">
        ${this.#head()} ${this.#actions()} ${this.#setup()} ${this.#waiting()} ${this.#applied()}
        <${partTag.graph} .plan=${plan} .chosen=${store.taskId} .tasks=${session.agent?.tasks ?? null}
          @ac-task=${(event: CustomEvent<string>) => this.#choose(event.detail)}></${partTag.graph}>
        ${this.#adding()}
        ${shownDiffTemplate(planStores(session).diffs.of(plan.id, ''), 'plan-diff')}
      </div>
      <div class="one">${
        store.task
          ? html`<${partTag.task} class="task" .session=${session} .plan=${plan} .task=${store.task}></${partTag.task}>`
          : plainHtml`<p class="hint muted">${t('Choose a task to see what it does%1.', isEditable(plan) ? t(', and to change it') : '')}</p>`
      }</div>
    </section>`;
  }

  #head(): TemplateResult {
    const { plan } = this;
    const [words, tone] = planWords(plan);
    const facts = [
      plan.estimated_s ? t("about %1 by the model's guess", duration(plan.estimated_s)) : '',
      plan.executor && plan.executor !== OWN_AGENT ? t('by %1', shownLine(plan.executor, 60)) : '',
      plan.branch ? t('branch %1', shownLine(plan.branch, 100)) : '',
    ].filter(Boolean);
    return plainHtml`<h3 class="first" tabindex="-1">${shownLine(headline(plan.request, 300), 300)}</h3>
      <p class="standing number ${tone}"><span class="state">${planIcon(plan.state)} ${words}</span>
        <span role="status" data-ac="plan-progress">${progressText(plan)}</span></p>
      ${plan.reason ? plainHtml`<p class="wrap">${escapeInvisible(plan.reason)}</p>` : nothing}
      ${facts.length ? plainHtml`<p class="facts muted wrap">${facts.join(' · ')}</p>` : nothing}
      <details><summary>${t('Request%1', plan.explanation ? t(' and reasons') : '')}</summary>
        <p class="words">${shownLines(plan.request)}</p>
        ${plan.explanation ? plainHtml`<p class="words muted">${shownLines(plan.explanation)}</p>` : nothing}
      </details>`;
  }

  #actions(): TemplateResult {
    const { plan, store } = this;
    const { obstacle } = store;
    const { diffs } = planStores(this.session);
    return plainHtml`<div class="actions" role="group" aria-label=${t('The plan')}>
      ${isRunnable(plan) ? this.#run(obstacle) : nothing}
      ${plan.state === 'running' ? this.#button('pause', t('Pause'), () => store.pause(plan), t('Tasks that run go on; no other one starts')) : nothing}
      ${plan.state === 'paused' ? this.#button('resume', t('Resume'), () => store.resume(plan)) : nothing}
      ${plan.canApply ? this.#button('apply', t('Apply'), () => store.apply(plan), t('Bring the results into your files, and stage them; it can be undone'), 'primary') : nothing}
      ${plan.applied.length ? this.#button('undo', t('Undo Apply'), () => store.undo(plan), t('Restore the files that Apply has changed; later changes by anybody else stay')) : nothing}
      ${plan.branch && !obstacle ? diffButton(diffs.of(plan.id, ''), 'plan-diff', () => diffs.toggle(plan.id, '')) : nothing}
      ${isEditable(plan) ? this.#button('cancel', t('Reject'), () => store.cancel(plan)) : nothing}
      ${isOpen(plan) ? this.#button('cancel', t('Cancel'), () => store.cancel(plan), t('Ends what runs; finished results stay on the branch of the plan')) : nothing}
      ${obstacle && isRunnable(plan) ? plainHtml`<span class="muted">${obstacle}</span>` : nothing}
    </div>`;
  }

  #run(obstacle: string): TemplateResult {
    const { plan, store } = this;
    const chosen = this.concurrency ?? plan.concurrency;
    const counts = [...new Set([...CONCURRENCIES, plan.concurrency])].sort((one, other) => one - other);
    const isOff = store.busy !== '' || obstacle !== '';
    return plainHtml`<button class="button primary" type="button" data-ac="plan-run" aria-disabled=${isOff}
        title=${t('Each task works in a folder of its own; your files change only when you apply the results')}
        @click=${() => isOff || this.#start('')}>
        ${store.busy === 'run' ? icons.spinner : nothing} ${t('Approve and run')}</button>
      <label class="muted"><select data-ac="plan-concurrency" aria-label=${t('Tasks at the same time')} @change=${(
        event: Event,
      ) => {
        this.concurrency = Number((event.target as HTMLSelectElement).value);
      }}>${counts.map((count) => plainHtml`<option value=${count} ?selected=${count === chosen}>${count}</option>`)}</select>
        ${t('at the same time')}</label>
      ${this.#executors()}`;
  }

  /** A choice where the settings have other agents than this program's own. */
  #executors(): TemplateResult | typeof nothing {
    const { executors } = this.store;
    if (executors.length < 2) return nothing;
    const note = executors.find(({ name }) => name === this.executor)?.note ?? '';
    return plainHtml`<label class="muted">${t('by')} <select data-ac="plan-executor" aria-label=${t('Carried out by')} @change=${(
      event: Event,
    ) => {
      this.executor = (event.target as HTMLSelectElement).value;
    }}>${executors.map(({ name }) => plainHtml`<option value=${name} ?selected=${name === this.executor}>${shownLine(name, 60)}</option>`)}</select></label>
    ${note ? plainHtml`<span class="facts muted wrap" data-ac="plan-executor-note">${escapeInvisible(note)}</span>` : nothing}`;
  }

  #start(allowed: string): void {
    const { store, plan, executor } = this;
    void store.run(plan, { concurrency: this.concurrency ?? plan.concurrency, executor, allowed });
  }

  /** Asks about the command that the settings have for the copy of each task. */
  #setup(): TemplateResult | typeof nothing {
    const { plan, store } = this;
    const { setup } = store;
    if (!setup || !isRunnable(plan)) return nothing;
    return plainHtml`<div class="box ask" role="alert" data-ac="plan-setup">
      <p>${t('Your settings have this command for the copy of each task. It runs outside of the sandbox:')}</p>
      <pre tabindex="0" aria-label=${t('The command')}>${shownLines(setup)}</pre>
      <div class="actions">
        <button class="button primary" type="button" data-ac="plan-setup-allow" @click=${() => void this.#start(setup)}>${t('Allow it and run')}</button>
        <button class="button" type="button" data-ac="plan-setup-refuse" @click=${() => store.refuseSetup()}>${t('Cancel')}</button>
      </div></div>`;
  }

  #button(what: string, words: string, act: () => Promise<void>, title = '', kind = ''): TemplateResult {
    const { busy } = this.store;
    return plainHtml`<button class="button ${kind}" type="button" data-ac="plan-${what}" title=${title || nothing} aria-disabled=${busy !== ''}
      @click=${() => void act()}>${busy === what ? icons.spinner : nothing} ${words}</button>`;
  }

  /** Tasks with calls that wait for the user. */
  #waiting(): TemplateResult | typeof nothing {
    const runs = this.session.agent?.tasks;
    const { plan, store } = this;
    const waiting = plan.tasks.filter(({ id }) => id !== store.taskId && runs?.waiting(plan.id, id));
    if (!waiting.length) return nothing;
    return plainHtml`<div class="box ask" role="status" data-ac="plan-waiting">${t('Waits for your decision:')}
      ${waiting.map((task) => this.#link(task))}</div>`;
  }

  #link({ id }: Task): TemplateResult {
    return plainHtml`<button class="link" type="button" data-id=${id} @click=${() => this.#choose(id)}>${shownLine(id)}</button> `;
  }

  /** What Apply has changed, and what its undo has left alone. */
  #applied(): TemplateResult | typeof nothing {
    const { plan, store } = this;
    const kept = store.keptOf(plan.id);
    if (!plan.applied.length && !kept.length) return nothing;
    return plainHtml`${
      plan.applied.length
        ? plainHtml`<details class="box good" data-ac="plan-applied" ?open=${plan.applied.length <= MAX_UNFOLDED}>
            <summary>${t('Applied: %1 changed and staged', tn('%1 file', '%1 files', plan.applied.length))}</summary>
            <ul>${plan.applied.map((path) => this.#file(path))}</ul></details>`
        : nothing
    }
    ${
      kept.length
        ? plainHtml`<div class="box ask" data-ac="plan-kept"><p>${t('Left alone by the undo:')}</p>
            <ul>${kept.map(({ path, reason }) => plainHtml`<li><bdi>${escapeInvisible(path)}</bdi> ${escapeInvisible(reason)}</li>`)}</ul></div>`
        : nothing
    }`;
  }

  #file(path: string): TemplateResult {
    const name = escapeInvisible(path);
    return plainHtml`<li><button class="link" type="button" data-path=${path} title=${t('Show what differs in %1 from the last commit', name)}
      @click=${() => openLocation(this, { path, line: 0, col: 0, isDiff: true })}><bdi>${name}</bdi></button></li>`;
  }

  #adding(): TemplateResult | typeof nothing {
    if (!isEditable(this.plan)) return nothing;
    if (!this.isAdding)
      return plainHtml`<div class="actions"><button class="button" type="button" data-ac="plan-task-add" @click=${() => {
        this.isAdding = true;
      }}>${t('Add a task')}</button></div>`;
    return html`<${partTag.form} .store=${this.store} .plan=${this.plan} @ac-close=${() => void this.#added()}></${partTag.form}>`;
  }

  async #added(): Promise<void> {
    this.isAdding = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[data-ac="plan-task-add"]')?.focus();
  }

  #choose(id: string): void {
    this.store.choose(id);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector('.one')?.scrollIntoView?.({ block: 'nearest' }),
    );
  }
}
