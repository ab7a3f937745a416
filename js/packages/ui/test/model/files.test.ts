import { beforeEach, expect, it } from 'vitest';
import { FilesStore } from '../../src/model/files.ts';
import { SelectionStore } from '../../src/model/selection.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { rawTree } from '../support/raw-tree.ts';

let rpc: FakeRpc;
let files: FilesStore;

function serve(paths: readonly string[], more: object = {}): void {
  rpc.ready.set('Repo.get_file_tree', () => rawTree(paths, more));
}

const shown = () => files.rows.map((row) => row.node.path);
const row = (path: string) => {
  const found = files.rows.find((candidate) => candidate.node.path === path);
  if (!found) throw new Error(`${path} is not on show`);
  return found;
};

beforeEach(() => {
  rpc = new FakeRpc();
  rpc.ready.set('Repo.get_current_branch', () => ({ branch: null, sha: 'abcdef0123', detached: true }));
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
  files.toggle(row('src/a.py').node);
  expect(row('src').check).toBe('mixed');
  files.toggle(row('src').node);
  expect(files.selection.paths).toEqual(['src/a.py', 'src/b.py']);
  expect(row('src').check).toBe('on');
  files.toggle(row('src').node);
  expect(files.selection.paths).toEqual([]);
});

it('ticks only what the filter shows of a folder', async () => {
  serve(['src/apple.py', 'src/berry.py']);
  await files.refresh();
  files.setFilter('APL');
  expect(shown()).toEqual(['src', 'src/apple.py']);
  files.toggle(row('src').node);
  expect(files.selection.paths).toEqual(['src/apple.py']);
  files.setFilter('');
  expect(row('src').check).toBe('mixed');
});

it('lets a ticked file that has been deleted be unticked', async () => {
  serve(['a.py', 'gone.py'], { deleted: ['gone.py'] });
  files.selection.adopt(['gone.py']);
  await files.refresh();
  files.toggle(row('gone.py').node);
  expect(files.selection.paths).toEqual([]);
  files.toggle(row('gone.py').node);
  expect(files.selection.paths).toEqual([]);
});

it('shows the short SHA of a detached head', async () => {
  serve([]);
  await files.refresh();
  expect(files.branch).toBe('abcdef0');
});

it('takes the last of several answers', async () => {
  void files.refresh();
  const first = rpc.last('Repo.get_file_tree');
  void files.refresh();
  await rpc.last('Repo.get_file_tree').answer(rawTree(['new.py']));
  await first.answer(rawTree(['old.py']));
  expect(shown()).toEqual(['new.py']);
});

it('says why the files could not be read and keeps the old ones', async () => {
  serve(['a.py']);
  await files.refresh();
  rpc.ready.delete('Repo.get_file_tree');
  void files.refresh();
  await rpc.last('Repo.get_file_tree').fail('git', 'git is not installed');
  expect(files.error).toBe('git is not installed');
  expect(shown()).toEqual(['a.py']);
});

it('reads the files again when the server says that some were written', async () => {
  serve(['a.py']);
  await rpc.emit('filesModified', ['a.py']);
  await settle();
  expect(files.isLoaded).toBe(true);
});

it('stays fluid with 5,000 files', async () => {
  serve(Array.from({ length: 5000 }, (_, index) => `pkg${index % 100}/sub${index % 7}/module_${index}.py`));
  await files.refresh();
  const start = performance.now();
  files.setFilter('m42py');
  const filteredRows = files.rows.length;
  files.setFilter('');
  for (const top of files.rows.filter((candidate) => candidate.level === 1))
    files.setExpanded(top.node.path, true);
  const rows = files.rows.length;
  expect(performance.now() - start).toBeLessThan(500);
  expect(filteredRows).toBeGreaterThan(0);
  expect(rows).toBeGreaterThan(700);
});
