/** Live values of form controls: what the plugin sets, without taking what the user has typed. */

import type { JsonObject, JsonValue } from '../model/panels/protocol.ts';
import { isTyped } from './event-arguments.ts';
import type { TextGuard } from './text-guard.ts';

function own(props: JsonObject | null, name: string): JsonValue | undefined {
  return props && Object.hasOwn(props, name) ? props[name] : undefined;
}

function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? `${value}` : null;
}

/** @param before - props that the control shows; null when it has just been made */
export function setControlValue(
  element: Element,
  before: JsonObject | null,
  props: JsonObject,
  guard: TextGuard,
): void {
  if (element instanceof HTMLInputElement) setChecked(element, before, props);
  if (element instanceof HTMLInputElement && element.type === 'file') return;
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
  const value = textOf(own(props, 'value'));
  if (before === null) {
    const first = value ?? textOf(own(props, 'defaultValue'));
    if (first !== null) element.value = first;
    return;
  }
  const hasCaret: boolean = isTyped(element);
  // Of a checkbox or a button, the value is an attribute.
  if (value === null && !hasCaret) element.removeAttribute('value');
  // The same value again is what the plugin says of an older state of the field.
  if (value === null || value === textOf(own(before, 'value'))) return;
  if (hasCaret) guard.show(element, value);
  else element.value = value;
}

function setChecked(input: HTMLInputElement, before: JsonObject | null, props: JsonObject): void {
  const given = own(props, 'checked') ?? (before === null ? own(props, 'defaultChecked') : undefined);
  if (typeof given === 'boolean' && given !== own(before, 'checked')) input.checked = given;
}

/**
 * Selects options, which must be there. What the user has selected stays until the plugin says something else or sends
 * other options.
 *
 * @param before - null when the element has just been made
 */
export function setSelection(
  select: HTMLSelectElement,
  before: JsonObject | null,
  props: JsonObject,
  hasNewOptions: boolean,
): void {
  const given = own(props, 'value') ?? (before === null ? own(props, 'defaultValue') : undefined);
  if (given === undefined || given === null) return;
  if (!hasNewOptions && JSON.stringify(given) === JSON.stringify(own(before, 'value'))) return;
  const chosen = (Array.isArray(given) ? given : [given]).map(textOf);
  for (const option of select.options) option.selected = chosen.includes(option.value);
}
