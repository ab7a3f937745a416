/** Controls of the settings form, one for each kind of value. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { emptyValue, type ValueSchema } from '../model/settings-schema.ts';
import * as icons from './icons.ts';

export interface Control {
  readonly schema: ValueSchema;
  readonly value: unknown;
  /** Accessible name. */
  readonly label: string;
  /** Id of the texts that describe it; '' for none. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isOff: boolean;
  readonly onChange: (value: unknown) => void;
}

const DOTS = '••';
const SECRET = /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i;

/** Whether the value is edited in parts and then saved as a whole. */
export function isComposite({ kind }: ValueSchema): boolean {
  return kind === 'list' || kind === 'map' || kind === 'object';
}

export function settingControl(control: Control): TemplateResult {
  switch (control.schema.kind) {
    case 'switch':
      return switchControl(control);
    case 'choice':
      return choiceControl(control);
    case 'integer':
    case 'number':
      return numberControl(control);
    case 'list':
      return listControl(control);
    case 'map':
      return mapControl(control);
    case 'object':
      return objectControl(control);
    case 'text':
      return textControl(control);
  }
}

function switchControl({ value, label, describedBy, isOff, onChange }: Control): TemplateResult {
  return html`<button type="button" role="switch" class="switch" data-ac="setting-switch" aria-label=${label}
    aria-describedby=${describedBy || nothing} aria-checked=${value === true} aria-disabled=${isOff}
    @click=${() => isOff || onChange(value !== true)}><span class="knob"></span></button>`;
}

function choiceControl({ schema, value, label, describedBy, isOff, onChange }: Control): TemplateResult {
  return html`<select data-ac="setting-choice" aria-label=${label} aria-describedby=${describedBy || nothing}
    ?disabled=${isOff} @change=${(event: Event) => onChange((event.target as HTMLSelectElement).value)}>
    ${schema.choices.map(
      (choice) => html`<option value=${choice} ?selected=${choice === value}>${choice}</option>`,
    )}
  </select>`;
}

function numberControl(control: Control): TemplateResult {
  const { schema, value, label, describedBy, isInvalid, isOff, onChange } = control;
  const entered = (event: Event) => {
    const { value: typed, valueAsNumber } = event.target as HTMLInputElement;
    if (typed === '' && schema.isNullable) onChange(null);
    // What is no number goes to the server as it is, whose sentence says what is wrong.
    else onChange(Number.isFinite(valueAsNumber) ? valueAsNumber : typed);
  };
  return html`<input type="number" data-ac="setting-number" aria-label=${label} aria-describedby=${describedBy || nothing}
    aria-invalid=${isInvalid} min=${schema.least ?? nothing} max=${schema.most ?? nothing}
    step=${schema.kind === 'integer' ? 1 : 'any'} ?readonly=${isOff}
    placeholder=${schema.isNullable ? t('not set') : nothing}
    .value=${live(value === null || value === undefined ? '' : String(value))} @change=${entered} />`;
}

function textControl(control: Control): TemplateResult {
  const { schema, value, label, describedBy, isInvalid, isOff, onChange } = control;
  const entered = (event: Event) => {
    const typed = (event.target as HTMLInputElement).value;
    onChange(typed === '' && schema.isNullable ? null : typed);
  };
  return html`<input type="text" data-ac="setting-text" aria-label=${label} aria-describedby=${describedBy || nothing}
    aria-invalid=${isInvalid} ?readonly=${isOff} autocomplete="off" spellcheck="false"
    .value=${live(typeof value === 'string' ? value : '')} @change=${entered} />`;
}

function listControl({ schema, value, label, isOff, onChange }: Control): TemplateResult {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const { items: inner } = schema;
  if (!inner) return html`${nothing}`;
  const put = (index: number, item: unknown) => onChange(items.with(index, item));
  return html`<div class="parts" role="group" aria-label=${label} data-ac="setting-list">
    ${items.map(
      (item, index) => html`<div class="part ${inner.kind}">
        ${settingControl({
          ...PLAIN,
          schema: inner,
          value: item,
          label: t('%1, entry %2', label, index + 1),
          isOff,
          onChange: (changed) => put(index, changed),
        })}
        ${removeButton(t('Remove entry %1 of %2', index + 1, label), isOff, () => onChange(items.toSpliced(index, 1)))}
      </div>`,
    )}
    ${addButton(label, isOff, () => onChange([...items, emptyValue(inner)]))}
  </div>`;
}

function mapControl({ schema, value, label, isOff, onChange }: Control): TemplateResult {
  const pairs = Object.entries(typeof value === 'object' && value !== null ? value : {});
  const { items: inner, isSecret } = schema;
  if (!inner) return html`${nothing}`;
  const put = (index: number, pair: [string, unknown]) =>
    onChange(Object.fromEntries(pairs.with(index, pair)));
  return html`<div class="parts" role="group" aria-label=${label} data-ac="setting-map">
    ${pairs.map(([name, item], index) => {
      const isHidden = isSecret && SECRET.test(name) && !String(item).includes(DOTS);
      return html`<div class="part pair ${inner.kind}">
        <input type="text" class="map-name" aria-label=${t('Name of entry %1 of %2', index + 1, label)} ?readonly=${isOff}
          autocomplete="off" spellcheck="false" .value=${live(name)}
          @change=${(event: Event) => put(index, [(event.target as HTMLInputElement).value.trim(), item])} />
        ${
          isHidden
            ? secretControl(t('Value of %1', name), item, (changed) => put(index, [name, changed]))
            : settingControl({
                ...PLAIN,
                schema: inner,
                value: item,
                label: t('Value of %1', name || t('the new entry')),
                isOff,
                onChange: (changed) => put(index, [name, changed]),
              })
        }
        ${removeButton(t('Remove %1', name || t('the new entry')), isOff, () =>
          onChange(Object.fromEntries(pairs.toSpliced(index, 1))),
        )}
      </div>`;
    })}
    ${addButton(label, isOff || '' in Object.fromEntries(pairs), () =>
      onChange({ ...Object.fromEntries(pairs), '': emptyValue(inner) }),
    )}
  </div>`;
}

function objectControl({ schema, value, label, isOff, onChange }: Control): TemplateResult {
  const values = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return html`<div class="members" role="group" aria-label=${label}>
    ${schema.members.map(
      ({ name, schema: inner }) => html`<div class="member">
        <span class="member-name" title=${inner.description || nothing}>${inner.title || name}</span>
        ${settingControl({
          ...PLAIN,
          schema: inner,
          value: values[name] ?? inner.default,
          label: t('%1 of %2', inner.title || name, label),
          isOff,
          onChange: (changed) => onChange({ ...values, [name]: changed }),
        })}
      </div>`,
    )}
  </div>`;
}

function secretControl(label: string, value: unknown, onChange: (value: string) => void): TemplateResult {
  return html`<input type="password" aria-label=${label} autocomplete="off" data-1p-ignore data-lpignore="true"
    .value=${live(String(value))} @change=${(event: Event) => onChange((event.target as HTMLInputElement).value)} />`;
}

function addButton(label: string, isOff: boolean, add: () => void): TemplateResult {
  return html`<button type="button" class="button small" data-do="add" aria-label=${t('Add an entry to %1', label)}
    aria-disabled=${isOff} @click=${() => isOff || add()}>${t('Add')}</button>`;
}

function removeButton(label: string, isOff: boolean, remove: () => void): TemplateResult {
  return html`<button type="button" class="icon-button" data-do="remove" title=${label} aria-label=${label}
    aria-disabled=${isOff} @click=${() => isOff || remove()}>${icons.trash}</button>`;
}

const PLAIN = { describedBy: '', isInvalid: false } as const;
