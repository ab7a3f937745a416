/** The plans, the newest first, and the form that has a new one made. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { shownLine } from '../model/browser/shown-text.ts';
import { ago } from '../model/format.ts';
import type { PlansStore } from '../model/plans/plan-store.ts';
import { headline, planWords, progressText } from '../model/plans/plan-texts.ts';
import type { Plan } from '../model/plans/plans.ts';
import { base } from '../styles/tokens.ts';
import { planIcon } from './state-icons.ts';
import { listStyles } from './styles.ts';

const MAX_REQUEST = 100_000;
const MOST_TASKS: readonly number[] = [5, 10, 20, 50, 100];
const USUAL_MOST = 10;

export class AcPlanList extends LitElement {
  static override properties = { store: { attribute: false }, maxTasks: { state: true } };
  static override styles = [base, listStyles];

  declare store: PlansStore;
  declare maxTasks: number;

  constructor() {
    super();
    this.maxTasks = USUAL_MOST;
    new StoreController(this, () => [this.store]);
  }

  protected override render(): TemplateResult {
    const { plans, isLoaded, obstacle } = this.store;
    return html`${this.#form()}
      <div class="scroll">
        ${obstacle ? html`<p class="none muted">${obstacle}</p>` : nothing}
        ${isLoaded ? nothing : html`<p class="none muted" role="status">${icons.spinner} ${t('Looking for plans …')}</p>`}
        ${
          isLoaded && !plans.length
            ? html`<p class="none muted">${t('No plan yet. Describe a larger piece of work: the model splits it into tasks. You see them, change them, and nothing is carried out before you approve. Your files change only when you apply the results.')}</p>`
            : nothing
        }
        <ul class="plain" aria-label=${t('Plans, the newest first')}>${repeat(
          plans,
          ({ id }) => id,
          (plan) => this.#row(plan),
        )}</ul>
      </div>`;
  }

  #form(): TemplateResult {
    const { isMaking, draft } = this.store;
    return html`<form @submit=${this.#submit}>
      <textarea class="first" rows="3" maxlength=${MAX_REQUEST} data-ac="plan-request" aria-label=${t('What is to be done')}
        placeholder=${t('What is to be done? Enter makes a plan, Shift+Enter starts a line')} ?readonly=${isMaking}
        .value=${draft} @input=${this.#typed} @keydown=${this.#key}></textarea>
      <div class="actions">
        <button class="button primary" type="submit" data-ac="plan-make" aria-disabled=${isMaking || !draft.trim()}>
          ${isMaking ? icons.spinner : nothing} ${t('Make a plan')}</button>
        <label class="muted">${t('At most')}
          <select data-ac="plan-max-tasks" aria-label=${t('Most tasks')} @change=${(event: Event) => {
            this.maxTasks = Number((event.target as HTMLSelectElement).value);
          }}>${MOST_TASKS.map((count) => html`<option value=${count} ?selected=${count === this.maxTasks}>${t('%1 tasks', count)}</option>`)}</select></label>
        <span class="muted" role="status">${isMaking ? t('The model makes the plan …') : ''}</span>
      </div>
    </form>`;
  }

  #row(plan: Plan): TemplateResult {
    const [words, tone] = planWords(plan);
    return html`<li><button class="row ${tone}" type="button" data-ac="plan-row" data-id=${plan.id} data-status=${plan.state}
      @click=${() => this.store.open(plan.id)}>
      <span class="request">${shownLine(headline(plan.request))}</span>
      <span class="state">${planIcon(plan.state)} ${words}</span>
      <span class="facts muted number">${progressText(plan)} · ${ago(plan.created, Date.now())}</span>
    </button></li>`;
  }

  readonly #typed = (event: Event): void => {
    this.store.write((event.target as HTMLTextAreaElement).value);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#make();
  };

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    this.#make();
  };

  #make(): void {
    void this.store.make(this.maxTasks);
  }
}
