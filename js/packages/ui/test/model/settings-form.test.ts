import { beforeEach, describe, expect, it } from 'vitest';
import { type SettingState, SettingsFormStore } from '../../src/model/settings-form.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { SCHEMAS } from '../support/settings-schemas.ts';

const SAVE = 'Settings.save_config_content';
let rpc: FakeRpc;
let store: SettingsFormStore;
let disk: Record<string, string>;
let unwritten: string[];

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  disk = { litellm: '{\n  "smallerModel": "x/small",\n  "novel": 1\n}\n' };
  unwritten = ['app'];
  rpc.ready.set('Settings.get_schemas', () => ({ schemas: SCHEMAS }));
  rpc.ready.set('Settings.get_config_info', () => ({ unwritten, locked: ['app.urls', 'litellm.model'] }));
  rpc.ready.set('Settings.get_config_content', (type) => disk[type as string] ?? '{"all": "defaults"}');
  store = new SettingsFormStore(rpc);
  await store.load();
});

function row(key: string): SettingState {
  const found = store.sections.flatMap(({ rows }) => rows).find((each) => each.key === key);
  if (!found) throw new Error(`there is no ${key}`);
  return found;
}

async function set(key: string, value: unknown, answer: object, isConfirmed = false): Promise<void> {
  const done = store.set(row(key).setting, value, isConfirmed);
  await settle();
  await rpc.last(SAVE).answer(answer);
  await done;
}

it('shows values, defaults, what is changed and what is locked', () => {
  expect(store.sections.map(({ title }) => title)).toEqual([
    'Requests to models',
    'Edits',
    'Web pages',
    'Executors',
  ]);
  expect(row('app.edits.retries')).toMatchObject({ value: 1, isChanged: false, isLocked: false });
  expect(row('litellm.smaller_model')).toMatchObject({ value: 'x/small', isChanged: true });
  expect(row('app.urls.fetch').isLocked).toBe(true);
  expect(row('litellm.model').isLocked).toBe(true);
  expect(store.changedCount).toBe(1);
});

it('is searched by words of names, descriptions and sections', () => {
  store.search('failed EDITS');
  expect(store.sections.flatMap(({ rows }) => rows).map(({ key }) => key)).toEqual(['app.edits.retries']);
  store.search('');
  store.showOnlyChanged(true);
  expect(store.sections.flatMap(({ rows }) => rows).map(({ key }) => key)).toEqual(['litellm.smaller_model']);
});

describe('a value', () => {
  it('is saved alone, in a file that was not there', async () => {
    await set('app.edits.retries', 2, { status: 'ok', notices: ['It holds.'] });
    expect(rpc.last(SAVE).args).toEqual(['app', '{\n  "edits": {\n    "retries": 2\n  }\n}\n', false]);
    expect(store.result).toEqual({ key: 'app.edits.retries', sentences: ['Saved.', 'It holds.'] });
  });

  it('that is refused keeps what was entered, with the sentence of the server', async () => {
    await set('app.edits.retries', 9, { error: 'app.json, line 3: edits.retries must be at most 2.' });
    expect(store.problem('app.edits.retries')).toBe('app.json, line 3: edits.retries must be at most 2.');
    expect(store.shown(row('app.edits.retries'))).toBe(9);
    expect(row('app.edits.retries').value).toBe(1);
    store.discard('app.edits.retries');
    expect(store.shown(row('app.edits.retries'))).toBe(1);
    expect(store.problem('app.edits.retries')).toBe('');
  });

  it('that is the default again leaves the file', async () => {
    unwritten = [];
    disk.app = '{"edits": {"review": true}, "novel": 2}';
    await store.load();
    expect(row('app.edits.review').isChanged).toBe(true);
    const done = store.reset(row('app.edits.review').setting);
    await settle();
    expect(JSON.parse(rpc.last(SAVE).args[1] as string)).toEqual({ novel: 2 });
    disk.app = '{"novel": 2}\n';
    await rpc.last(SAVE).answer({ status: 'ok' });
    await done;
    expect(row('app.edits.review').isChanged).toBe(false);
  });

  it('moves from its older name to the present one', async () => {
    await set('litellm.smaller_model', 'y/small', { status: 'ok' });
    expect(JSON.parse(rpc.last(SAVE).args[1] as string)).toEqual({ novel: 1, smaller_model: 'y/small' });
  });

  it('is confirmed first where keys or code would go elsewhere', async () => {
    const answer = { status: 'confirm', changes: ['api_base: questions go to http://x.'] };
    await set('litellm.api_base', 'http://x', answer);
    expect(store.pending).toEqual({ key: 'litellm.api_base', changes: answer.changes });
    await set('litellm.api_base', 'http://x', { status: 'ok' }, true);
    expect(rpc.last(SAVE).args[2]).toBe(true);
    expect(store.pending).toBeNull();
  });

  it('is put into the text that is on disk now', async () => {
    unwritten = [];
    disk.app = '{"edits": {"review": true}}';
    await set('app.edits.retries', 0, { status: 'ok' });
    expect(JSON.parse(rpc.last(SAVE).args[1] as string)).toEqual({ edits: { review: true, retries: 0 } });
  });

  it('can only be changed as text in a file that is no JSON', async () => {
    disk.litellm = '{ nothing';
    await store.load();
    expect(store.broken).toEqual(['litellm']);
    expect(row('litellm.env').isLocked).toBe(true);
    await store.set(row('litellm.env').setting, {});
    expect(rpc.count(SAVE)).toBe(0);
    expect(store.problem('litellm.env')).toContain('as text');
  });
});

it('forgets entered values that may be keys', () => {
  store.draft('litellm.env', { K: 'sk-plain' });
  store.draft('app.executors', [{}]);
  store.discardSecrets();
  expect(store.hasDraft('litellm.env')).toBe(false);
  expect(store.hasDraft('app.executors')).toBe(true);
});

it('says why it could not be loaded', async () => {
  rpc.ready.delete('Settings.get_schemas');
  const loading = store.load();
  await settle();
  await rpc.last('Settings.get_schemas').fail('internal', 'No.');
  await loading;
  expect(store).toMatchObject({ error: 'No.', isLoaded: false, sections: [] });
});

it('follows changes elsewhere once it was shown', async () => {
  disk.app = '{"edits": {"retries": 0}}';
  unwritten = [];
  await store.follow();
  expect(row('app.edits.retries').value).toBe(0);
});
