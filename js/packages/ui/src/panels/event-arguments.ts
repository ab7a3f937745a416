/** Arguments of a plugin's handlers, made from events of the page. */

import { t } from '@jupyter-ac/messages';
import type { JsonObject, JsonValue } from '../model/panels/protocol.ts';

const MAX_FILES = 100;
const MAX_CONTENT_BYTES = 4 << 20;
const USUAL_CONTENT_BYTES = 1 << 20;
const MAX_TEXT = 1 << 20;

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function isControl(element: Element): element is Control {
  return /^(?:input|textarea|select)$/.test(element.localName);
}

/** Whether what it has changes with each key or movement: text, numbers, sliders. */
export function isTyped(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  if (element.localName === 'textarea') return true;
  return (
    element instanceof HTMLInputElement && !/^(?:checkbox|radio|file|button|submit|reset)$/.test(element.type)
  );
}

/**
 * Value of a form control: text; whether a checkbox is checked; a list of the values of a multiple selection; a list
 * of a file input's files, with their contents when the plugin asks for them.
 *
 * @param props - of the node: `contents` "text" or "base64", `maxBytes` of all files together
 */
export function controlValue(control: Control, props: JsonObject): JsonValue | Promise<JsonValue> {
  if (control instanceof HTMLSelectElement && control.multiple) {
    return [...control.selectedOptions].map(({ value }) => value);
  }
  if (control instanceof HTMLInputElement) {
    if (control.type === 'checkbox') return control.checked;
    if (control.type === 'file') return fileRows([...(control.files ?? [])], props);
  }
  return control.value.slice(0, MAX_TEXT);
}

/** Pressed key, without what it would do. */
export function keyArguments(event: KeyboardEvent): JsonValue[] {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = event;
  return [{ key, code, altKey, ctrlKey, metaKey, shiftKey }];
}

/**
 * Position in the window, as in the protocol.
 *
 * @param deltaY - of several events
 */
export function wheelArguments({ clientX, clientY }: WheelEvent, deltaY: number): JsonValue[] {
  return [{ deltaY, x: clientX, y: clientY }];
}

async function fileRows(files: readonly File[], props: JsonObject): Promise<JsonValue> {
  const { contents, maxBytes } = props;
  const limit = typeof maxBytes === 'number' ? Math.min(maxBytes, MAX_CONTENT_BYTES) : USUAL_CONTENT_BYTES;
  let left = contents === 'text' || contents === 'base64' ? limit : -1;
  const rows: JsonObject[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    const row = { name: file.name, size: file.size, type: file.type };
    if (left < 0) rows.push(row);
    else if (file.size > left)
      rows.push({ ...row, error: t('larger than the %1 bytes that may be read', limit) });
    else {
      left -= file.size;
      rows.push({ ...row, ...(await contentOf(file, contents === 'text')) });
    }
  }
  return rows;
}

async function contentOf(file: File, isText: boolean): Promise<JsonObject> {
  try {
    if (isText) return { content: await file.text() };
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { content: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
  } catch {
    return { error: t('could not be read') };
  }
}
