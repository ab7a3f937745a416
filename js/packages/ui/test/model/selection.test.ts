import { expect, it, vi } from 'vitest';
import { SelectionStore } from '../../src/model/selection.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const SET = 'LLMService.set_selected_files';
const GET = 'LLMService.get_selected_files';

function make(): { rpc: FakeRpc; store: SelectionStore; onError: ReturnType<typeof vi.fn> } {
  const rpc = new FakeRpc();
  const onError = vi.fn();
  return { rpc, store: new SelectionStore(rpc, onError), onError };
}

it('shows a tick at once and sends it', () => {
  const { rpc, store } = make();
  store.mark(['a'], true);
  expect(store.has('a')).toBe(true);
  expect(rpc.last(SET).args).toEqual([['a']]);
});

it("takes the server's list over its own: unknown paths go", async () => {
  const { rpc, store } = make();
  store.mark(['a', 'gone'], true);
  await rpc.last(SET).answer(['a']);
  expect(store.paths).toEqual(['a']);
});

it('sends ticks made meanwhile once more, together, after the first', async () => {
  const { rpc, store } = make();
  store.mark(['a'], true);
  store.mark(['b'], true);
  store.mark(['c'], true);
  expect(rpc.count(SET)).toBe(1);
  await rpc.last(SET).answer(['a']);
  expect(rpc.count(SET)).toBe(2);
  expect(rpc.last(SET).args).toEqual([['a', 'b', 'c']]);
  expect(store.paths).toEqual(['a', 'b', 'c']);
});

it('does not let the echo of an older tick undo a newer one', async () => {
  const { rpc, store } = make();
  store.mark(['a'], true);
  store.mark(['b'], true);
  await rpc.emit('filesChanged', ['a']);
  expect(store.paths).toEqual(['a', 'b']);
});

it('asks which list holds when another page changed it meanwhile', async () => {
  const { rpc, store } = make();
  store.mark(['a'], true);
  await rpc.emit('filesChanged', ['other']);
  await rpc.last(SET).answer(['a']);
  await rpc.last(GET).answer(['other']);
  expect(store.paths).toEqual(['other']);
});

it("follows another page's change", async () => {
  const { rpc, store } = make();
  await rpc.emit('filesChanged', ['x', 'y']);
  expect(store.paths).toEqual(['x', 'y']);
});

it('keeps the order of the others when one is unticked, and appends new ones', async () => {
  const { rpc, store } = make();
  store.adopt(['a', 'b', 'c']);
  store.mark(['b'], false);
  store.mark(['a', 'd'], true);
  expect(store.paths).toEqual(['a', 'c', 'd']);
  expect(rpc.count(SET)).toBe(1);
});

it('sends nothing when nothing changes', () => {
  const { rpc, store } = make();
  store.adopt(['a']);
  store.mark(['a'], true);
  store.mark(['b'], false);
  expect(rpc.calls).toHaveLength(0);
});

it('is settled when the server has the last tick', async () => {
  const { rpc, store } = make();
  let isSettled = false;
  store.mark(['a'], true);
  void store.settled().then(() => {
    isSettled = true;
  });
  await settle();
  expect(isSettled).toBe(false);
  await rpc.last(SET).answer(['a']);
  expect(isSettled).toBe(true);
});

it('says when a tick could not be sent, and goes on with the next', async () => {
  const { rpc, store, onError } = make();
  store.mark(['a'], true);
  await rpc.last(SET).fail('internal', 'broken');
  expect(onError).toHaveBeenCalledWith(expect.stringContaining('broken'));
  store.mark(['b'], true);
  await rpc.last(GET).fail('internal', 'still broken');
  expect(rpc.last(SET).args).toEqual([['a', 'b']]);
  expect([rpc.count(SET), onError.mock.calls.length]).toEqual([2, 1]);
});

it('takes back the ticks that the server refuses', async () => {
  const { rpc, store } = make();
  store.adopt(['a']);
  store.mark(['b', 'c'], true);
  await rpc.last(SET).fail('invalid', 'too many');
  await rpc.last(GET).answer(['a']);
  expect(store.paths).toEqual(['a']);
});

it('knows which files the program has ticked, as long as they stay ticked', async () => {
  const { rpc, store } = make();
  await rpc.emit('filesChanged', ['mine', 'its'], ['its']);
  expect([store.isByProgram('mine'), store.isByProgram('its')]).toEqual([false, true]);
  store.mark(['other'], true);
  expect(store.isByProgram('its')).toBe(true);
  store.mark(['its'], false);
  store.mark(['its'], true);
  expect(store.isByProgram('its')).toBe(false);
});

it('ticks no excluded file, and says so', () => {
  const { rpc, store, onError } = make();
  store.isExcluded = (path) => path.startsWith('vault/');
  store.mark(['vault/a.py'], true);
  expect(onError).toHaveBeenLastCalledWith(
    'Excluded, and not ticked: vault/a.py. Include it in the list of files to send it.',
  );
  expect(rpc.count(SET)).toBe(0);
  store.mark(['vault/a.py', 'b.py', 'vault/c.py'], true);
  expect(onError.mock.lastCall?.[0]).toContain('vault/a.py, vault/c.py.');
  expect(store.paths).toEqual(['b.py']);
});
