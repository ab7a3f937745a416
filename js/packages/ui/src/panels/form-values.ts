/** Live values of form controls: what the plugin sets, without taking what the user has typed. */

import type { JsonObject, JsonValue } from '../model/panels/protocol.ts';
import { isTyped } from './event-arguments.ts';
import { type TextGuard, write } from './text-guard.ts';

function own(props: JsonObject | null, name: string): JsonValue | undefined {
  return props && Object.hasOwn(props, name) ? props[name] : undefined;
}

function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? `${value}` : null;
}

/**
 * Sets what a control has by the props of its node. Other props with the same value mean that the plugin wants it to be
 * as it was, whatever the user has done: such as an empty field after its form was submitted.
 *
 * @param before - props that the control shows; null when it has just been made
 */
export function setControlValue(
  element: Element,
  before: JsonObject | null,
  props: JsonObject,
  guard: TextGuard,
): void {
  if (element instanceof HTMLInputElement) setChecked(element, before, props, guard);
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
  if (value === null) return;
  if (!hasCaret) element.value = value;
  else if (value !== textOf(own(before, 'value'))) guard.show(element, value);
  else if (element.value !== value) guard.showAgain(element, () => write(element, value));
}

function setChecked(
  input: HTMLInputElement,
  before: JsonObject | null,
  props: JsonObject,
  guard: TextGuard,
): void {
  const given = own(props, 'checked') ?? (before === null ? own(props, 'defaultChecked') : undefined);
  if (typeof given !== 'boolean') return;
  if (given !== own(before, 'checked')) input.checked = given;
  // A radio button is unchecked by another one.
  else if (given !== input.checked && (given || input.type !== 'radio')) {
    guard.showAgain(input, () => {
      input.checked = given;
    });
  }
}

/**
 * Selects options, which must be there.
 *
 * @param before - null when the element has just been made
 */
export function setSelection(
  select: HTMLSelectElement,
  before: JsonObject | null,
  props: JsonObject,
  hasNewOptions: boolean,
  guard: TextGuard,
): void {
  const given = own(props, 'value') ?? (before === null ? own(props, 'defaultValue') : undefined);
  if (given === undefined || given === null) return;
  const chosen = (Array.isArray(given) ? given : [given]).map(textOf);
  const show = () => {
    for (const option of select.options) option.selected = chosen.includes(option.value);
  };
  const isSame = JSON.stringify(given) === JSON.stringify(own(before, 'value'));
  if (hasNewOptions || !isSame) show();
  else guard.showAgain(select, show);
}
