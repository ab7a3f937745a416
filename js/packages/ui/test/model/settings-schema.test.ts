import { expect, it } from 'vitest';
import {
  emptyValue,
  isSameValue,
  parseSettings,
  settingKey,
  valueText,
} from '../../src/model/settings-schema.ts';
import { SCHEMAS } from '../support/settings-schemas.ts';

const ALL = Object.entries(SCHEMAS).flatMap(([type, schema]) => parseSettings(type, schema));
const find = (key: string) => ALL.find((setting) => settingKey(setting) === key);

it('are flat, each with the section of its object', () => {
  expect(ALL.map(settingKey)).toEqual([
    'litellm.model',
    'litellm.smaller_model',
    'litellm.api_base',
    'litellm.env',
    'app.edits.review',
    'app.edits.retries',
    'app.urls.fetch',
    'app.executors',
  ]);
  expect(ALL.map(({ section }) => section).slice(3)).toEqual(['', 'Edits', 'Edits', 'Web pages', '']);
});

it.each([
  ['litellm.model', 'text'],
  ['litellm.env', 'map'],
  ['app.edits.review', 'switch'],
  ['app.edits.retries', 'integer'],
  ['app.urls.fetch', 'choice'],
  ['app.executors', 'list'],
])('%s has a control for a %s', (key, kind) => {
  expect(find(key)?.schema.kind).toBe(kind);
});

it('have limits, older names and marks of secrets', () => {
  expect(find('app.edits.retries')?.schema).toMatchObject({ least: 0, most: 2, default: 1 });
  expect(find('litellm.smaller_model')?.alias).toEqual(['smallerModel']);
  expect(find('litellm.env')?.schema.isSecret).toBe(true);
  expect(find('litellm.api_base')?.schema).toMatchObject({ isNullable: true, default: null });
});

it('begin new items with what is required', () => {
  const items = find('app.executors')?.schema.items;
  expect(items && emptyValue(items)).toEqual({ name: '', kind: 'acp' });
});

it.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: undefined }, { b: undefined }, false],
  [[], {}, false],
  [null, {}, false],
  [1, '1', false],
])('%j and %j are the same: %s', (one, other, is) => {
  expect(isSameValue(one, other)).toBe(is);
});

it.each([
  [null, 'empty'],
  [true, 'on'],
  [24000, '24,000'],
  ['ask', 'ask'],
  [[], 'none'],
  [{ a: 1 }, '1 entry'],
])('%j is shown as %s', (value, words) => {
  expect(valueText(value)).toBe(words);
});

it('of an odd server are read as far as they go', () => {
  expect(parseSettings('app', null)).toEqual([]);
  expect(parseSettings('app', { properties: { a: 3 } })).toMatchObject([
    { schema: { kind: 'text', title: '' } },
  ]);
});
