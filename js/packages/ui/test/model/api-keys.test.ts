import { beforeEach, expect, it } from 'vitest';
import { ApiKeysStore } from '../../src/model/api-keys.ts';
import { ModelsStore } from '../../src/model/models.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const SET = 'Settings.set_key';
const SECRET = 'sk-very-secret-0123456789';
let rpc: FakeRpc;
let store: ApiKeysStore;

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  rpc.ready.set('Settings.list_models', () => ({ models: [], providers: [] }));
  store = new ApiKeysStore(rpc, new ModelsStore(rpc));
  store.begin({ keyVariable: 'OPENAI_API_KEY' });
});

/** All that the store holds, but for the port that it speaks through. */
function kept(): string {
  return JSON.stringify(store, (name, value) => (name === 'rpc' ? undefined : value));
}

it('sends a key once more when it has been confirmed, and says where it is', async () => {
  const first = store.send(SECRET, false);
  await rpc.last(SET).answer({ status: 'confirm', changes: ['It goes to the keyring.'] });
  expect(await first).toBe(false);
  expect(store.changes).toEqual(['It goes to the keyring.']);
  const second = store.send(SECRET, true);
  await rpc.last(SET).answer({ status: 'ok', where: 'keyring' });
  expect(await second).toBe(true);
  expect(rpc.last(SET).args).toEqual(['OPENAI_API_KEY', SECRET, true]);
  expect(store.result).toContain("the system's keyring");
  expect(store.variable).toBe('');
  expect(rpc.count('Settings.list_models')).toBe(1);
});

it('keeps the key nowhere', async () => {
  void store.send(SECRET, false);
  await rpc.last(SET).answer({ status: 'confirm', changes: ['x'] });
  expect(kept()).not.toContain(SECRET);
  void store.send(SECRET, true);
  await rpc.last(SET).answer({ status: 'ok', where: 'llm.json' });
  expect(kept()).not.toContain(SECRET);
  expect(store.result).toContain('readable by you only');
});

it('tells a refusal and keeps the form', async () => {
  void store.send(SECRET, false);
  await rpc.last(SET).answer({ error: 'The keyring is locked.' });
  expect(store).toMatchObject({
    error: 'The keyring is locked.',
    variable: 'OPENAI_API_KEY',
    isSending: false,
  });
});

it('removes', async () => {
  store.begin({ keyVariable: 'OPENAI_API_KEY' }, true);
  void store.send('', false);
  await rpc.last(SET).answer({ status: 'ok', where: '' });
  expect(rpc.last(SET).args).toEqual(['OPENAI_API_KEY', '', false]);
  expect(store.result).toContain('removed');
});

it('lets a late answer say nothing about another form', async () => {
  void store.send(SECRET, false);
  store.begin({ keyVariable: 'GEMINI_API_KEY' });
  await rpc.last(SET).answer({ error: 'Too late.' });
  expect(store).toMatchObject({ error: '', variable: 'GEMINI_API_KEY' });
});

it('sends nothing twice at once, and nothing without a form', async () => {
  void store.send(SECRET, false);
  void store.send(SECRET, false);
  expect(rpc.count(SET)).toBe(1);
  await rpc.last(SET).answer({ status: 'ok', where: 'keyring' });
  await settle();
  expect(await store.send(SECRET, false)).toBe(false);
  expect(rpc.count(SET)).toBe(1);
});

it('is done before the providers have been listed again', async () => {
  rpc.ready.delete('Settings.list_models');
  const done = store.send(SECRET, true);
  await rpc.last(SET).answer({ status: 'ok', where: 'llm.json' });
  expect(await done).toBe(true);
  expect(rpc.count('Settings.list_models')).toBe(1);
});
