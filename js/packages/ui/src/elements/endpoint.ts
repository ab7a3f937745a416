/** Form of a model server of the user's own: address, key, its models, a trial. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { EndpointAction, EndpointStore } from '../model/endpoint.ts';
import type { Session } from '../model/session.ts';
import { endpointOf } from '../model/settings-parts.ts';
import { endpointStyles } from '../styles/endpoint.ts';
import { formStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

export class AcEndpoint extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, formStyles, endpointStyles];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.#store]);
    new OverlayController(
      this,
      () => this.#store.isOpen,
      () => this.#back(),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Discard a key that was typed and not kept.
    if (this.#keyField) this.#keyField.value = '';
  }

  get #store(): EndpointStore {
    return endpointOf(this.session.settings);
  }

  get #keyField(): HTMLInputElement | null {
    return this.renderRoot.querySelector('[data-ac="endpoint-key"]');
  }

  protected override render(): TemplateResult {
    const { kinds } = this.#store;
    return html`<form class="endpoint" data-ac="endpoint-form" aria-label=${t('A model server of your own')} @submit=${this.#submit}>
      <div class="head">
        <button type="button" class="icon-button" data-do="back" title=${t('Back to the models')} aria-label=${t('Back to the models')}
          @click=${() => this.#back()}>${icons.chevronLeft}</button>
        <h3>${t('A model server of your own')}</h3>
      </div>
      <div class="scroll">
        ${this.#inForce()}
        ${kinds.length ? this.#fields() : html`<p class="muted">${icons.spinner} ${t('Reading the kinds of servers …')}</p>`}
        ${this.#outcome()}
      </div>
    </form>`;
  }

  #inForce(): TemplateResult | typeof nothing {
    const { inForce } = this.#store;
    if (!inForce) return nothing;
    return html`<div class="box" data-ac="endpoint-in-force">
      <p>${inlineCode(t('Questions go to `%1` now.', inForce))}</p>
      <div class="actions"><button type="button" class="button" data-do="remove" @click=${() => void this.#act('remove')}>
        ${t("Use the provider's own address")}</button></div>
    </div>`;
  }

  #fields(): TemplateResult {
    const { kind, kinds, address, busy } = this.#store;
    return html`
      <label class="line"><span>${t('Server')}</span>
        <select data-ac="endpoint-kind" @change=${this.#kindChosen}>
          ${kinds.map((each) => html`<option value=${each.kind} ?selected=${each === kind}>${each.title}</option>`)}
        </select>
      </label>
      <label class="line"><span>${t('Address')}</span>
        <input type="text" inputmode="url" data-ac="endpoint-address" autocomplete="off" spellcheck="false" autocapitalize="off"
          placeholder=${t('https://models.example.org/v1')} .value=${live(address)} @input=${this.#addressTyped} />
      </label>
      ${
        kind?.keyVariable
          ? html`<label class="line"><span>${t('Key (optional)')}</span>
              <input type="password" data-ac="endpoint-key" autocomplete="off" spellcheck="false" autocapitalize="off"
                data-1p-ignore data-lpignore="true" placeholder=${t('Only if the server asks for one')} @input=${() => this.#store.cancel()} />
            </label>`
          : nothing
      }
      ${this.#modelField()}
      <div class="actions">
        <button type="button" class="button" data-ac="endpoint-find" aria-disabled=${busy !== null || !address.trim()}
          @click=${() => void this.#act('find')}>${busy === 'find' ? icons.spinner : nothing} ${t('Find models')}</button>
        <button type="button" class="button" data-ac="endpoint-try" aria-disabled=${!this.#isComplete}
          @click=${() => void this.#act('try')}>${busy === 'try' ? icons.spinner : nothing} ${t('Try it')}</button>
        <button type="submit" class="button primary" data-ac="endpoint-use" aria-disabled=${!this.#isComplete}>
          ${busy === 'keep' ? icons.spinner : nothing} ${t('Use this model')}</button>
      </div>`;
  }

  #modelField(): TemplateResult {
    const { model, models, kind } = this.#store;
    const head = `${kind?.provider ?? ''}/`;
    const shown = model.startsWith(head) ? model.slice(head.length) : model;
    const entered = (event: Event) =>
      this.#store.enterModel((event.target as HTMLInputElement | HTMLSelectElement).value);
    return html`<label class="line"><span>${t('Model')}</span>
      ${
        models?.length
          ? html`<select data-ac="endpoint-model" @change=${entered}>
              ${models.map((name) => html`<option value=${name} ?selected=${name === model}>${name.slice(head.length)}</option>`)}
            </select>`
          : html`<input type="text" data-ac="endpoint-model" autocomplete="off" spellcheck="false" autocapitalize="off"
              placeholder=${t('Find models, or type a name')} .value=${live(shown)} @change=${entered} />`
      }
    </label>`;
  }

  #outcome(): TemplateResult | typeof nothing {
    const { pending, outcome, busy } = this.#store;
    if (pending)
      return html`<div class="box ask" role="alert" data-ac="confirm">
        <p>${t('Please confirm:')}</p>
        <ul>${pending.changes.map((change) => html`<li>${inlineCode(change)}</li>`)}</ul>
        <div class="actions">
          <button type="button" class="button primary" data-do="confirm" aria-disabled=${busy !== null}
            @click=${() => void this.#act(pending.action, true)}>${t('Yes, do it')}</button>
          <button type="button" class="button" data-do="cancel" @click=${() => this.#store.cancel()}>${t('Cancel')}</button>
        </div>
      </div>`;
    if (!outcome) return nothing;
    const { isGood, message } = outcome;
    return html`<div class="box ${isGood ? 'good' : 'bad'}" role=${isGood ? 'status' : 'alert'} data-ac="endpoint-result"
      data-ok=${isGood}>${inlineCode(message)}</div>`;
  }

  get #isComplete(): boolean {
    const { busy, address, model } = this.#store;
    return busy === null && address.trim() !== '' && model !== '';
  }

  async #act(action: EndpointAction, isConfirmed = false): Promise<void> {
    const store = this.#store;
    const isReady = action === 'try' || action === 'keep' ? this.#isComplete : store.busy === null;
    if (!isReady || (action === 'find' && !store.address.trim())) return;
    const key = this.#keyField?.value.trim() ?? '';
    await store.act(action, key, isConfirmed);
    if (action === 'keep' && store.outcome?.isGood && this.#keyField) this.#keyField.value = '';
    await this.updateComplete;
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    // The question, or after it the button that was pressed first.
    if (store.pending) find('[data-do="confirm"]')?.focus();
    else if (isConfirmed) find(`[data-ac="endpoint-${action === 'keep' ? 'use' : action}"]`)?.focus();
  }

  #back(): void {
    if (this.#store.pending) this.#store.cancel();
    else this.#store.close();
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    void this.#act('keep');
  };

  readonly #kindChosen = (event: Event): void => {
    this.#store.choose((event.target as HTMLSelectElement).value);
  };

  readonly #addressTyped = (event: Event): void => {
    this.#store.enterAddress((event.target as HTMLInputElement).value);
  };
}
