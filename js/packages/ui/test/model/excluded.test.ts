import { expect, it } from 'vitest';
import { ExcludedStore } from '../../src/model/excluded.ts';
import { FakeRpc } from '../support/fake-rpc.ts';

function make(...paths: string[]): { rpc: FakeRpc; store: ExcludedStore } {
  const rpc = new FakeRpc();
  const store = new ExcludedStore(rpc);
  store.adopt(paths);
  return { rpc, store };
}

it('knows of each row whether all of it, some or none is excluded', () => {
  const { store } = make('vault/deep', 'gone.py');
  const rows = ['vault', 'vault/deep', 'vault/deep/a.py', 'vault/c.py', 'vault/deeper', 'other'];
  expect(rows.map((path) => store.of(path))).toEqual(['some', 'all', 'all', 'none', 'none', 'none']);
  expect(make().store.of('vault')).toBe('none');
});

it("follows another page's change until it is disposed of", async () => {
  const { rpc, store } = make();
  await rpc.emit('excludedFilesChanged', ['vault']);
  expect(store.of('vault/c.py')).toBe('all');
  store.dispose();
  await rpc.emit('excludedFilesChanged', []);
  expect(store.paths).toEqual(['vault']);
});
