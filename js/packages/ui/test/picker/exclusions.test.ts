import { expect, it, vi } from 'vitest';
import { ExcludedStore } from '../../src/model/excluded.ts';
import { Tree, type TreeNode } from '../../src/model/tree.ts';
import { Exclusions } from '../../src/picker/exclusions.ts';
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

interface Made {
  rpc: FakeRpc;
  store: ExcludedStore;
  list: Exclusions;
  onError: ReturnType<typeof vi.fn>;
}

function make(...paths: string[]): Made {
  const rpc = new FakeRpc();
  const onError = vi.fn();
  const store = new ExcludedStore(rpc);
  store.adopt(paths);
  return { rpc, store, list: new Exclusions(rpc, store, onError), onError };
}

it('takes a folder in place of what is in it', async () => {
  const { rpc, store, list } = make('vault/c.py', 'vaults.py');
  void list.exclude(node('vault'));
  expect(store.paths).toEqual(['vaults.py', 'vault']);
  await settle();
  expect(rpc.last(SET).args).toEqual([
    ['vaults.py', 'vault'],
    ['vault/c.py', 'vaults.py'],
  ]);
});

it('leaves the rest of an excluded folder excluded when one file of it is included', async () => {
  const { rpc, store, list } = make('top.py', 'vault');
  void list.include(node('vault/deep/a.py'));
  await settle();
  expect(rpc.last(SET).args).toEqual([
    ['top.py', 'vault/deep/b.py', 'vault/c.py'],
    ['top.py', 'vault'],
  ]);
  expect(store.of('vault')).toBe('some');
});

it('includes all of a folder', async () => {
  const { rpc, list } = make('vault/deep/a.py', 'vault/c.py', 'top.py');
  void list.include(node('vault'));
  await settle();
  expect(rpc.last(SET).args).toEqual([['top.py'], ['vault/deep/a.py', 'vault/c.py', 'top.py']]);
});

it('sends one change after another, and the last answer holds', async () => {
  const { rpc, store, list } = make();
  const first = list.exclude(node('top.py'));
  const second = list.exclude(node('other'));
  await settle();
  expect(rpc.count(SET)).toBe(1);
  await rpc.emit('excludedFilesChanged', ['top.py']);
  expect(store.paths).toEqual(['top.py', 'other']);
  await rpc.last(SET).answer(['top.py']);
  expect(store.paths).toEqual(['top.py', 'other']);
  expect(rpc.last(SET).args).toEqual([['top.py', 'other'], ['top.py']]);
  await rpc.last(SET).answer(['other', 'top.py']);
  expect(await first).toBe(true);
  expect(await second).toBe(true);
  expect(store.paths).toEqual(['other', 'top.py']);
});

it('says why a change failed, and shows what holds', async () => {
  const { rpc, store, list, onError } = make('top.py');
  rpc.ready.set(GET, () => ['top.py']);
  const done = list.exclude(node('vault'));
  await settle();
  await rpc.last(SET).fail('no');
  expect(await done).toBe(false);
  expect(onError).toHaveBeenCalledWith('The excluded files could not be changed: no');
  expect(store.paths).toEqual(['top.py']);
});

it('makes a change again when others have changed the list', async () => {
  const { rpc, store, list } = make('vault');
  rpc.ready.set(GET, () => ['other', 'vault']);
  const done = list.exclude(node('top.py'));
  await settle();
  await rpc.last(SET).fail('conflict', 'changed elsewhere');
  await settle();
  expect(rpc.last(SET).args).toEqual([
    ['other', 'vault', 'top.py'],
    ['other', 'vault'],
  ]);
  await rpc.last(SET).answer(['other', 'top.py', 'vault']);
  expect(await done).toBe(true);
  expect(store.paths).toEqual(['other', 'top.py', 'vault']);
});

it('gives up when the list changes all the time', async () => {
  const { rpc, list, onError } = make();
  rpc.ready.set(GET, () => ['other']);
  const done = list.exclude(node('top.py'));
  for (let time = 0; time < 4; time += 1) {
    await settle();
    await rpc.last(SET).fail('conflict', 'changed elsewhere');
  }
  expect(await done).toBe(false);
  expect(rpc.count(SET)).toBe(4);
  expect(onError).toHaveBeenCalledWith('The excluded files could not be changed: changed elsewhere');
});

it('asks before a folder is excluded in parts only', () => {
  const { list } = make('vault', 'top.py');
  expect(list.confirmation(node('vault/deep/a.py'))?.loss).toMatch(/^vault is excluded as a whole\./);
  expect(list.confirmation(node('vault'))).toBeNull();
  expect(list.confirmation(node('top.py'))).toBeNull();
});
