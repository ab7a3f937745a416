import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ContextItemsStore } from '../../src/model/context-items.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const ITEM: ContextItemGiven = { kind: 'variable', name: 'df', text: 'DataFrame', source: 'a.ipynb' };
const row = (id: string, more: object = {}) => ({
  ...{ id, kind: 'variable', name: 'df', source: 'a.ipynb', tokens: 9, taken_ms: 1, secrets: 0, images: 0 },
  ...more,
});

let rpc: FakeRpc;
let store: ContextItemsStore;
const say = vi.fn();
const recount = vi.fn();
const states = () => store.chips.map(({ name, state }) => `${name} ${state}`);

beforeEach(async () => {
  vi.clearAllMocks();
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  store = new ContextItemsStore(rpc, { say, recount });
});

describe('what is added', () => {
  it('is a chip at once, and has the tokens that the server counted', async () => {
    const added = store.add('variable', 'df', async () => ITEM);
    expect(states()).toEqual(['df adding']);
    await settle();
    expect(rpc.last('LLMService.add_context').args).toEqual([ITEM]);
    await rpc.last('LLMService.add_context').answer(row('1', { secrets: 2 }));
    expect(await added).toBe(true);
    expect(store.chips).toMatchObject([{ key: '1', state: 'ready', tokens: 9, secrets: 2 }]);
    expect(recount).toHaveBeenCalledOnce();
  });

  it('has its images stored first', async () => {
    rpc.ready.set('LLMService.put_image', () => ({ id: 'i1' }));
    void store.add('output', 'output', async () => ({ ...ITEM, images: ['data:image/png;base64,AA=='] }));
    await settle();
    expect(rpc.last('LLMService.add_context').args).toEqual([{ ...ITEM, images: ['i1'] }]);
  });

  it('takes the place of the same one', async () => {
    await rpc.emit('contextChanged', [row('1'), row('2', { name: 'x' })]);
    void store.add('variable', 'df', async () => ITEM);
    await settle();
    await rpc.last('LLMService.add_context').answer(row('3'));
    expect(store.chips.map(({ key }) => key)).toEqual(['2', '3']);
  });

  it('says why it failed, can be tried again and removed', async () => {
    const read = vi.fn(async () => ITEM).mockRejectedValueOnce(new Error('The kernel is busy.'));
    expect(await store.add('variable', 'df', read)).toBe(false);
    expect(store.chips).toMatchObject([{ state: 'failed', error: 'The kernel is busy.' }]);
    const again = store.retry(store.chips[0]?.key ?? '');
    await settle();
    await rpc.last('LLMService.add_context').answer({ error: 'At most 20 things can be added.' });
    await again;
    expect(store.chips[0]?.error).toBe('At most 20 things can be added.');
    await store.remove(store.chips[0]?.key ?? '');
    expect(store.chips).toEqual([]);
    expect(rpc.count('LLMService.remove_context')).toBe(0);
  });

  it('does not come back when it was removed while it was added', async () => {
    const added = store.add('variable', 'df', async () => ITEM);
    await settle();
    await store.remove(store.chips[0]?.key ?? '');
    await rpc.last('LLMService.add_context').answer(row('1'));
    expect(rpc.last('LLMService.remove_context').args).toEqual(['1']);
    await rpc.last('LLMService.remove_context').answer([]);
    expect(await added).toBe(false);
    expect(store.chips).toEqual([]);
  });

  it('leaves nothing when there is no item to add', async () => {
    expect(await store.add('notebook', 'notebook', async () => null)).toBe(true);
    expect(store.chips).toEqual([]);
    expect(rpc.count('LLMService.add_context')).toBe(0);
  });
});

describe('the list', () => {
  it('is read again when a question was asked or answered, or another conversation is shown', async () => {
    for (const event of ['userMessage', 'streamComplete', 'sessionChanged'] as const) await rpc.emit(event);
    expect(rpc.count('LLMService.get_context_items')).toBe(3);
    await rpc.last('LLMService.get_context_items').answer([row('1')]);
    expect(states()).toEqual(['df ready']);
  });

  it('keeps what an event said after it was asked for', async () => {
    void store.refresh();
    await rpc.emit('contextChanged', [row('1')]);
    await rpc.last('LLMService.get_context_items').answer([]);
    expect(states()).toEqual(['df ready']);
  });

  it('is not asked for where the server has none', async () => {
    rpc.lacking.add('LLMService.add_context');
    await store.refresh();
    expect(rpc.calls).toEqual([]);
  });

  it('has no longer what is removed, unless that fails', async () => {
    await rpc.emit('contextChanged', [row('1')]);
    const removed = store.remove('1');
    expect(states()).toEqual([]);
    await rpc.last('LLMService.remove_context').fail('timeout', 'No answer.');
    await rpc.last('LLMService.get_context_items').answer([row('1')]);
    await removed;
    expect(states()).toEqual(['df ready']);
    expect(say).toHaveBeenCalledWith('error', 'It could not be removed: No answer.');
  });

  it('waits for all that is being added, and forgets failures when the question goes out', async () => {
    void store.add('error', 'last error', async () => {
      throw new Error('There is no error.');
    });
    await store.settled();
    store.refuse('Not sent.');
    expect([store.refusal, states()]).toEqual(['Not sent.', ['last error failed']]);
    store.refuse('');
    expect([store.refusal, states()]).toEqual(['', []]);
  });
});
