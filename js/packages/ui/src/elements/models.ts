/** Model picker: a combobox with a search field and a list (WAI-ARIA). */

import { t, tNodes } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import { dollars, tokens } from '../model/format.ts';
import type { FilteredModels, Group, ModelRow, ModelsStore, Provider } from '../model/models.ts';
import { currentRow, filterModels } from '../model/models.ts';
import type { Session } from '../model/session.ts';
import { endpointOf, keysOf, modelsOf } from '../model/settings-parts.ts';
import { formStyles } from '../styles/forms.ts';
import { modelsStyles } from '../styles/models.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import { openSettings } from './header.ts';
import * as icons from './icons.ts';
import { inlineCode, keySourceLabel } from './inline-text.ts';
import { searchField } from './search-field.ts';

/** Provider name of the embedded demo model. */
const DEMO = 'demo';
/** Source of a choice made here. */
const OWN = 'llm.json';
const STRONGER: ReadonlySet<string> = new Set(['flag', 'JUPYTER_AC_MODEL']);
/** Prices are shown per this many tokens. */
const MILLION = 1_000_000;

export class AcModels extends LitElement {
  static override properties = { session: { attribute: false }, active: { state: true } };
  static override styles = [base, formStyles, modelsStyles];

  declare session: Session;
  /** Index of the active option; -1 for none. */
  declare active: number;
  /** Name of the model in use. */
  #current: string | undefined;
  #shown: FilteredModels = { groups: [], hidden: 0, other: '' };

  constructor() {
    super();
    this.active = -1;
    new StoreController(this, () => [this.#store, endpointOf(this.session.settings)]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#store.refresh();
  }

  /** The initial focus is in the search field. */
  protected override firstUpdated(): void {
    this.renderRoot.querySelector('input')?.focus();
  }

  get #store(): ModelsStore {
    return modelsOf(this.session.settings);
  }

  /** Names of all options in display order. */
  get #names(): string[] {
    const { groups, other } = this.#shown;
    const listed = groups.flatMap(({ models }) => models.map(({ name }) => name));
    return other ? [...listed, other] : listed;
  }

  protected override willUpdate(): void {
    const { list, query } = this.#store;
    this.#shown = filterModels(list, query);
    this.#current = list ? currentRow(list)?.name : undefined;
  }

  protected override render(): TemplateResult {
    const endpoint = endpointOf(this.session.settings);
    if (endpoint.isOpen) return html`<${tag.endpoint} .session=${this.session}></${tag.endpoint}>`;
    return html`<div class="models">
      ${this.#inUse()} ${this.#trial()} ${this.#ownServer()} ${this.#result()} ${this.#search()}
      <p class="caption muted" aria-hidden="true">${t('Limit in tokens · price of a million')}</p>
      <div class="scroll" id="list" role="listbox" aria-label=${t('Models')}>${this.#options()}</div>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('active')) return;
    this.renderRoot.querySelector('.option.active')?.scrollIntoView({ block: 'nearest' });
  }

  #inUse(): TemplateResult | typeof nothing {
    const { list } = this.#store;
    const { model } = this.session;
    if (!list) return nothing;
    const { name, source, isDemo } = list.current;
    if (!name)
      return html`<div class="box ask">${inlineCode(model.message || t('No model is chosen yet.'))}</div>`;
    return html`<p class="now">
      <span class="muted">${t('In use:')}</span> <b>${name}</b> ${isDemo ? html`<span class="chip demo">${t('demo')}</span>` : nothing}
      ${source ? html`<span class="muted">${t('from')} ${source === 'flag' ? html`<code>--model</code>` : inlineCode(source)}</span>` : nothing}
      ${source === OWN ? this.#automatic() : nothing}
      ${STRONGER.has(source) ? html`<span class="muted">${t('(overrides a choice made here)')}</span>` : nothing}
      ${isDemo ? nothing : this.#tryButton(name)}
    </p>`;
  }

  #tryButton(name: string): TemplateResult | typeof nothing {
    const endpoint = endpointOf(this.session.settings);
    if (!endpoint.canTry) return nothing;
    return html`<button class="button" type="button" data-ac="model-try" aria-disabled=${endpoint.busy !== null}
      title=${t('Sends one short question to the model')} @click=${() => void endpoint.tryModel(name)}>
      ${endpoint.busy === 'try' ? icons.spinner : nothing} ${t('Try it')}
    </button>`;
  }

  /** The question before a trial, or its result. */
  #trial(): TemplateResult | typeof nothing {
    const endpoint = endpointOf(this.session.settings);
    const { pending, outcome } = endpoint;
    const name = this.#store.list?.current.name ?? '';
    if (pending)
      return html`<div class="box ask" role="alert" data-ac="confirm">
        <ul>${pending.changes.map((change) => html`<li>${inlineCode(change)}</li>`)}</ul>
        <div class="actions">
          <button class="button primary" type="button" data-do="confirm" @click=${() => void endpoint.tryModel(name, true)}>${t('Yes, do it')}</button>
          <button class="button" type="button" data-do="cancel" @click=${() => endpoint.cancel()}>${t('Cancel')}</button>
        </div>
      </div>`;
    if (!outcome) return nothing;
    const { isGood, message } = outcome;
    return html`<div class="box ${isGood ? 'good' : 'bad'}" role=${isGood ? 'status' : 'alert'} data-ac="model-tried"
      data-ok=${isGood}>${inlineCode(message)}</div>`;
  }

  /** Opens the form of a model server of the user's own. */
  #ownServer(): TemplateResult | typeof nothing {
    const endpoint = endpointOf(this.session.settings);
    if (!endpoint.isOffered) return nothing;
    return html`<button class="button own" type="button" data-ac="endpoint-open" @click=${() => void endpoint.open()}>
      ${icons.plug} ${t('Use a model server of your own: Ollama, LM Studio, …')}
    </button>`;
  }

  /** Button that returns to the automatic choice. */
  #automatic(): TemplateResult {
    return html`<button class="button" type="button" data-ac="model-automatic" aria-disabled=${this.#store.choosing !== ''}
      title=${t('Takes the model of the first provider whose key is set')} @click=${() => void this.#choose('')}>
      ${t('Choose automatically')}
    </button>`;
  }

  #result(): TemplateResult | typeof nothing {
    const { result, isRefused } = this.#store;
    if (!result) return nothing;
    return html`<div class="box ${isRefused ? 'bad' : 'good'}" role="status" data-ac="model-result">
      ${inlineCode(result)} ${isRefused ? nothing : this.#keyHint()}
    </div>`;
  }

  /** Hint for a chosen model whose key is missing. */
  #keyHint(): TemplateResult | typeof nothing {
    const { list } = this.#store;
    const { settings } = this.session;
    const chosen = list && currentRow(list);
    const provider = list?.providers.find(({ name }) => name === chosen?.provider);
    if (!chosen || chosen.hasKey || !provider?.keyVariable || !settings.offers('keys')) return nothing;
    const enter = () => {
      openSettings(this, 'keys');
      keysOf(settings).begin(provider);
    };
    return html`<div class="actions">
      <span>${t('%1 has no key yet.', provider.name)}</span>
      <button class="button" type="button" @click=${enter}>${t('Enter the key')}</button>
    </div>`;
  }

  #search(): TemplateResult {
    const name = this.#names[this.active];
    return searchField({
      ac: 'model-search',
      label: t('Search the models'),
      placeholder: t("Search, or type a model's full name"),
      value: this.#store.query,
      option: name === undefined ? '' : `option-${this.active}`,
      onInput: (text) => this.#typed(text),
      onKey: this.#key,
    });
  }

  #options(): TemplateResult {
    const { list, error } = this.#store;
    const { groups, hidden, other } = this.#shown;
    let index = 0;
    const parts = repeat(
      groups,
      ({ provider }) => provider.name,
      (group) => {
        const first = index;
        index += group.models.length;
        return this.#group(group, first);
      },
    );
    return html`
      ${error ? html`<p class="note" role="alert">${t('The models could not be listed:')} ${inlineCode(error)}</p>` : nothing}
      ${list || error ? nothing : html`<p class="note muted">${icons.spinner} ${t('Reading the list of models …')}</p>`}
      ${parts} ${other ? this.#other(other) : nothing}
      ${hidden ? html`<p class="note muted">${t('… and %1 more: type a part of the name.', hidden)}</p>` : nothing}
      ${list && !groups.length && !other ? html`<p class="note muted">${t('No model has this in its name.')}</p>` : nothing}
    `;
  }

  #group({ provider, models }: Group, first: number): TemplateResult {
    return html`<div role="group" aria-label=${provider.name || t('Others')}>
      <div class="provider" role="presentation">${provider.name || t('Others')} ${keyChip(provider)}</div>
      ${models.map((model, at) => this.#option(model, first + at))}
    </div>`;
  }

  #option(model: ModelRow, index: number): TemplateResult {
    const isCurrent = model.name === this.#current;
    return html`<div
      class="option ${index === this.active ? 'active' : ''}"
      id=${`option-${index}`}
      role="option"
      data-ac="model-row"
      data-model=${model.name}
      aria-selected=${isCurrent}
      @click=${() => void this.#choose(model.name)}
    >
      <span class="tick">${this.#mark(model.name, isCurrent)}</span>
      <span class="name">${model.name}</span>
      ${model.provider === DEMO ? html`<span class="chip demo">${t('to try the panel with')}</span>` : nothing}
      <span class="facts muted number">${facts(model)}</span>
    </div>`;
  }

  /** Option for an unlisted model: the user's own, or newer than the list. */
  #other(name: string): TemplateResult {
    const index = this.#names.length - 1;
    return html`<div
      class="option ${index === this.active ? 'active' : ''}"
      id=${`option-${index}`}
      role="option"
      data-ac="model-row"
      data-model=${name}
      aria-selected="false"
      @click=${() => void this.#choose(name)}
    >
      <span class="tick">${this.#mark(name, false)}</span>
      <span class="name">${tNodes('Use %1', html`<b>${name}</b>`)}</span>
      <span class="facts muted">${t('not in the list')}</span>
    </div>`;
  }

  #mark(name: string, isCurrent: boolean): TemplateResult | typeof nothing {
    if (this.#store.choosing === name) return icons.spinner;
    return isCurrent ? icons.check : nothing;
  }

  async #choose(name: string): Promise<void> {
    await this.#store.choose(name);
    this.renderRoot.querySelector('input')?.focus();
  }

  #typed(query: string): void {
    this.#store.search(query);
    this.active = query.trim() ? 0 : -1;
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const last = this.#names.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(last, this.active + 1),
      ArrowUp: Math.max(0, this.active - 1),
      PageDown: Math.min(last, this.active + 8),
      PageUp: Math.max(0, this.active - 8),
    };
    const target = moves[event.key];
    const name = this.#names[this.active];
    if (target !== undefined && last >= 0) this.active = target;
    else if (event.key === 'Enter' && name) void this.#choose(name);
    else if (event.key === 'Escape' && this.#store.query) {
      this.#store.search('');
      this.active = -1;
    } else return;
    event.preventDefault();
  };
}

function keyChip({ keyVariable, hasKey, where }: Provider): TemplateResult | typeof nothing {
  if (!keyVariable) return nothing;
  return hasKey
    ? html`<span class="chip good">${t('key %1', keySourceLabel(where))}</span>`
    : html`<span class="chip">${t('no key')}</span>`;
}

/** `128k · $2.50 in, $10 out`. */
function facts({ maxInput, inputCost, outputCost }: ModelRow): string {
  const price = (cost: number) => {
    const sum = cost * MILLION;
    return sum < 0.1 ? `$${Number(sum.toPrecision(2))}` : dollars(sum);
  };
  const costs =
    inputCost === null || outputCost === null
      ? []
      : [t('%1 in, %2 out', price(inputCost), price(outputCost))];
  return [...(maxInput ? [tokens(maxInput)] : []), ...costs].join(' · ');
}
