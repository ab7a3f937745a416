/** Form of the API keys. A key is in its field only until it is sent. */

import { t, tNodes } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { type ApiKeysStore, keyLocation } from '../model/api-keys.ts';
import type { Provider } from '../model/models.ts';
import type { Session } from '../model/session.ts';
import { configOf, keysOf, modelsOf } from '../model/settings-parts.ts';
import { apiKeysStyles } from '../styles/api-keys.ts';
import { formStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode, keySourceLabel } from './inline-text.ts';
import { searchField } from './search-field.ts';

export class AcApiKeys extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, formStyles, apiKeysStyles];

  declare session: Session;
  #opened = '';

  constructor() {
    super();
    new StoreController(this, () => [
      this.#store,
      modelsOf(this.session.settings),
      configOf(this.session.settings),
    ]);
    new OverlayController(
      this,
      () => this.#store.variable !== '',
      () => this.#cancel(),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void modelsOf(this.session.settings).refresh();
    void configOf(this.session.settings).loadInfo();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Discard a key that was typed and not sent.
    this.#empty();
  }

  get #store(): ApiKeysStore {
    return keysOf(this.session.settings);
  }

  protected override render(): TemplateResult {
    const { list, error } = modelsOf(this.session.settings);
    const { result } = this.#store;
    const providers = this.#store.filtered(list?.providers ?? []);
    return html`<div class="keys">
      <div class="filter">
        ${searchField({
          ac: 'keys-filter',
          label: t('Filter the providers'),
          placeholder: t('Filter the providers'),
          value: this.#store.query,
          onInput: (text) => this.#store.search(text),
          onKey: this.#filterKey,
        })}
      </div>
      ${result ? html`<div class="box good" role="status" data-ac="key-result">${inlineCode(result)}</div>` : nothing}
      <div class="scroll">
        ${error ? html`<p class="note" role="alert">${t('The providers could not be listed:')} ${inlineCode(error)}</p>` : nothing}
        ${list || error ? nothing : html`<p class="note muted">${icons.spinner} ${t('Reading the list of providers …')}</p>`}
        ${repeat(
          providers,
          ({ keyVariable }) => keyVariable,
          (provider) => this.#provider(provider),
        )}
        ${list && !providers.length ? html`<p class="note muted" role="status">${t('No provider matches.')}</p>` : nothing}
      </div>
    </div>`;
  }

  protected override updated(_changed: PropertyValues): void {
    const { variable } = this.#store;
    if (variable === this.#opened) return;
    this.#opened = variable;
    // Focus the field, or the first button of the removal.
    if (variable) this.renderRoot.querySelector<HTMLElement>('.form input, .form .button')?.focus();
  }

  #provider(provider: Provider): TemplateResult {
    const { name, keyVariable, hasKey, where } = provider;
    const store = this.#store;
    const isOpen = store.variable === keyVariable;
    const isOurs = where === 'keyring' || where === 'llm.json';
    const begin = (isRemoving: boolean) => {
      this.#empty();
      store.begin(provider, isRemoving);
    };
    return html`<section class="provider ${isOpen ? 'open' : ''}" data-ac="key-row" data-variable=${keyVariable}>
      <div class="line">
        <span class="name">${name || keyVariable}</span>
        <code class="muted variable">${keyVariable}</code>
        <span class="chip ${hasKey ? 'good' : ''}">${hasKey ? keySourceLabel(where) : t('no key')}</span>
        <span class="actions">
          <button class="button" type="button" data-do="enter" aria-label=${hasKey ? t('Replace the key of %1', name) : t('Enter the key of %1', name)}
            ?hidden=${isOpen} @click=${() => begin(false)}>${hasKey ? t('Replace') : t('Enter')}</button>
          <button class="button" type="button" data-do="remove" aria-label=${t('Remove the key of %1', name)}
            ?hidden=${isOpen || !isOurs} @click=${() => begin(true)}>${t('Remove')}</button>
        </span>
      </div>
      ${isOpen ? this.#form(provider) : nothing}
    </section>`;
  }

  #form({ name, keyVariable, where }: Provider): TemplateResult {
    const { isRemoving, error, changes, isSending } = this.#store;
    const { hasKeyring } = configOf(this.session.settings);
    const field = html`<label class="field">
        <input type="password" data-ac="key-input" aria-label=${t('Key for %1', name || keyVariable)}
          placeholder=${t('Paste the key')} autocomplete="off" spellcheck="false" autocapitalize="off"
          data-1p-ignore data-lpignore="true" @keydown=${this.#key} />
      </label>
      <p class="muted small">${this.#storageNote(hasKeyring)} ${
        where === 'environment'
          ? html`${tNodes('A key in the environment takes precedence, until %1 is unset.', inlineCode(`\`${keyVariable}\``))}`
          : nothing
      }</p>`;
    return html`<div class="form">
      ${isRemoving ? html`<p>${tNodes('Remove the key from %1?', inlineCode(keyLocation(where)))}</p>` : field}
      ${error ? html`<div class="box bad" role="alert">${inlineCode(error)}</div>` : nothing}
      ${changes.length ? this.#question(changes) : this.#buttons(isRemoving ? t('Remove the key') : t('Save the key'), isSending)}
    </div>`;
  }

  #storageNote(hasKeyring: boolean): string {
    return hasKeyring
      ? t("It goes to the system's keyring, never into the notebook.")
      : t('It goes to llm.json in your settings folder, readable by you only, never into the notebook.');
  }

  #question(changes: readonly string[]): TemplateResult {
    return html`<div class="box ask" role="alert" data-ac="confirm">
      <p>${t('Please confirm:')}</p>
      <ul>
        ${changes.map((change) => html`<li>${inlineCode(change)}</li>`)}
      </ul>
      ${this.#buttons(t('Yes, do it'), this.#store.isSending, true)}
    </div>`;
  }

  #buttons(words: string, isSending: boolean, isConfirmed = false): TemplateResult {
    return html`<div class="actions">
      <button class="button primary" type="button" data-do="save" aria-disabled=${isSending} @click=${() => void this.#send(isConfirmed)}>
        ${isSending ? icons.spinner : nothing} ${words}
      </button>
      <button class="button" type="button" data-do="cancel" @click=${this.#cancel}>${t('Cancel')}</button>
    </div>`;
  }

  async #send(isConfirmed: boolean): Promise<void> {
    const { isRemoving, variable } = this.#store;
    const field = this.#input;
    const key = isRemoving ? '' : (field?.value.trim() ?? '');
    if (!key && !isRemoving) return void field?.focus();
    const isDone = await this.#store.send(key, isConfirmed);
    if (isDone && field) field.value = '';
    if (isDone) this.#focusRow(variable);
    else this.#focusForm();
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('[data-ac="key-input"]');
  }

  #empty(): void {
    if (this.#input) this.#input.value = '';
  }

  /** Focuses the confirmation, else the field or button to try again. */
  #focusForm(): void {
    const find = (selector: string) => this.renderRoot.querySelector<HTMLElement>(selector);
    void this.updateComplete.then(() =>
      (find('[data-ac="confirm"] button') ?? find('[data-ac="key-input"]') ?? find('.form button'))?.focus(),
    );
  }

  /** Focuses the button that opened the form. */
  #focusRow(variable: string): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`[data-variable="${variable}"] [data-do="enter"]`)?.focus(),
    );
  }

  readonly #cancel = (): void => {
    const { variable } = this.#store;
    this.#empty();
    this.#store.cancel();
    this.#focusRow(variable);
  };

  readonly #filterKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#store.query) return;
    event.preventDefault();
    event.stopPropagation();
    this.#store.search('');
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!this.#store.changes.length) void this.#send(false);
  };
}
