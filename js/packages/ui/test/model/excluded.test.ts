import { expect, it, vi } from 'vitest';
import { ExcludedStore } from '../../src/model/excluded.ts';
import { Tree, type TreeNode } from '../../src/model/tree.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const SET = 'LLMService.set_excluded_index_files';
const GET = 'LLMService.get_excluded_index_files';

const tree = new Tree();
for (const path of ['vault/deep/a.py', 'vault/deep/b.py', 'vault/c.py', 'other/d.py', 'top.py'])
  tree.put({ path, lines: 1, changedAt: 0, flags: 0, additions: 0, deletions: 0 });

function node(path: string): TreeNode {
  const found = tree.get(path);
  if (!found) throw new Error(path);
  return found;
}

function make(...paths: string[]): { rpc: FakeRpc; store: ExcludedStore; onError: ReturnType<typeof vi.fn> } {
  const rpc = new FakeRpc();
  const onError = vi.fn();
  const store = new ExcludedStore(rpc, onError);
  store.adopt(paths);
  return { rpc, store, onError };
}

it('knows of each row whether all of it, some or none is excluded', () => {
  const { store } = make('vault/deep', 'gone.py');
  const rows = ['vault', 'vault/deep', 'vault/deep/a.py', 'vault/c.py', 'vault/deeper', 'other'];
  expect(rows.map((path) => store.of(path))).toEqual(['some', 'all', 'all', 'none', 'none', 'none']);
  expect(make().store.of('vault')).toBe('none');
});

it('takes a folder in place of what is in it', async () => {
  const { rpc, store } = make('vault/c.py', 'vaults.py');
  void store.exclude(node('vault'));
  expect(store.paths).toEqual(['vaults.py', 'vault']);
  await settle();
  expect(rpc.last(SET).args).toEqual([['vaults.py', 'vault']]);
});

it('leaves the rest of an excluded folder excluded when one file of it is included', async () => {
  const { rpc, store } = make('top.py', 'vault');
  void store.include(node('vault/deep/a.py'));
  await settle();
  expect(rpc.last(SET).args).toEqual([['top.py', 'vault/deep/b.py', 'vault/c.py']]);
  expect(store.of('vault')).toBe('some');
});

it('includes all of a folder', async () => {
  const { rpc, store } = make('vault/deep/a.py', 'vault/c.py', 'top.py');
  void store.include(node('vault'));
  await settle();
  expect(rpc.last(SET).args).toEqual([['top.py']]);
});

it('sends one change after another, and the last answer holds', async () => {
  const { rpc, store } = make();
  const first = store.exclude(node('top.py'));
  const second = store.exclude(node('other'));
  await settle();
  expect(rpc.count(SET)).toBe(1);
  await rpc.emit('excludedFilesChanged', ['top.py']);
  expect(store.paths).toEqual(['top.py', 'other']);
  await rpc.last(SET).answer(['top.py']);
  expect(store.paths).toEqual(['top.py', 'other']);
  await rpc.last(SET).answer(['other', 'top.py']);
  expect(await first).toBe(true);
  expect(await second).toBe(true);
  expect(store.paths).toEqual(['other', 'top.py']);
});

it('says why a change failed, and shows what holds', async () => {
  const { rpc, store, onError } = make('top.py');
  rpc.ready.set(GET, () => ['top.py']);
  const done = store.exclude(node('vault'));
  await settle();
  await rpc.last(SET).fail('no');
  expect(await done).toBe(false);
  expect(onError).toHaveBeenCalledWith('The excluded files could not be changed: no');
  expect(store.paths).toEqual(['top.py']);
});

it("follows another page's change until it is disposed of", async () => {
  const { rpc, store } = make();
  await rpc.emit('excludedFilesChanged', ['vault']);
  expect(store.of('vault/c.py')).toBe('all');
  store.dispose();
  await rpc.emit('excludedFilesChanged', []);
  expect(store.paths).toEqual(['vault']);
});
