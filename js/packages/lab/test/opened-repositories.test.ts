import { beforeEach, expect, it } from 'vitest';
import { OpenedRepositories } from '../src/opened-repositories.ts';

beforeEach(() => sessionStorage.clear());

it('knows what was opened from a folder, also after a reload', () => {
  const opened = new OpenedRepositories(sessionStorage);
  opened.keep('', '/w/a');
  opened.keep('b', '/w/b');
  opened.keep('b', '/w/c');
  opened.forget('');
  for (const known of [opened, new OpenedRepositories(sessionStorage)]) {
    expect(['', 'b', 'c'].map((folder) => known.from(folder))).toEqual([null, '/w/c', null]);
  }
});

it('forgets the folders of long ago', () => {
  const opened = new OpenedRepositories(sessionStorage);
  for (let index = 0; index < 100; index++) opened.keep(`${index}`, '/w');
  expect([opened.from('0'), opened.from('99')]).toEqual([null, '/w']);
});

it.each(['{', '{"a": "/w"}', '[["a"], ["a", 1], "a", null]'])(
  'knows nothing where the storage holds %j',
  (text) => {
    sessionStorage.setItem('jupyter-ac.opened', text);
    expect(new OpenedRepositories(sessionStorage).from('a')).toBeNull();
  },
);

it('does without a storage, or with one that is full', () => {
  const full = {
    getItem: () => null,
    setItem() {
      throw new DOMException('QuotaExceededError');
    },
  };
  for (const storage of [null, full]) {
    const opened = new OpenedRepositories(storage);
    opened.keep('a', '/w');
    expect(opened.from('a')).toBe('/w');
  }
});
