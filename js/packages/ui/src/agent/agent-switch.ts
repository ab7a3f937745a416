/** Switch of the mode: how the answer to the next question may act. Beside it the button that shows the plans. */

import { t, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { AgentStore } from '../model/agent/agent-store.ts';
import { limitsText, MODE_HINTS, MODE_NAMES } from '../model/agent/run-texts.ts';
import type { AgentMode } from '../model/question-arguments.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';

const MODES = Object.keys(MODE_NAMES) as readonly AgentMode[];

export class AcAgentSwitch extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [
    base,
    css`
      :host {
        display: inline-flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 6px;
        min-width: 0;
        max-width: 100%;
        font-size: 11.5px;
      }
      select {
        min-height: 24px;
        max-width: 100%;
        padding: 0 4px;
        border: 1px solid var(--ac-line);
        border-radius: 7px;
        background: var(--ac-bg);
        color: var(--ac-muted);
        font: inherit;
        field-sizing: content;
      }
      select:enabled {
        cursor: pointer;
      }
      select:hover:enabled {
        color: var(--ac-ink);
      }
      select:disabled {
        opacity: 0.6;
      }
      select[data-mode]:not([data-mode='ask']) {
        border-color: var(--ac-accent);
        background: var(--ac-tint);
        color: var(--ac-ink);
        font-weight: 600;
      }
      option {
        background: var(--ac-bg);
        color: var(--ac-ink);
        font-weight: 400;
      }
      .limits {
        min-width: 0;
        font-size: 11px;
      }
      .plans {
        display: inline-flex;
        gap: 4px;
        align-items: center;
        min-height: 24px;
        padding: 0 8px;
        border: 1px solid var(--ac-line);
        border-radius: 7px;
        color: var(--ac-muted);
      }
      .plans:hover {
        color: var(--ac-ink);
      }
      .count {
        padding: 0 5px;
        border-radius: 8px;
        background: var(--ac-warning);
        color: var(--ac-bg);
        font-size: 10.5px;
        font-weight: 700;
      }
    `,
  ];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () =>
      this.session.agent ? [this.session.agent, this.session.agent.tasks] : [],
    );
  }

  /** The element may have got its session before it was registered. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate('session', null);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('session')) this.session.openAgent((session) => new AgentStore(session));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { agent } = this.session;
    if (!agent) return nothing;
    const { mode, obstacle } = agent;
    const limits = mode === 'ask' ? '' : limitsText(agent.limits);
    const hint = obstacle || MODE_HINTS[mode];
    return html`<span title=${limits ? `${hint}; ${limits}` : hint}><select data-ac="agent-switch" data-mode=${mode}
        aria-label=${t('How the answer may act')} aria-describedby="about" ?disabled=${obstacle !== ''}
        .value=${mode} @change=${this.#chosen}>
        ${MODES.map((name) => html`<option value=${name} title=${MODE_HINTS[name]} ?selected=${name === mode}>${MODE_NAMES[name]}</option>`)}
      </select></span>
      <span id="about" class="limits muted number" data-ac="agent-limits" ?hidden=${!limits && !obstacle}>${obstacle || limits}</span>
      ${this.#plansButton()}`;
  }

  #plansButton(): TemplateResult | typeof nothing {
    const { rpc, agent } = this.session;
    if (!rpc.offers('Planner.list_plans')) return nothing;
    const count = agent?.tasks.waiting() ?? 0;
    const words = count
      ? tn(': %1 call of tasks waits for you', ': %1 calls of tasks wait for you', count)
      : '';
    return html`<button class="plans" type="button" data-ac="plans-open" aria-haspopup="dialog"
      title=${t('Larger work as a plan of tasks%1', words)} aria-label=${t('Plans%1', words)}
      @click=${() => this.dispatchEvent(new CustomEvent('ac-plans', { bubbles: true, composed: true }))}>
      ${t('Plans')} ${count ? html`<span class="count number" data-ac="plans-waiting">${count}</span>` : nothing}</button>`;
  }

  readonly #chosen = (event: Event): void => {
    this.session.agent?.choose((event.target as HTMLSelectElement).value as AgentMode);
  };
}
