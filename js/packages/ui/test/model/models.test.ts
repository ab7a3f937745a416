import { beforeEach, describe, expect, it } from 'vitest';
import { currentRow, filterModels, ModelsStore, parseModels } from '../../src/model/models.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const LIST = 'Settings.list_models';
const CHOOSE = 'Settings.choose_model';
const ANSWER = {
  current: { model: 'openai/gpt-a', source: '`llm.json`', demo: false },
  models: [
    { name: 'gemini/one', provider: 'gemini', has_key: false, max_input_tokens: 1000 },
    { name: 'openai/gpt-b', provider: 'openai', has_key: true, input_cost: 1e-6, output_cost: 2e-6 },
    { name: 'openai/gpt-a', provider: 'openai', has_key: true },
  ],
  providers: [
    { name: 'openai', key_variable: 'OPENAI_API_KEY', has_key: true, where: 'keyring' },
    { name: 'gemini', key_variable: 'GEMINI_API_KEY', has_key: false, where: '' },
  ],
};

describe('the list of models', () => {
  const names = (query: string) =>
    filterModels(parseModels(ANSWER), query).groups.flatMap(({ models }) => models.map(({ name }) => name));

  it('has the providers in the order of the server, those that it does not know last', () => {
    const models = [{ name: 'x/y', provider: 'x' }, ...ANSWER.models];
    const { groups } = filterModels(parseModels({ ...ANSWER, models }), '');
    expect(groups.map(({ provider }) => provider.name)).toEqual(['openai', 'gemini', 'x']);
  });

  it.each([
    ['GPT', ['openai/gpt-b', 'openai/gpt-a']],
    ['b openai', ['openai/gpt-b']],
    ['gemini', ['gemini/one']],
    ['nothing', []],
  ])('finds by words in any order and case: %s', (query, found) => {
    expect(names(query)).toEqual(found);
  });

  it.each([
    ['my/own-model', 'my/own-model'],
    ['openai/gpt-a', ''],
    ['two words', ''],
    ['', ''],
  ])('takes %j as the name of an unlisted model: %j', (query, other) => {
    expect(filterModels(parseModels(ANSWER), query).other).toBe(other);
  });

  it('can be done without for a full name', () => {
    expect(filterModels(null, 'my/own')).toEqual({ groups: [], hidden: 0, other: 'my/own' });
  });

  it.each([
    ['openai/gpt-a', 'openai/gpt-a'],
    ['gpt-b', 'openai/gpt-b'],
    ['elsewhere/gpt-b', undefined],
  ])('has %s in the row %s', (model, name) => {
    expect(currentRow(parseModels({ ...ANSWER, current: { model } }))?.name).toBe(name);
  });

  it('counts what is too much to draw', () => {
    const models = Array.from({ length: 500 }, (_, index) => ({ name: `p/m${index}`, provider: 'p' }));
    const { groups, hidden } = filterModels(parseModels({ models }), '');
    expect(groups.reduce((sum, group) => sum + group.models.length, hidden)).toBe(500);
    expect(hidden).toBeGreaterThan(0);
  });

  it('makes do with rows of another version', () => {
    const list = parseModels({
      models: [null, { name: 'p/x', provider: 'p', input_cost: 'free' }],
      providers: 7,
    });
    expect(list.current).toEqual({ name: '', source: '', isDemo: false });
    expect(list.models[1]).toMatchObject({ name: 'p/x', hasKey: false, maxInput: 0, inputCost: null });
  });
});

describe('choosing', () => {
  let rpc: FakeRpc;
  let store: ModelsStore;

  beforeEach(async () => {
    rpc = new FakeRpc();
    await rpc.become({ state: 'open', first: true });
    rpc.ready.set(LIST, () => ANSWER);
    store = new ModelsStore(rpc);
    await store.refresh();
  });

  const choose = async (name: string, answer: object) => {
    const done = store.choose(name);
    expect(store.choosing).toBe(name);
    await rpc.last(CHOOSE).answer(answer);
    await done;
    expect(store.choosing).toBe('');
  };

  it('says which model answers from now on, and looks again', async () => {
    await choose('openai/gpt-b', { status: 'ok', model: 'openai/gpt-b', source: 'llm.json' });
    expect(rpc.last(CHOOSE).args).toEqual(['openai/gpt-b']);
    expect(store.result).toContain('`openai/gpt-b` answers');
    expect(store.isRefused).toBe(false);
    expect(rpc.count(LIST)).toBe(2);
  });

  it('says when something stronger keeps another model', async () => {
    const source = 'the environment variable `JUPYTER_AC_MODEL`';
    await choose('openai/gpt-b', { status: 'ok', model: 'openai/gpt-a', source });
    expect(store.result).toContain(`${source} overrides it`);
    expect(store.result).toContain('`openai/gpt-a` stays in use');
  });

  it("passes the server's own words on", async () => {
    await choose('openai/gpt-b', { status: 'ok', model: 'openai/gpt-a', message: 'A flag overrides it.' });
    expect(store.result).toBe('A flag overrides it.');
  });

  it('takes a choice back', async () => {
    const done = store.choose('');
    expect(store.choosing).not.toBe('');
    await rpc.last(CHOOSE).answer({ status: 'ok', model: '', message: '' });
    await done;
    expect(store.result).toBe('No key is set: no model answers.');
    void store.choose('');
    await rpc.last(CHOOSE).answer({ status: 'ok', model: 'gemini/one', source: 'GEMINI_API_KEY' });
    expect(store.result).toContain('`gemini/one` answers');
  });

  it('tells a refusal as one', async () => {
    await choose('gemini/one', { error: 'The administrator has denied it.' });
    expect(store).toMatchObject({ result: 'The administrator has denied it.', isRefused: true });
  });

  it('makes one choice at a time', async () => {
    void store.choose('openai/gpt-b');
    void store.choose('gemini/one');
    await settle();
    expect(rpc.count(CHOOSE)).toBe(1);
  });

  it('is renewed only after it was had once', async () => {
    const fresh = new ModelsStore(rpc);
    await fresh.follow();
    expect(rpc.count(LIST)).toBe(1);
    await store.follow();
    expect(rpc.count(LIST)).toBe(2);
  });
});
