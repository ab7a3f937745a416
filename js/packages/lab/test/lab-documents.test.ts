import { YNotebook } from '@jupyter/ydoc';
import type { NotebookEdit } from '@jupyter-ac/link/rpc';
import type { DocumentContext, JupyterFrontEnd } from '@jupyterlab/application';
import { expect, it, vi } from 'vitest';
import { LabDocuments } from '../src/lab-documents.ts';

class FakeContext implements DocumentContext {
  isDisposed = false;
  readonly model: { dirty: boolean; readOnly?: boolean; collaborative?: boolean; sharedModel?: object } = {
    dirty: false,
  };
  contentsModel = { last_modified: 'read', writable: true };
  reverts = 0;
  readonly saved = new Set<(context: unknown, state: string) => void>();
  readonly saveState = {
    connect: (slot: (context: unknown, state: string) => void) => Boolean(this.saved.add(slot)),
    disconnect: (slot: (context: unknown, state: string) => void) => this.saved.delete(slot),
  };

  constructor(readonly path: string) {}

  async revert(): Promise<void> {
    this.reverts += 1;
    this.contentsModel = { last_modified: 'changed', writable: true };
  }
}

function openNotebook(path: string): FakeContext {
  const context = new FakeContext(path);
  const cells = [{ id: 'a', cell_type: 'code', source: 'x', metadata: {}, outputs: [] }];
  context.model.sharedModel = YNotebook.create({ data: { cells } as never });
  return context;
}

const EDIT: NotebookEdit = {
  path: '~/work/repo/a.ipynb',
  file: 'a.ipynb',
  operations: [{ op: 'source', id: 'a', before: 'x', source: 'y' }],
};

const get = vi.fn(async () => ({ last_modified: 'changed' }));

function documents(contexts: readonly FakeContext[], root: string | null = '~/work'): LabDocuments {
  const widgets = () => [{ title: {} }, ...contexts.map((context) => ({ context }))];
  const contents = {
    localPath: (path: string) => path.replace(/^\w+:/, ''),
    driveName: (path: string) => /^(\w+):/.exec(path)?.[1] ?? '',
    get,
  };
  const shell = { widgets, currentWidget: { context: contexts[0] } };
  return new LabDocuments({ shell, serviceManager: { contents } } as unknown as JupyterFrontEnd, root);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

it('names the documents with unsaved changes, each once', () => {
  const [clean, dirty] = [new FakeContext('repo/a.py'), new FakeContext('repo/b.py')];
  dirty.model.dirty = true;
  expect(documents([clean, dirty, dirty]).unsaved()).toEqual(['~/work/repo/b.py']);
});

it('knows documents of a shared drive, and none of a drive that is elsewhere', () => {
  const contexts = [new FakeContext('RTC:a.py'), new FakeContext('Cloud:b.py')];
  for (const context of contexts) context.model.dirty = true;
  expect(documents(contexts).unsaved()).toEqual(['~/work/a.py']);
});

it('names paths of the server where that tells no folder', () => {
  const dirty = new FakeContext('a.py');
  dirty.model.dirty = true;
  expect(documents([dirty], null).unsaved()).toEqual(['server:/a.py']);
});

it('reads a clean document again that has changed elsewhere', async () => {
  const [changed, other] = [new FakeContext('repo/src/a.py'), new FakeContext('repo/a.py')];
  documents([changed, other]).changed(['src/a.py']);
  await settle();
  expect([changed.reverts, other.reverts]).toEqual([1, 0]);
});

it('finds it where the repository begins above the folder of the server', async () => {
  const changed = new FakeContext('a.py');
  documents([changed], '~/repo/src').changed(['src/a.py']);
  await settle();
  expect(changed.reverts).toBe(1);
});

it('leaves a document with unsaved changes alone', async () => {
  const dirty = new FakeContext('a.py');
  dirty.model.dirty = true;
  documents([dirty]).changed(['a.py']);
  await settle();
  expect(dirty.reverts).toBe(0);
});

it('leaves one alone that becomes dirty or goes meanwhile', async () => {
  const [typed, closed] = [new FakeContext('a.py'), new FakeContext('b.py')];
  documents([typed, closed]).changed(['a.py', 'b.py']);
  await Promise.resolve();
  typed.model.dirty = true;
  closed.isDisposed = true;
  await settle();
  expect([typed.reverts, closed.reverts]).toEqual([0, 0]);
});

it('leaves one alone whose file is the one that was read, as after its own saving', async () => {
  const saved = new FakeContext('a.ipynb');
  saved.contentsModel = { last_modified: 'changed', writable: true };
  documents([saved]).changed(['a.ipynb']);
  await settle();
  expect(saved.reverts).toBe(0);
});

it('reads once what several panels report', async () => {
  const changed = new FakeContext('a.py');
  const all = documents([changed]);
  for (let panel = 0; panel < 3; panel += 1) all.changed(['a.py']);
  await settle();
  expect(changed.reverts).toBe(1);
});

it('goes on after a file that is gone', async () => {
  const gone = new FakeContext('a.py');
  const all = documents([gone]);
  get.mockRejectedValueOnce(new Error('404'));
  all.changed(['a.py']);
  await settle();
  expect(gone.reverts).toBe(0);
  all.changed(['a.py']);
  await settle();
  expect(gone.reverts).toBe(1);
});

it('tells the cells of notebooks that are asked for, and which was used last', () => {
  const [first, second] = [openNotebook('repo/a.ipynb'), openNotebook('other/a.ipynb')];
  const all = documents([first, second, openNotebook('repo/b.ipynb'), new FakeContext('a.ipynb')]);
  const target = new EventTarget();
  all.followUse(target);
  target.dispatchEvent(new Event('keydown'));
  const rows = all.notebooks(['a.ipynb']);
  expect(rows.map(({ path }) => path)).toEqual(['~/work/repo/a.ipynb', '~/work/other/a.ipynb']);
  expect(rows[0]).toMatchObject({ unsaved: false, cells: [{ id: 'a', source: 'x' }] });
  expect(rows[0]?.idle_ms).toBeLessThan(rows[1]?.idle_ms ?? 0);
  expect(documents([first], null).notebooks(['a.ipynb'])[0]?.path).toBe('server:/repo/a.ipynb');
});

it('leaves out a notebook that is too long for a message', () => {
  const context = openNotebook('repo/a.ipynb');
  (context.model.sharedModel as YNotebook).getCell(0).setSource('x'.repeat(2_000_001));
  expect(documents([context]).notebooks(['a.ipynb'])).toEqual([]);
});

it('edits a notebook, and tells each panel once that it was saved', () => {
  const context = openNotebook('repo/a.ipynb');
  const all = documents([context]);
  const saved = vi.fn();
  expect(all.edit(EDIT, saved)).toEqual({ status: 'applied' });
  const again = { op: 'source', id: 'a', before: 'y', source: 'z' } as const;
  expect(all.edit({ ...EDIT, operations: [again] }, saved)).toEqual({ status: 'applied' });
  for (const state of ['started', 'failed']) for (const slot of context.saved) slot(null, state);
  expect(saved).not.toHaveBeenCalled();
  for (const slot of context.saved) slot(null, 'completed');
  expect(saved.mock.calls).toEqual([['a.ipynb']]);
  expect(context.saved.size).toBe(0);
});

it('tells of a notebook that its server saves when the file has changed', () => {
  const context = openNotebook('repo/a.ipynb');
  context.model.collaborative = true;
  const all = documents([context]);
  const saved = vi.fn();
  all.edit(EDIT, saved);
  all.changed(['a.ipynb']);
  all.changed(['a.ipynb']);
  expect(saved.mock.calls).toEqual([['a.ipynb']]);
});

it('edits nothing that is closed or read-only', () => {
  const context = openNotebook('repo/a.ipynb');
  expect(documents([]).edit(EDIT, vi.fn())).toEqual({ status: 'changed' });
  context.contentsModel.writable = false;
  expect(documents([context]).edit(EDIT, vi.fn())).toMatchObject({ status: 'refused' });
});
