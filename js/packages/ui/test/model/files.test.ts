import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FilesStore } from '../../src/model/files.ts';
import { SelectionStore } from '../../src/model/selection.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { headOf, rawRows } from '../support/raw-rows.ts';
import type { States } from '../support/trees.ts';

const ROWS = 'Repo.get_tree_rows';

let rpc: FakeRpc;
let files: FilesStore;

/** Each answer is a whole tree of its own version. */
function serve(paths: readonly string[], states: States = {}, more: object = {}): void {
  rpc.ready.set(ROWS, () => {
    const version = `e-${rpc.count(ROWS)}`;
    return rawRows(paths, states, { version, ...more });
  });
}

const shown = () => files.rows.map((row) => row.node.path);
const node = (path: string) => {
  const found = files.rows.find((candidate) => candidate.node.path === path);
  if (!found) throw new Error(`${path} is not on show`);
  return found.node;
};
const check = (path: string) => files.checkbox(node(path)).check;

beforeEach(() => {
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
  files = new FilesStore(rpc, new SelectionStore(rpc, () => {}));
});

it('opens a small repository whole', async () => {
  serve(['src/app/a.py', 'b.py']);
  await files.refresh();
  expect(shown()).toEqual(['src', 'src/app', 'src/app/a.py', 'b.py']);
});

it('opens of a large one only what is ticked or changed', async () => {
  const many = Array.from({ length: 200 }, (_, index) => `pkg${index}/module.py`);
  serve(many, { modified: ['pkg3/module.py'] });
  files.selection.adopt(['pkg7/module.py']);
  await files.refresh();
  expect(shown().filter((path) => path.endsWith('.py'))).toEqual(['pkg3/module.py', 'pkg7/module.py']);
});

it('keeps what the person opened and closed over a refresh', async () => {
  serve(['src/a.py', 'b.py']);
  await files.refresh();
  files.setExpanded('src', false);
  await files.refresh();
  expect(shown()).toEqual(['src', 'b.py']);
});

it('ticks a folder whole, and unticks it when all of it is ticked', async () => {
  serve(['src/a.py', 'src/b.py', 'c.py']);
  await files.refresh();
  files.toggle(node('src/a.py'));
  expect(check('src')).toBe('mixed');
  files.toggle(node('src'));
  expect(files.selection.paths).toEqual(['src/a.py', 'src/b.py']);
  expect(check('src')).toBe('on');
  files.toggle(node('src'));
  expect(files.selection.paths).toEqual([]);
});

it('knows the file that fits the filter best: by its name, then by its path, then by its letters', async () => {
  serve(['src/map/a.py', 'm/x/a/p.py', 'docs/map.md', 'docs/roadmap.md', 'src/index/map.py', 'z/map.bin']);
  await files.refresh();
  const best = (filter: string) => {
    files.setFilter(filter);
    return files.best?.path ?? null;
  };
  expect(best('map.py')).toBe('src/index/map.py');
  expect(best('map')).toBe('z/map.bin');
  expect(best('oadm')).toBe('docs/roadmap.md');
  expect(best('map/')).toBe('src/map/a.py');
  expect(best('mxap')).toBe('m/x/a/p.py');
  expect(best('qqq')).toBeNull();
  expect(best('')).toBeNull();
});

it('ticks only what the filter shows of a folder', async () => {
  serve(['src/apple.py', 'src/berry.py']);
  await files.refresh();
  files.setFilter('APL');
  expect(shown()).toEqual(['src', 'src/apple.py']);
  files.toggle(node('src'));
  expect(files.selection.paths).toEqual(['src/apple.py']);
  files.setFilter('');
  expect(check('src')).toBe('mixed');
});

it('lets a ticked file that has been deleted be unticked', async () => {
  serve(['a.py', 'gone.py'], { deleted: ['gone.py'] });
  files.selection.adopt(['gone.py']);
  await files.refresh();
  files.toggle(node('gone.py'));
  expect(files.selection.paths).toEqual([]);
  files.toggle(node('gone.py'));
  expect(files.selection.paths).toEqual([]);
});

it('shows the branch, and of a detached head the start of its commit', async () => {
  serve([], {}, { head: headOf('', 'abcdef0123') });
  await files.refresh();
  expect(files.branch).toBe('abcdef0');
  serve([], {}, { head: headOf('a/branch-(odd)', '(initial)') });
  await files.refresh();
  expect(files.branch).toBe('a/branch-(odd)');
});

it('tells what git is in the middle of', async () => {
  serve([], {}, { operation: 'rebase' });
  await files.refresh();
  expect(files.operation).toBe('rebase');
  serve([]);
  await files.refresh();
  expect(files.operation).toBe('');
});

it('says why the files could not be read and keeps the old ones', async () => {
  serve(['a.py']);
  await files.refresh();
  rpc.ready.delete(ROWS);
  void files.refresh();
  await rpc.last(ROWS).fail('git', 'git is not installed');
  expect(files.error).toBe('git is not installed');
  expect(shown()).toEqual(['a.py']);
});

it('counts the ticks of a folder anew when its files have changed', async () => {
  serve(['src/a.py', 'src/b.py']);
  files.selection.adopt(['src/a.py', 'src/b.py']);
  await files.refresh();
  expect(files.checkbox(node('src'))).toMatchObject({ check: 'on', ticked: 2, sendable: 2 });
  const more = { since: 'e-1', version: 'e-2' };
  rpc.ready.set(ROWS, () => rawRows(['src/b.py', 'src/c.py'], { deleted: ['src/b.py'] }, more));
  await files.refresh();
  expect(files.checkbox(node('src'))).toMatchObject({ check: 'mixed', ticked: 1, sendable: 2 });
});

it.each([
  ['the next one', ['a.py', 'lib/d.py'], 'lib/d.py'],
  ['the one before when none follows', ['a.py'], 'a.py'],
  ['none when all are gone', [], ''],
])('puts the keyboard from a row that is gone on %s', async (_, left, active) => {
  serve(['a.py', 'lib/b.py', 'lib/c.py', 'lib/d.py']);
  await files.refresh();
  expect(shown()).toContain('lib/c.py');
  files.setActive('lib/c.py');
  serve(left);
  await files.refresh();
  expect(files.active).toBe(active);
});

it('keeps the keyboard on a row that the filter hides', async () => {
  serve(['a.py', 'b.py']);
  await files.refresh();
  files.setActive('b.py');
  files.setFilter('a');
  serve(['a.py', 'b.py', 'c.py']);
  await files.refresh();
  files.setFilter('');
  expect(files.current).toBe(1);
});

describe('when the server says that something was written', () => {
  it.each([[['a.py']], [[]]])('asks once for what has changed: %j', async (paths) => {
    serve(['a.py']);
    await files.refresh();
    rpc.ready.set(ROWS, () => rawRows([], {}, { since: 'e-1', version: 'e-2', head: headOf('x') }));
    rpc.calls.length = 0;
    await rpc.emit('filesModified', paths);
    expect(rpc.calls.map(({ method, args }) => [method, args])).toEqual([[ROWS, ['e-1', 0, '']]]);
    expect(files.branch).toBe('x');
  });

  it('asks once more after a burst that comes while slices load', async () => {
    void files.refresh();
    await rpc.last(ROWS).answer(rawRows(['a.py'], {}, { next: 1 }));
    for (let event = 0; event < 20; event += 1) await rpc.emit('filesModified', ['a.py']);
    expect(rpc.count(ROWS)).toBe(2);
    await rpc.last(ROWS).answer(rawRows(['b.py']));
    expect(rpc.count(ROWS)).toBe(3);
    await rpc.last(ROWS).answer(rawRows([], {}, { since: 'e-1' }));
    expect(rpc.count(ROWS)).toBe(3);
  });

  it('asks for nothing once it is disposed', async () => {
    files.dispose();
    await rpc.emit('filesModified', ['a.py']);
    expect(rpc.calls).toEqual([]);
  });
});

describe('while the first tree comes in', () => {
  const first = rawRows(['src/a.py', 'src/b.py'], {}, { total: 4, next: 2 });
  const second = rawRows(['src/c.py', 'z.py']);

  beforeEach(async () => {
    void files.refresh();
    await rpc.last(ROWS).answer(first);
  });

  it('says how far it is', async () => {
    expect([files.progress, files.isLoaded]).toEqual([{ loaded: 2, total: 4 }, false]);
    await rpc.last(ROWS).answer(second);
    expect([files.progress, files.isLoaded]).toEqual([null, true]);
  });

  it('can be worked with', async () => {
    files.setExpanded('src', true);
    files.toggle(node('src/b.py'));
    expect(files.checkbox(node('src'))).toMatchObject({ check: 'mixed', ticked: 1, sendable: 2 });
    await rpc.last(ROWS).answer(second);
    expect(files.checkbox(node('src'))).toMatchObject({ check: 'mixed', ticked: 1, sendable: 3 });
  });

  it('does not tick a folder of which files may still be missing', async () => {
    files.toggle(node('src'));
    expect(files.selection.paths).toEqual([]);
    expect(files.checkbox(node('src')).isPartial).toBe(true);
    await rpc.last(ROWS).answer(second);
    expect(files.checkbox(node('src')).isPartial).toBe(false);
    files.toggle(node('src'));
    expect(files.selection.paths).toEqual(['src/a.py', 'src/b.py', 'src/c.py']);
  });

  it('filters what has come later, too', async () => {
    files.setFilter('/C');
    expect(shown()).toEqual([]);
    await rpc.last(ROWS).answer(second);
    expect(shown()).toEqual(['src', 'src/c.py']);
  });

  it('leaves alone what the person has closed', async () => {
    files.setExpanded('src', true);
    files.setExpanded('src', false);
    await rpc.last(ROWS).answer(second);
    expect(shown()).toEqual(['src', 'z.py']);
  });

  it('opens the folders when all is here', async () => {
    expect(shown()).toEqual(['src']);
    await rpc.last(ROWS).answer(second);
    expect(shown()).toEqual(['src', 'src/a.py', 'src/b.py', 'src/c.py', 'z.py']);
  });
});

describe('with many files', () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `pkg${index % 100}/module_${index}.py`);

  beforeEach(async () => {
    serve(many);
    await files.refresh();
  });

  it('shows what the filter found last until it has looked at all', async () => {
    files.setFilter('module_29999');
    await vi.waitFor(() => expect(shown()).toEqual(['pkg99', 'pkg99/module_29999.py']), 30_000);
    files.setFilter('e_29998');
    files.setFilter('e_29997');
    await vi.waitFor(() => expect(shown()).toEqual(['pkg97', 'pkg97/module_29997.py']), 30_000);
    files.setFilter('');
    expect(shown()).toHaveLength(100);
  });

  it('finds what the filter shows in a tree that has come anew', async () => {
    files.setFilter('module_29999');
    await vi.waitFor(() => expect(shown()).toHaveLength(2), 30_000);
    serve(['new/module_29999.py']);
    await files.refresh();
    expect(shown()).toEqual(['new', 'new/module_29999.py']);
  });
});

describe('ticked files that are not in the tree', () => {
  it('are listed until they are unticked', async () => {
    serve(['a.py']);
    files.selection.adopt(['a.py', 'gone.py']);
    expect(files.unlisted).toEqual([]);
    await files.refresh();
    expect(files.unlisted).toEqual(['gone.py']);
    files.selection.mark(['gone.py'], false);
    expect(files.unlisted).toEqual([]);
  });

  it('are not those that the program has just made and ticked', async () => {
    serve(['a.py']);
    await files.refresh();
    files.selection.adopt(['a.py', 'new.py'], ['new.py']);
    expect(files.unlisted).toEqual([]);
    await files.refresh();
    expect(files.unlisted).toEqual(['new.py']);
  });
});

describe('excluded files', () => {
  beforeEach(async () => {
    serve(['src/a.py', 'src/b.py', 'vault/c.py', 'vault/d.py']);
    await files.refresh();
  });

  it('are left out when their folder is ticked', () => {
    files.excluded.adopt(['src/b.py']);
    files.toggle(node('src'));
    expect(files.selection.paths).toEqual(['src/a.py']);
    files.toggle(node('src'));
    expect(files.selection.paths).toEqual([]);
  });

  it('are counted, those that a folder stands for too', () => {
    files.excluded.adopt(['vault', 'src/a.py', 'gone.py']);
    expect(files.excludedCount).toBe(3);
    files.excluded.adopt([]);
    expect(files.excludedCount).toBe(0);
  });

  it('show no tick', () => {
    files.selection.adopt(['vault/c.py']);
    expect(check('vault/c.py')).toBe('on');
    files.excluded.adopt(['vault']);
    expect([check('vault/c.py'), check('vault')]).toEqual(['off', 'off']);
  });
});
