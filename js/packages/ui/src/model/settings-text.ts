/** Changes single values in the text of a settings file and leaves the rest of it as it is. */

import { applyEdits, type FormattingOptions, modify } from 'jsonc-parser';
import { isSameValue, type SettingPath } from './settings-schema.ts';

const FORMAT: FormattingOptions = { insertSpaces: true, tabSize: 2 };

/** The value at a path; undefined if there is none. */
export function valueAt(values: unknown, path: SettingPath): unknown {
  let value = values;
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || !Object.hasOwn(value as object, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/**
 * The text with one value changed; undefined removes it, and objects around it that become empty.
 *
 * @returns '' for a text without any values; null if the text does not say it in one place only
 */
export function withValue(content: string, path: SettingPath, value: unknown): string | null {
  const source = content.trim() ? content : '{}';
  let result = edited(source, path, value);
  for (let length = path.length - 1; value === undefined && length > 0; length -= 1) {
    const above = path.slice(0, length);
    if (!isSameValue(valueAt(JSON.parse(result), above), {})) break;
    result = edited(result, above, undefined);
  }
  const values: unknown = JSON.parse(result);
  // A name that is there twice: the last one counts, and the first one was changed.
  if (!isSameValue(valueAt(values, path), value)) return null;
  if (isSameValue(values, {})) return '';
  return result.endsWith('\n') ? result : `${result}\n`;
}

function edited(source: string, path: SettingPath, value: unknown): string {
  if (value === undefined && valueAt(JSON.parse(source), path) === undefined) return source;
  return applyEdits(source, modify(source, [...path], value, { formattingOptions: FORMAT }));
}
