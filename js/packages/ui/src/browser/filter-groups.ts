/** Form of the groups of filters: add one, change it, remove it. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import type { FilterGroup } from '../model/browser/filter-groups.ts';
import { TYPES } from '../model/browser/network-requests.ts';
import { shownLine } from '../model/browser/shown-text.ts';
import { base } from '../styles/tokens.ts';
import { paneStyles } from './styles.ts';

type Draft = Omit<FilterGroup, 'isEnabled' | 'urls'> & {
  /** Patterns with spaces between them. */
  readonly urls: string;
};
const NEW: Draft = { name: '', urls: '', types: [] };

export class AcBrowserFilters extends LitElement {
  static override properties = {
    store: { attribute: false },
    draft: { state: true },
    problem: { state: true },
    isSaving: { state: true },
  };
  static override styles = [
    base,
    paneStyles,
    css`
      :host {
        flex: 0 1 auto;
        max-height: 55%;
        border-bottom: 1px solid var(--ac-edge);
        background: var(--ac-surface);
        font-size: 12px;
      }
      .scroll {
        padding: 6px 12px;
      }
      .group,
      form,
      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
        align-items: center;
      }
      .group {
        padding: 2px 0;
      }
      .group .wrap {
        flex: 1 1 120px;
      }
      form {
        margin-top: 6px;
      }
      form input[type='text'] {
        flex: 1 1 110px;
      }
      form .urls {
        flex: 2 1 180px;
        font-family: var(--ac-mono);
      }
      fieldset {
        flex: 1 1 100%;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        float: left;
        padding: 0 4px 0 0;
        color: var(--ac-muted);
      }
    `,
  ];

  declare store: BrowserStore;
  declare draft: Draft;
  /** One sentence on why the last change was not made; '' otherwise. */
  declare problem: string;
  declare isSaving: boolean;

  constructor() {
    super();
    this.draft = NEW;
    this.problem = '';
    this.isSaving = false;
    new StoreController(this, () => [this.store.filters]);
  }

  protected override render(): TemplateResult {
    const { groups } = this.store.filters;
    return html`<div class="scroll" data-ac="browser-groups">
      <p class="muted">${t('A group hides requests by their types or addresses. Groups are kept in the repository; whether one is on isn’t.')}</p>
      <ul class="plain">${repeat(
        groups,
        ({ name }) => name,
        (group) => this.#group(group),
      )}</ul>
      ${this.#form()}
      ${this.problem ? html`<p class="bad" role="alert">${this.problem}</p>` : nothing}
    </div>`;
  }

  #group(group: FilterGroup): TemplateResult {
    const { name, types, urls } = group;
    const shown = shownLine(name, 64);
    return html`<li class="group" data-ac="browser-group" data-name=${name}>
      <span class="wrap"><strong><bdi>${shown}</bdi></strong> <bdi class="muted">${shownLine([...types, ...urls].join(', '), 160)}</bdi></span>
      <button class="button small" type="button" data-ac="browser-group-change" aria-label=${t('Change the group %1', shown)} @click=${() => this.#change(group)}>${t('Change')}</button>
      <button class="icon-button" type="button" data-ac="browser-group-remove" title=${t('Remove')} aria-label=${t('Remove the group %1', shown)} @click=${() => void this.#remove(name)}>${icons.close}</button>
    </li>`;
  }

  #form(): TemplateResult {
    const { name, urls, types } = this.draft;
    const isKnown = this.store.filters.groups.some((group) => group.name === name.trim());
    return html`<form @submit=${this.#save}>
      <input class="name" type="text" data-ac="browser-group-name" placeholder=${t('Name')} aria-label=${t('Name of the group')} maxlength="64" spellcheck="false" .value=${name}
        @input=${(event: Event) => this.#edit({ name: fieldOf(event).value })} />
      <input class="urls" type="text" data-ac="browser-group-urls" placeholder=${t('*/analytics/* *.map')} aria-label=${t('Patterns of addresses, with spaces between them')} spellcheck="false" .value=${urls}
        @input=${(event: Event) => this.#edit({ urls: fieldOf(event).value })} />
      <fieldset><legend>${t('Types:')}</legend>
        ${TYPES.map(
          (
            type,
          ) => html`<label><input type="checkbox" data-ac="browser-group-type" data-type=${type} .checked=${types.includes(type)}
            @change=${() => this.#edit({ types: types.includes(type) ? types.filter((one) => one !== type) : [...types, type] })} /> ${type}</label>`,
        )}
      </fieldset>
      <button class="button small primary" type="submit" data-ac="browser-group-save" aria-disabled=${this.isSaving}>${this.isSaving ? icons.spinner : nothing} ${isKnown ? t('Replace the group') : t('Add the group')}</button>
    </form>`;
  }

  #edit(change: Partial<Draft>): void {
    this.draft = { ...this.draft, ...change };
    this.problem = '';
  }

  #change({ name, types, urls }: FilterGroup): void {
    this.#edit({ name, types, urls: urls.join(' ') });
    this.renderRoot.querySelector<HTMLElement>('.urls')?.focus();
  }

  readonly #save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.isSaving) return;
    const { network, filters } = this.store;
    const { name, types } = this.draft;
    const urls = this.draft.urls.split(/\s+/).filter(Boolean);
    this.isSaving = true;
    this.problem = await filters.save(name.trim(), { types, urls }, network.target);
    this.isSaving = false;
    if (this.problem) return;
    this.draft = NEW;
    await network.refresh();
    this.renderRoot.querySelector<HTMLElement>('.name')?.focus();
  };

  async #remove(name: string): Promise<void> {
    const { network, filters } = this.store;
    this.problem = await filters.remove(name);
    await network.refresh();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.name')?.focus();
  }
}

function fieldOf(event: Event): HTMLInputElement {
  return event.target as HTMLInputElement;
}
