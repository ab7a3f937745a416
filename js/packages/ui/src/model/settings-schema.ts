/** What the server says of settings that a form can show, from the JSON schemas of the files. */

import { language, t, tn } from '@jupyter-ac/messages';
import { fields, list, numberOrNull, strings, text } from './wire.ts';

export type SettingPath = readonly string[];

/** How a value is entered. */
export type ValueKind = 'switch' | 'integer' | 'number' | 'choice' | 'text' | 'list' | 'map' | 'object';

/** A value's type, texts and limits. */
export interface ValueSchema {
  readonly kind: ValueKind;
  readonly title: string;
  readonly description: string;
  readonly choices: readonly string[];
  /** Of a number, of a text's length or of a list's length; null for none. */
  readonly least: number | null;
  readonly most: number | null;
  readonly isNullable: boolean;
  /** Whether the value may contain keys, which the server masks. */
  readonly isSecret: boolean;
  readonly default: unknown;
  /** Type of the items of a list or a map; null for others. */
  readonly items: ValueSchema | null;
  readonly members: readonly Member[];
}

/** Value of an object. */
export interface Member {
  readonly name: string;
  /** An older name for the same value; '' for none. */
  readonly alias: string;
  readonly isRequired: boolean;
  readonly schema: ValueSchema;
}

/** Setting of a file. */
export interface Setting {
  /** Type of the file, e.g. `app`. */
  readonly type: string;
  readonly path: SettingPath;
  /** Older path of the same value; null for none. */
  readonly alias: SettingPath | null;
  readonly section: string;
  readonly schema: ValueSchema;
}

/** Name of a setting as administrators write it: `app.edits.review`. */
export function settingKey({ type, path }: Pick<Setting, 'type' | 'path'>): string {
  return [type, ...path].join('.');
}

/** Settings of a file's schema, in the server's order. */
export function parseSettings(type: string, raw: unknown): Setting[] {
  return parseMembers(raw).flatMap((member) => settingsOf(type, [], member, ''));
}

function settingsOf(type: string, above: SettingPath, member: Member, section: string): Setting[] {
  const { name, alias, schema } = member;
  const path = [...above, name];
  if (schema.kind === 'object')
    return schema.members.flatMap((inner) => settingsOf(type, path, inner, section || schema.title || name));
  return [{ type, path, alias: alias ? [...above, alias] : null, section, schema }];
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  boolean: 'switch',
  integer: 'integer',
  number: 'number',
  string: 'text',
  array: 'list',
};

function parseValue(raw: unknown): ValueSchema {
  const schema = fields(raw);
  const types = typeof schema.type === 'string' ? [schema.type] : strings(schema.type);
  const choices = strings(schema.enum);
  const items = schema.items ?? (isObject(schema.additionalProperties) ? schema.additionalProperties : null);
  const limit = (...names: string[]) =>
    names.map((name) => numberOrNull(schema[name])).find((found) => found !== null) ?? null;
  return {
    kind: kindOf(types, choices, items !== null),
    title: translated(schema.title),
    description: translated(schema.description),
    choices,
    least: limit('minimum', 'minLength', 'minItems'),
    most: limit('maximum', 'maxLength', 'maxItems'),
    isNullable: types.includes('null'),
    isSecret: schema['x-secret'] === true,
    default: schema.default ?? null,
    items: items === null ? null : parseValue(items),
    members: parseMembers(schema),
  };
}

function kindOf(types: readonly string[], choices: readonly string[], hasItems: boolean): ValueKind {
  if (choices.length) return 'choice';
  if (types.includes('object')) return hasItems ? 'map' : 'object';
  return KINDS[types.find((type) => type in KINDS) ?? ''] ?? 'text';
}

function parseMembers(raw: unknown): Member[] {
  const schema = fields(raw);
  const required = strings(list(schema.required));
  return Object.entries(fields(schema.properties)).map(([name, inner]) => ({
    name,
    alias: text(fields(inner)['x-alias']),
    isRequired: required.includes(name),
    schema: parseValue(inner),
  }));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** An empty value to begin with: of a new item of a list, say. */
export function emptyValue(schema: ValueSchema): unknown {
  if (schema.default !== null) return schema.default;
  switch (schema.kind) {
    case 'switch':
      return false;
    case 'integer':
    case 'number':
      return schema.least ?? 0;
    case 'choice':
      return schema.choices[0] ?? '';
    case 'list':
      return [];
    case 'map':
      return {};
    case 'object':
      return Object.fromEntries(
        schema.members
          .filter(({ isRequired }) => isRequired)
          .map(({ name, schema: inner }) => [name, emptyValue(inner)]),
      );
    case 'text':
      return '';
  }
}

/** Whether two JSON values are equal; the order of an object's names does not count. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameValue(left[name], right[name]))
  );
}

/** The catalogue has the texts of the server's settings, too. */
function translated(value: unknown): string {
  const words = text(value);
  return words && t(words);
}

/** A value as a short text: `off`, `24,000`, `empty`, `2 entries`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('empty');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (typeof value === 'number') return value.toLocaleString(language());
  if (typeof value === 'string') return value;
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (count === 0) return t('none');
  return tn('%1 entry', '%1 entries', count);
}
