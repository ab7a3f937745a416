/** Form of the settings: search, a control for each value, what is changed, back to the default. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import type { SettingState, SettingsFormStore, SettingsSection } from '../model/settings-form.ts';
import { configOf, formOf } from '../model/settings-parts.ts';
import { type ValueSchema, valueText } from '../model/settings-schema.ts';
import { formStyles } from '../styles/forms.ts';
import { settingsFormStyles } from '../styles/settings-form.ts';
import { base } from '../styles/tokens.ts';
import { openSettings } from './header.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';
import { searchField } from './search-field.ts';
import { isComposite, settingControl } from './setting-controls.ts';

export class AcSettingsForm extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, formStyles, settingsFormStyles];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.#store]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#store.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#store.discardSecrets();
  }

  get #store(): SettingsFormStore {
    return formOf(this.session.settings);
  }

  protected override render(): TemplateResult {
    return html`<div class="form" data-ac="settings-form">
      ${this.#bar()}
      <div class="scroll">
        ${this.#notes()}
        ${repeat(
          this.#store.sections,
          ({ title }) => title,
          (section) => this.#section(section),
        )}
        ${this.#nothingFound()}
      </div>
    </div>`;
  }

  #bar(): TemplateResult {
    const { query, onlyChanged, changedCount } = this.#store;
    return html`<div class="bar">
      ${searchField({
        ac: 'settings-search',
        label: t('Search the settings'),
        placeholder: t('Search the settings'),
        value: query,
        onInput: (text) => this.#store.search(text),
        onKey: this.#searchKey,
      })}
      <button type="button" class="button" data-ac="settings-changed" aria-pressed=${onlyChanged}
        @click=${() => this.#store.showOnlyChanged(!onlyChanged)}>${t('Changed: %1', changedCount)}</button>
      <button type="button" class="button" data-ac="settings-raw" title=${t('The files as text, with what no form has')}
        @click=${() => this.#openText('')}>${t('Edit as text')}</button>
    </div>`;
  }

  #notes(): TemplateResult {
    const { error, warnings, isLoaded, broken } = this.#store;
    return html`
      ${error ? html`<div class="box bad" role="alert">${inlineCode(error)}</div>` : nothing}
      ${warnings.map((warning) => html`<div class="box ask" role="status" data-ac="settings-warning">${inlineCode(warning)}</div>`)}
      ${broken.map(
        (type) => html`<div class="box ask" data-ac="settings-broken">
          <p>${t('A file is not valid, so that it can only be changed as text.')}</p>
          <div class="actions"><button type="button" class="button" @click=${() => this.#openText(type)}>${t('Edit as text')}</button></div>
        </div>`,
      )}
      ${isLoaded || error ? nothing : html`<p class="note muted">${icons.spinner} ${t('Reading the settings …')}</p>`}
    `;
  }

  #nothingFound(): TemplateResult | typeof nothing {
    const { isLoaded, sections, onlyChanged, query } = this.#store;
    if (!isLoaded || sections.length) return nothing;
    const words =
      onlyChanged && !query
        ? t('Nothing is changed: all settings have their defaults.')
        : t('No setting matches.');
    return html`<p class="note muted" role="status">${words}</p>`;
  }

  #section({ title, rows }: SettingsSection): TemplateResult {
    return html`<section aria-label=${title}>
      <h3>${title}</h3>
      ${repeat(
        rows,
        ({ key }) => key,
        (row) => this.#row(row),
      )}
    </section>`;
  }

  #row(state: SettingState): TemplateResult {
    const { key, isChanged, isLocked } = state;
    const { schema } = state.setting;
    const problem = this.#store.problem(key);
    const shape = isComposite(schema) ? 'wide' : schema.kind;
    return html`<div class="row ${shape} ${isChanged ? 'changed' : ''}" data-ac="setting" data-key=${key}
      data-changed=${isChanged}>
      <div class="texts" id=${`about-${key}`}>
        <p class="title">${schema.title || key} ${isChanged ? html`<span class="chip">${t('changed')}</span>` : nothing}
          ${isLocked ? html`<span class="chip" title=${t('The administrator or a broken file keeps this setting')}>${icons.lock}</span>` : nothing}</p>
        <p class="about">${inlineCode(schema.description)}</p>
        <p class="default muted">${defaultText(schema)}</p>
      </div>
      <div class="value">
        ${settingControl({
          schema,
          value: this.#store.shown(state),
          label: schema.title || key,
          describedBy: problem ? `problem-${key}` : `about-${key}`,
          isInvalid: problem !== '',
          isOff: isLocked || this.#store.saving === key,
          onChange: (value) => this.#changed(state, value),
        })}
        ${this.#buttons(state)}
      </div>
      ${this.#messages(state)}
    </div>`;
  }

  #buttons(state: SettingState): TemplateResult | typeof nothing {
    const { key, setting, isChanged, isLocked } = state;
    const store = this.#store;
    const isSaving = store.saving === key;
    const { title } = setting.schema;
    if (isComposite(setting.schema) && store.hasDraft(key) && store.pending?.key !== key)
      return html`<div class="actions">
        <button type="button" class="button primary" data-do="save" aria-label=${t('Save %1', title)} aria-disabled=${isSaving}
          @click=${() => void this.#save(state)}>${isSaving ? icons.spinner : nothing} ${t('Save')}</button>
        <button type="button" class="button" data-do="discard" aria-label=${t('Discard the change of %1', title)}
          @click=${() => store.discard(key)}>${t('Discard')}</button>
      </div>`;
    if (!isChanged || isLocked) return nothing;
    return html`<button type="button" class="link" data-ac="setting-reset" aria-label=${t('Reset to default: %1', title)}
      aria-disabled=${isSaving} @click=${() => void this.#reset(state)}>${t('Reset to default')}</button>`;
  }

  #messages({ key, setting }: SettingState): TemplateResult | typeof nothing {
    const { pending, result } = this.#store;
    const problem = this.#store.problem(key);
    if (problem)
      return html`<div class="box bad" role="alert" id=${`problem-${key}`} data-ac="setting-problem">
        ${inlineCode(problem)}
        <div class="actions"><button type="button" class="button" @click=${() => this.#store.discard(key)}>${t('Undo')}</button></div>
      </div>`;
    if (pending?.key === key)
      return html`<div class="box ask" role="alert" data-ac="confirm">
        <p>${t('This changes where your code or keys go, or what runs. Please confirm:')}</p>
        <ul>${pending.changes.map((change) => html`<li>${inlineCode(change)}</li>`)}</ul>
        <div class="actions">
          <button type="button" class="button primary" data-do="confirm"
            @click=${() => void this.#store.set(setting, this.#store.shown({ key, value: null }), true)}>${t('Save it')}</button>
          <button type="button" class="button" data-do="cancel" @click=${() => this.#store.discard(key)}>${t("Don't save")}</button>
        </div>
      </div>`;
    return result?.key === key
      ? html`<p class="done muted" role="status" data-ac="setting-result">${inlineCode(result.sentences.join(' '))}</p>`
      : nothing;
  }

  #changed(state: SettingState, value: unknown): void {
    const { key, setting } = state;
    if (isComposite(setting.schema)) this.#store.draft(key, value);
    else void this.#set(state, value);
  }

  async #save(state: SettingState): Promise<void> {
    await this.#set(state, this.#store.shown(state));
  }

  async #set({ setting, key }: SettingState, value: unknown): Promise<void> {
    await this.#store.set(setting, value);
    if (this.#store.pending?.key !== key) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[data-do="confirm"]')?.focus();
  }

  /** Resets, and focuses the control, since the button goes away. */
  async #reset({ setting, key }: SettingState): Promise<void> {
    await this.#store.reset(setting);
    await this.updateComplete;
    const row = [...this.renderRoot.querySelectorAll<HTMLElement>('.row')].find(
      ({ dataset }) => dataset.key === key,
    );
    row?.querySelector<HTMLElement>('[data-do="confirm"], .value :is(input, select, button)')?.focus();
  }

  #openText(type: string): void {
    const config = configOf(this.session.settings);
    if (type) config.open(type);
    openSettings(this, 'config');
  }

  readonly #searchKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#store.query) return;
    event.preventDefault();
    event.stopPropagation();
    this.#store.search('');
  };
}

/** `Default: 25 (1 to 1,000)`. */
function defaultText(schema: ValueSchema): string {
  const { kind, least, most } = schema;
  const value = valueText(schema.default);
  const isNumber = kind === 'integer' || kind === 'number';
  return isNumber && least !== null && most !== null
    ? t('Default: %1 (%2 to %3)', value, valueText(least), valueText(most))
    : t('Default: %1', value);
}
