/** Template of a search field, optionally the combobox of a list. */

import { html, nothing, type TemplateResult } from 'lit';
import * as icons from './icons.ts';

export interface SearchField {
  /** Its `data-ac`. */
  readonly ac: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onKey?: (event: KeyboardEvent) => void;
  /** Id of the active option in the list with the id `list`; '' for none. */
  readonly option?: string;
}

export function searchField(field: SearchField): TemplateResult {
  const { ac, label, placeholder, value, onInput, onKey, option } = field;
  const hasList = option !== undefined;
  return html`<label class="field">
    ${icons.search}
    <input
      type="search"
      data-ac=${ac}
      role=${hasList ? 'combobox' : nothing}
      aria-label=${label}
      aria-expanded=${hasList ? 'true' : nothing}
      aria-controls=${hasList ? 'list' : nothing}
      aria-activedescendant=${option || nothing}
      placeholder=${placeholder}
      autocomplete="off"
      spellcheck="false"
      .value=${value}
      @input=${(event: Event) => onInput((event.target as HTMLInputElement).value)}
      @keydown=${onKey ?? nothing}
    />
  </label>`;
}
