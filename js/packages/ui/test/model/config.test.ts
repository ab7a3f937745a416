import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigStore, lineRange } from '../../src/model/config.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const SAVE = 'Settings.save_config_content';
const READ = 'Settings.get_config_content';
let rpc: FakeRpc;
let store: ConfigStore;
let disk: Record<string, string>;

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  disk = { litellm: '{}', app: '{"edits": {}}' };
  rpc.ready.set('Settings.get_config_info', () => ({
    types: ['app', 'litellm', 'novel', 'review'],
    locked: ['review', 'litellm.api_base'],
    config_dir: '/home/a',
    keyring: true,
  }));
  rpc.ready.set(READ, (type) => disk[type as string] ?? '');
  store = new ConfigStore(rpc);
  await store.load();
});

async function save(answer: object, isConfirmed = false): Promise<void> {
  const done = store.save(isConfirmed);
  await rpc.last(SAVE).answer(answer);
  await done;
}

it('lists the files that the server knows, in our order, and opens the first', () => {
  expect(store.files.map(({ file }) => file)).toEqual(['llm.json', 'app.json', 'review.md', 'novel']);
  expect(store).toMatchObject({ type: 'litellm', text: '{}', folder: '/home/a', hasKeyring: true });
});

it('says what is locked: a file, or a setting in it', async () => {
  expect(store.isLocked).toBe(false);
  expect(store.lockedKeys).toEqual(['api_base']);
  store.open('review');
  await settle();
  expect(store.isLocked).toBe(true);
  await store.save();
  expect(rpc.count(SAVE)).toBe(0);
});

it('says that what is shown are the defaults while no file says anything', async () => {
  rpc.ready.set('Settings.get_config_info', () => ({ types: ['litellm', 'app'], unwritten: ['app'] }));
  await store.loadInfo();
  disk.app = '{"edits": {}}';
  expect(store.isDefault).toBe(false);
  store.open('app');
  await settle();
  expect(store.isDefault).toBe(true);
  store.edit('{}');
  expect(store.isDefault).toBe(false);
});

describe('saving', () => {
  it('shows the file as the server has it afterwards', async () => {
    store.edit('{"env": {"K": "sk-plain"}}');
    expect(store.isDirty).toBe(true);
    disk.litellm = '{"env": {"K": "sk-…"}}';
    await save({ status: 'ok', type: 'litellm', notices: ['The model is `x`.'] });
    expect(rpc.last(SAVE).args).toEqual(['litellm', '{"env": {"K": "sk-plain"}}', false]);
    expect(store).toMatchObject({ isDirty: false, text: '{"env": {"K": "sk-…"}}' });
    expect(store.notices).toEqual(['Saved.', 'The model is `x`.']);
  });

  it('keeps the text beside an error, and knows its line', async () => {
    store.edit('{\n"a" 1}');
    await save({ error: 'llm.json, line 2: a colon is missing.', line: 2 });
    expect(store.problem).toEqual({ message: 'llm.json, line 2: a colon is missing.', line: 2 });
    expect(store).toMatchObject({ text: '{\n"a" 1}', isDirty: true });
  });

  it('asks first when the server wants it so', async () => {
    store.edit('{"api_base": "http://x"}');
    await save({ status: 'confirm', changes: ['`api_base` becomes `http://x`.'] });
    expect(store.changes).toHaveLength(1);
    expect(store.isDirty).toBe(true);
    await save({ status: 'ok' }, true);
    expect(rpc.last(SAVE).args[2]).toBe(true);
    expect(store.changes).toEqual([]);
  });

  it('forgets the question when the text changes', async () => {
    store.edit('{"api_base": "http://x"}');
    await save({ status: 'confirm', changes: ['x'] });
    store.edit('{"api_base": "http://y"}');
    expect(store.changes).toEqual([]);
  });

  it('leaves what was typed meanwhile alone', async () => {
    store.edit('{"a": 1}');
    const done = store.save();
    store.edit('{"a": 12}');
    await rpc.last(SAVE).answer({ status: 'ok' });
    await done;
    expect(store).toMatchObject({ text: '{"a": 12}', isDirty: true });
  });

  it('tells why it failed', async () => {
    store.edit('1');
    void store.save();
    await rpc.last(SAVE).fail('access_denied', 'You may not.');
    expect(store.problem).toEqual({ message: 'You may not.', line: null });
  });
});

describe('unsaved changes', () => {
  it('are asked about before another file is opened', async () => {
    store.edit('new');
    store.open('app');
    await settle();
    expect(store).toMatchObject({ type: 'litellm', isLeaving: true });
    store.stay();
    expect(store).toMatchObject({ isLeaving: false, text: 'new' });
    store.open('app');
    store.discard();
    await settle();
    expect(store).toMatchObject({ type: 'app', text: '{"edits": {}}', isDirty: false });
  });

  it('are not touched by a change on disk; without any the file is read again', async () => {
    disk.litellm = '{"model": "x"}';
    store.edit('mine');
    await store.follow();
    expect(store.text).toBe('mine');
    store.discard();
    await store.follow();
    expect(store.text).toBe('{"model": "x"}');
  });

  it('are not needed to keep the words about the last save', async () => {
    store.edit('{"a": 1}');
    await save({ status: 'ok' });
    await store.follow();
    expect(store.notices).toEqual(['Saved.']);
  });

  it('stop nobody when there are none', () => {
    const go = vi.fn();
    store.leave(go);
    expect(go).toHaveBeenCalledOnce();
  });
});

describe('reading from disk', () => {
  it('makes the server read too, and tells what is wrong with the file', async () => {
    rpc.ready.set('Settings.reload_llm_config', () => ({ error: 'llm.json, line 3: no.', line: 3 }));
    store.reload();
    await settle();
    await settle();
    expect(rpc.count('Settings.reload_llm_config')).toBe(1);
    expect(store.problem).toEqual({ message: 'llm.json, line 3: no.', line: 3 });
  });

  it('passes on what the server has to say of it', async () => {
    rpc.ready.set('Settings.reload_app_config', () => ({ status: 'ok', notices: ['`x` is locked.'] }));
    store.open('novel');
    await settle();
    store.reload();
    await settle();
    await settle();
    expect(store.notices).toEqual(['Read from disk.', '`x` is locked.']);
  });

  it('is all there is to do with a server that reads at each use', async () => {
    rpc.lacking.add('Settings.reload_llm_config');
    store.reload();
    await settle();
    expect(store.notices).toEqual(['Read from disk.']);
  });
});

it('shows the last file asked for, however late another comes', async () => {
  rpc.ready.delete(READ);
  store.open('app');
  const slow = rpc.last(READ);
  store.open('novel');
  await rpc.last(READ).answer('novel text');
  await slow.answer('app text');
  expect(store).toMatchObject({ type: 'novel', text: 'novel text' });
});

it.each([
  ['a\nbc\nd', 2, [2, 4]],
  ['a\nbc\nd', 1, [0, 1]],
  ['a\nbc\nd', 9, [5, 6]],
  ['', 1, [0, 0]],
])('finds line of %j: %i', (content, line, range) => {
  expect(lineRange(content, line)).toEqual(range);
});
