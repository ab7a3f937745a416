import { beforeEach, expect, it } from 'vitest';
import { type EndpointAction, EndpointStore } from '../../src/model/endpoint.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const FIND = 'Settings.find_models';
const TRY = 'Settings.try_model';
const SAVE = 'Settings.save_config_content';
const KEY = 'Settings.set_key';
const SECRET = 'sk-very-secret-0123456789';
const ADDRESS = 'http://127.0.0.1:11434';
const ASKS = { status: 'confirm', changes: ['One request goes there.'] };
let rpc: FakeRpc;
let store: EndpointStore;

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  rpc.ready.set('Settings.list_endpoint_kinds', () => [
    { kind: 'ollama', title: 'Ollama', provider: 'ollama_chat', api_base: ADDRESS, key_variable: '' },
    {
      kind: 'other',
      title: 'Other',
      provider: 'hosted_vllm',
      api_base: '',
      key_variable: 'HOSTED_VLLM_API_KEY',
    },
  ]);
  rpc.ready.set('Settings.get_config_info', () => ({ unwritten: ['litellm'], api_base: null }));
  rpc.ready.set('Settings.get_config_content', () => '{"all": "defaults"}');
  store = new EndpointStore(rpc);
  await store.open();
});

async function act(action: EndpointAction, answers: [string, object][], key = '', isConfirmed = false) {
  const done = store.act(action, key, isConfirmed);
  for (const [method, answer] of answers) {
    await settle();
    await rpc.last(method).answer(answer);
  }
  await done;
}

it('begins with the usual address of the first kind', () => {
  expect(store).toMatchObject({ address: ADDRESS, model: '', kind: { kind: 'ollama' } });
  store.choose('other');
  expect(store.address).toBe('');
});

it('asks once for an address, then lists its models', async () => {
  await act('find', [[FIND, ASKS]]);
  expect(rpc.last(FIND).args).toEqual(['ollama', ADDRESS, '', false]);
  expect(store.pending).toEqual({ action: 'find', changes: ASKS.changes });
  const found = { status: 'ok', api_base: `${ADDRESS}/v1`, models: ['ollama_chat/a', 'ollama_chat/b'] };
  await act('find', [[FIND, found]], '', true);
  expect(store).toMatchObject({ models: found.models, model: 'ollama_chat/a', pending: null });
  expect(store.outcome).toEqual({ action: 'find', isGood: true, message: '2 models were found.' });
  const tried = { status: 'ok', milliseconds: 321, text: 'ready' };
  await act('try', [[TRY, tried]]);
  expect(rpc.last(TRY).args).toEqual(['ollama_chat/a', `${ADDRESS}/v1`, '', true]);
  expect(store.outcome?.message).toBe('`ollama_chat/a` answered in 321 ms: “ready”');
  store.enterAddress('http://other');
  await act('try', [[TRY, ASKS]]);
  expect(rpc.last(TRY).args[3]).toBe(false);
});

it('says what failed in the words of the server', async () => {
  await act('find', [[FIND, { error: 'The server can’t be reached. Start it.' }]]);
  expect(store.outcome).toEqual({
    action: 'find',
    isGood: false,
    message: 'The server can’t be reached. Start it.',
  });
});

it('puts the provider in front of a typed name', () => {
  store.choose('other');
  store.enterModel(' Qwen/Qwen3-4B ');
  expect(store.model).toBe('hosted_vllm/Qwen/Qwen3-4B');
  store.enterModel('hosted_vllm/x');
  expect(store.model).toBe('hosted_vllm/x');
});

it('keeps model, address and key after one question, and never the key itself', async () => {
  store.choose('other');
  store.enterAddress('http://gpu:8000/v1/');
  store.enterModel('m');
  await act(
    'keep',
    [
      [KEY, { status: 'confirm', changes: ['The key is kept.'] }],
      [SAVE, { status: 'confirm', changes: ['api_base: http://gpu:8000/v1.'] }],
    ],
    SECRET,
  );
  expect(store.pending?.changes).toEqual(['api_base: http://gpu:8000/v1.', 'The key is kept.']);
  rpc.ready.set('Settings.get_config_info', () => ({
    unwritten: ['litellm'],
    api_base: 'http://gpu:8000/v1',
    model: 'hosted_vllm/m',
  }));
  await act(
    'keep',
    [
      [KEY, { status: 'ok', where: 'keyring' }],
      [SAVE, { status: 'ok', notices: [] }],
    ],
    SECRET,
    true,
  );
  expect(rpc.last(KEY).args).toEqual(['HOSTED_VLLM_API_KEY', SECRET, true]);
  expect(JSON.parse(rpc.last(SAVE).args[1] as string)).toEqual({
    model: 'hosted_vllm/m',
    api_base: 'http://gpu:8000/v1',
  });
  expect(store.outcome?.message).toBe('`hosted_vllm/m` answers from the next question on.');
  expect(store.inForce).toBe('http://gpu:8000/v1');
  const held = JSON.stringify(store, (name, value) => (name === 'rpc' ? undefined : value));
  expect(held).not.toContain(SECRET);
});

it('takes the address away again', async () => {
  rpc.ready.set('Settings.get_config_info', () => ({ unwritten: [], api_base: null }));
  rpc.ready.set('Settings.get_config_content', () => '{"model": "a/b", "api_base": "http://x", "env": {}}');
  await act('remove', [[SAVE, { status: 'ok' }]]);
  expect(JSON.parse(rpc.last(SAVE).args[1] as string)).toEqual({ model: 'a/b', env: {} });
});

it('tries a model that is set up', async () => {
  const done = store.tryModel('openai/x');
  await rpc.last(TRY).answer({ status: 'ok', milliseconds: 12_400, text: '' });
  await done;
  expect(rpc.last(TRY).args).toEqual(['openai/x', '', '', false]);
  expect(store.outcome?.message).toBe('`openai/x` answered in 12 s, without a text.');
});
