/** View of plans, modal within the panel: the list of them, or one as a picture with the details of its tasks. */

import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { focused, trapTab } from '../controllers/focus.ts';
import { LostFocusController } from '../controllers/lost-focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { onOpenLocation } from '../elements/location-links.ts';
import { shownLines } from '../model/browser/shown-text.ts';
import type { PlansStore } from '../model/plans/plan-store.ts';
import { planWords } from '../model/plans/plan-texts.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { partTag } from './part-tags.ts';
import { planStores } from './sessions.ts';
import { viewStyles } from './styles.ts';

export class AcPlans extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, viewStyles];

  declare session: Session;
  /** The link that has opened the viewer. */
  #opener: HTMLElement | null = null;
  /** Id of the plan that was rendered last; '' for the list. */
  #shownId: string | null = null;

  constructor() {
    super();
    new StoreController(this, () => [this.store]);
    new LostFocusController(this, () => this.#focusPage(''));
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => trapTab(event, this.renderRoot));
    // The viewer covers this view: the focus returns to the link when it closes.
    onOpenLocation(this, () => {
      this.#opener = focused();
    });
  }

  get store(): PlansStore {
    return planStores(this.session).plans;
  }

  override focus(): void {
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.#focusPage('');
  }

  protected override updated(changed: PropertyValues): void {
    const id = this.store.shown?.id ?? '';
    const last = this.#shownId;
    this.#shownId = id;
    if (changed.has('session')) void this.store.refresh();
    // The parts render right after this element.
    if (id !== last) void Promise.resolve().then(() => this.#focusPage(last ?? ''));
  }

  protected override render(): TemplateResult {
    const { store, session } = this;
    const { shown, problem } = store;
    return html`<div class="scrim" @pointerdown=${this.#pressed}>
      <div class="card wide" role="dialog" aria-modal="true" aria-label=${t('Plans')} data-ac="plans" tabindex="-1">
        <div class="bar">
          ${
            shown
              ? html`<button class="icon-button" type="button" data-ac="plan-back" title=${t('All plans')} aria-label=${t('All plans')}
                  @click=${() => store.open('')}>${icons.chevronLeft}</button>`
              : nothing
          }
          <h2>${shown ? t('Plan') : t('Plans')}</h2>
          <span class="line cut muted" role="status">${shown ? planWords(shown)[0] : ''}</span>
          <button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close')} @click=${() => this.#close()}>${icons.close}</button>
        </div>
        ${
          problem
            ? html`<div class="box bad problem" role="alert" data-ac="plan-problem"><p>${shownLines(problem, 4000)}</p>
                <button class="icon-button" type="button" title=${t('Dismiss')} aria-label=${t('Dismiss the error')} @click=${() => store.say('')}>${icons.close}</button></div>`
            : nothing
        }
        ${
          shown
            ? html`<${partTag.plan} class="page" .session=${session} .plan=${shown}></${partTag.plan}>`
            : html`<${partTag.list} class="page" .store=${store}></${partTag.list}>`
        }
      </div>
    </div>`;
  }

  /** Focuses the page that has come; in the list, the plan that was shown. */
  #focusPage(left: string): void {
    const page = this.renderRoot.querySelector('.page')?.shadowRoot;
    const rows = [...(page?.querySelectorAll<HTMLElement>('[data-ac="plan-row"]') ?? [])];
    const row = rows.find(({ dataset }) => dataset.id === left);
    (row ?? page?.querySelector<HTMLElement>('.first'))?.focus();
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('ac-close'));
  }
}
