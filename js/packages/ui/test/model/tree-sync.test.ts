import { beforeEach, describe, expect, it, vi } from 'vitest';
import { filesBelow } from '../../src/model/tree.ts';
import { TreeSync } from '../../src/model/tree-sync.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { headOf, rawRows } from '../support/raw-rows.ts';

const ROWS = 'Repo.get_tree_rows';

let rpc: FakeRpc;
let feed: TreeSync;
let onChange: ReturnType<typeof vi.fn<() => void>>;

const paths = () => filesBelow(feed.tree.root).map((file) => file.path);
const asked = () => rpc.calls.map((call) => call.args);
const answer = (...args: Parameters<typeof rawRows>) => rpc.last(ROWS).answer(rawRows(...args));

/** A feed that has read `a` and `b` as version `e-1`. */
async function read(): Promise<void> {
  void feed.refresh();
  await answer(['a', 'b']);
  rpc.calls.length = 0;
  onChange.mockClear();
}

beforeEach(() => {
  rpc = new FakeRpc();
  feed = new TreeSync(rpc);
  onChange = vi.fn();
  feed.subscribe(onChange);
});

describe('the first tree', () => {
  it('is shown as it comes', async () => {
    void feed.refresh();
    await answer(['a'], {}, { total: 3, next: 1 });
    expect([paths(), feed.isWhole, feed.total, onChange.mock.calls.length]).toEqual([['a'], false, 3, 1]);
    await answer(['b'], {}, { total: 3, next: 2 });
    expect([paths(), feed.isWhole]).toEqual([['a', 'b'], false]);
    await answer(['c'], {}, { total: 3 });
    expect([paths(), feed.isWhole]).toEqual([['a', 'b', 'c'], true]);
    expect(asked()).toEqual([
      ['', 0, ''],
      ['', 1, 'e-1'],
      ['', 2, 'e-1'],
    ]);
    expect(feed.head).toBe(headOf('main'));
  });

  it('begins anew when the server has dropped its version meanwhile', async () => {
    void feed.refresh();
    await answer(['a'], {}, { next: 1 });
    await answer(['c'], {}, { version: 'e-2', next: 1 });
    expect([paths(), feed.isWhole]).toEqual([['c'], false]);
    await answer(['d'], {}, { version: 'e-2' });
    expect([paths(), feed.isWhole]).toEqual([['c', 'd'], true]);
    expect(asked().at(-1)).toEqual(['', 1, 'e-2']);
  });

  it('is read from its start again after an error in the middle', async () => {
    void feed.refresh();
    await answer(['a'], {}, { next: 1 });
    await rpc.last(ROWS).fail('git', 'git is gone');
    expect([paths(), feed.error, feed.isWhole]).toEqual([['a'], 'git is gone', false]);
    void feed.refresh();
    expect(asked().at(-1)).toEqual(['', 0, '']);
    await answer(['b']);
    expect([paths(), feed.error, feed.isWhole]).toEqual([['b'], '', true]);
  });

  it('ends when a server names the same slice for ever', async () => {
    rpc.ready.set(ROWS, () => rawRows(['a'], {}, { next: 1 }));
    await feed.refresh();
    expect(rpc.count(ROWS)).toBe(2);
  });

  it.each([null, 7, 'x', {}, { rows: 3 }, { rows: [null, [], 'x'] }])(
    'takes %j for an answer without falling over',
    async (raw) => {
      rpc.ready.set(ROWS, () => raw);
      await feed.refresh();
      expect([feed.error, paths()]).toEqual(['', []]);
    },
  );
});

describe('what has changed', () => {
  beforeEach(read);

  it('is asked for and put in', async () => {
    void feed.refresh();
    expect(asked()).toEqual([['e-1', 0, '']]);
    const more = { since: 'e-1', version: 'e-2', removed: ['a'], head: headOf('x') };
    await answer(['b', 'c'], { modified: ['b'] }, more);
    expect(paths()).toEqual(['b', 'c']);
    expect(feed.tree.files.get('b')?.badges).toEqual(['M']);
    expect([feed.head, onChange.mock.calls.length]).toEqual([headOf('x'), 1]);
    void feed.refresh();
    expect(asked().at(-1)).toEqual(['e-2', 0, '']);
  });

  it('draws nothing when it is nothing', async () => {
    void feed.refresh();
    await answer([], {}, { since: 'e-1' });
    expect(onChange).not.toHaveBeenCalled();
  });

  it('is put in when all of it is here: half of it is no version', async () => {
    void feed.refresh();
    await answer(['c'], {}, { since: 'e-1', version: 'e-2', next: 1, removed: ['a'] });
    expect(paths()).toEqual(['a', 'b']);
    expect(asked().at(-1)).toEqual(['e-1', 1, 'e-2']);
    await answer(['d'], {}, { since: 'e-1', version: 'e-2' });
    expect(paths()).toEqual(['b', 'c', 'd']);
  });

  it('is none of it put in after an error in the middle, and the same is asked for again', async () => {
    void feed.refresh();
    await answer(['c'], {}, { since: 'e-1', version: 'e-2', next: 1, removed: ['a'] });
    await rpc.last(ROWS).fail('timeout');
    expect([paths(), feed.error]).toEqual([['a', 'b'], 'timeout']);
    void feed.refresh();
    expect(asked().at(-1)).toEqual(['e-1', 0, '']);
    await answer(['c'], {}, { since: 'e-1', version: 'e-3' });
    expect([paths(), feed.error]).toEqual([['a', 'b', 'c'], '']);
  });

  it('is a whole tree from a server that was started again; the old one is shown until it is here', async () => {
    void feed.refresh();
    await answer(['c'], {}, { version: 'f-1', next: 1 });
    expect([paths(), feed.isWhole]).toEqual([['a', 'b'], true]);
    await answer(['d'], {}, { version: 'f-1' });
    expect([paths(), onChange.mock.calls.length]).toEqual([['c', 'd'], 1]);
    void feed.refresh();
    expect(asked().at(-1)).toEqual(['f-1', 0, '']);
  });

  it('is dropped for a whole tree when the server can no longer tell the rest', async () => {
    void feed.refresh();
    await answer(['c'], {}, { since: 'e-1', version: 'e-2', next: 1, removed: ['a'] });
    await answer(['x'], {}, { version: 'e-20' });
    expect(paths()).toEqual(['x']);
    void feed.refresh();
    expect(asked().at(-1)).toEqual(['e-20', 0, '']);
  });

  it('comes in turns when it is a lot', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `pkg${index % 100}/module_${index}.py`);
    rpc.ready.set(ROWS, () => rawRows(many, {}, { since: 'e-1', version: 'e-2', removed: ['a', 'b'] }));
    await feed.refresh();
    expect(feed.tree.files.size).toBe(20_000);
    expect(onChange).toHaveBeenCalledOnce();
  });
});

describe('many wishes at once', () => {
  it('become one request in flight and one after it', async () => {
    await read();
    const wishes = Array.from({ length: 50 }, () => feed.refresh());
    expect(rpc.count(ROWS)).toBe(1);
    await answer(['c'], {}, { since: 'e-1', version: 'e-2' });
    expect(rpc.count(ROWS)).toBe(2);
    await answer([], {}, { since: 'e-2', version: 'e-2' });
    await Promise.all(wishes);
    expect(rpc.count(ROWS)).toBe(2);
  });

  it('ask once more after the last slice, not in between', async () => {
    void feed.refresh();
    await answer(['a'], {}, { next: 1 });
    void feed.refresh();
    void feed.refresh();
    expect(asked()).toHaveLength(2);
    await answer(['b']);
    expect(asked().slice(2)).toEqual([['e-1', 0, '']]);
  });

  it('ask again at once when a reconnection has ended the request under way', async () => {
    await read();
    void feed.refresh();
    const lost = rpc.last(ROWS);
    void feed.refresh();
    await lost.fail('closed');
    expect(asked()).toEqual([
      ['e-1', 0, ''],
      ['e-1', 0, ''],
    ]);
    await answer(['c'], {}, { since: 'e-1', version: 'e-2' });
    expect([paths(), feed.error]).toEqual([['a', 'b', 'c'], '']);
  });
});

it('is silent once it is disposed, and asks for nothing more', async () => {
  void feed.refresh();
  await answer(['a'], {}, { next: 1 });
  onChange.mockClear();
  void feed.refresh();
  feed.dispose();
  await answer(['b'], {}, { next: 2 });
  await settle();
  expect(rpc.count(ROWS)).toBe(2);
  expect(onChange).not.toHaveBeenCalled();
  await feed.refresh();
  expect(rpc.count(ROWS)).toBe(2);
});
