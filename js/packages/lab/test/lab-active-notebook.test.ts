import type { JupyterFrontEnd } from '@jupyterlab/application';
import { afterEach, expect, it, vi } from 'vitest';
import { LabActiveNotebook } from '../src/lab-active-notebook.ts';
import { PANEL_MIME } from '../src/panel-output.ts';
import { type FakeCell, FakeNotebook, FakeTracker, fakeCell, NotebookActions } from './support/notebook.ts';

afterEach(() => {
  vi.clearAllMocks();
  front.currentWidget = null;
});

const panelCell = () =>
  fakeCell('%ac', { outputs: [{ output_type: 'display_data', data: { [PANEL_MIME]: {} } }] });

const front: { currentWidget: unknown } = { currentWidget: null };
const app = {
  shell: front,
  serviceManager: { contents: { localPath: (path: string) => path.replace(/^RTC:/, '') } },
} as unknown as JupyterFrontEnd;

/** An editor with these offsets selected, the last one first. */
function editor(source: string, start: number, end: number) {
  return {
    model: { sharedModel: { getSource: () => source } },
    getSelection: () => ({ start: { line: 0, column: end }, end: { line: 0, column: start } }),
    getOffsetAt: ({ column }: { column: number }) => column,
  };
}

function opened(...cells: FakeCell[]) {
  const file = new FakeNotebook(cells);
  const tracker = new FakeTracker([file]);
  return { file, tracker, notebook: new LabActiveNotebook(app, tracker.real) };
}

const sources = (file: FakeNotebook) => file.cells.map(({ model }) => model.sharedModel.source);

it('names the language of the notebook that was active last, from what the file says', () => {
  const { file, tracker, notebook } = opened();
  expect(notebook.language()).toBe('python');
  file.metadata.language_info = undefined;
  file.metadata.kernelspec = { language: 'julia' };
  expect(notebook.language()).toBe('julia');
  file.metadata.kernelspec = undefined;
  expect(notebook.language()).toBe('');
  tracker.currentWidget = null;
  expect(notebook.language()).toBeNull();
});

it('tells when that may have changed, until nobody listens', async () => {
  const { file, tracker, notebook } = opened();
  await file.context.ready;
  const listener = vi.fn();
  const stop = notebook.subscribe(listener);
  tracker.currentChanged.emit();
  file.metadataChanged.emit();
  file.sessionContext.kernelChanged.emit();
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  tracker.currentChanged.emit();
  expect(listener).toHaveBeenCalledTimes(3);
});

it('inserts a cell below the active one, which is active then', () => {
  const { file, notebook } = opened(fakeCell('a'), fakeCell('b'));
  notebook.insertBelow('new');
  expect(sources(file)).toEqual(['a', 'new', 'b']);
  expect(file.content.activeCellIndex).toBe(1);
  expect(file.content.deselectAll).toHaveBeenCalledOnce();
  expect(file.content.model.sharedModel.transact).toHaveBeenCalledOnce();
});

it('inserts nothing where no notebook is open, or a read-only one', () => {
  const { file, tracker, notebook } = opened(fakeCell('a'));
  file.content.model.readOnly = true;
  expect(() => notebook.insertBelow('new')).toThrow('read-only');
  tracker.currentWidget = null;
  expect(() => notebook.insertBelow('new')).toThrow('No notebook is open');
  expect(sources(file)).toEqual(['a']);
});

it('replaces the active cell in one step of its own', () => {
  const { file, notebook } = opened(fakeCell('old'), fakeCell('b'));
  notebook.replaceActive('new', notebook.activeSource());
  expect(sources(file)).toEqual(['new', 'b']);
  const shared = file.cells[0]?.model.sharedModel;
  expect(shared?.transact).toHaveBeenCalledOnce();
  expect(shared?.undoManager.stopCapturing).toHaveBeenCalledTimes(2);
});

it('replaces nothing but what the user has seen', () => {
  const { file, tracker, notebook } = opened(fakeCell('old'), fakeCell('other'));
  const seen = notebook.activeSource();
  tracker.activate(1);
  expect(() => notebook.replaceActive('new', seen)).toThrow('press Replace again');
  expect(sources(file)).toEqual(['old', 'other']);
});

it.each([
  ['is not editable', { metadata: { editable: false } }, 'read-only'],
  ['must not be deleted', { metadata: { deletable: false } }, 'read-only'],
  ['is Markdown', { type: 'markdown' }, 'markdown, not code'],
])('refuses to replace a cell that %s', (_, more, words) => {
  const { file, notebook } = opened(fakeCell('old', more));
  expect(() => notebook.activeSource()).toThrow(words);
  expect(() => notebook.replaceActive('new', 'old')).toThrow(words);
  expect(sources(file)).toEqual(['old']);
});

it('never replaces the cell that shows the panel, but the one that was active before', () => {
  const { file, tracker, notebook } = opened(panelCell(), fakeCell('old'));
  expect(() => notebook.activeSource()).toThrow('No cell is active');
  tracker.activate(1);
  tracker.activate(0);
  notebook.replaceActive('new', notebook.activeSource());
  expect(sources(file)).toEqual(['%ac', 'new']);
  notebook.insertBelow('below');
  expect(sources(file)).toEqual(['%ac', 'below', 'new']);
});

it('forgets a cell that was removed', () => {
  const { file, tracker, notebook } = opened(panelCell(), fakeCell('old'));
  tracker.activate(1);
  tracker.activate(0);
  file.cells.pop();
  expect(() => notebook.activeSource()).toThrow('No cell is active');
});

it('inserts and runs, where there is a kernel', async () => {
  const { file, notebook } = opened(fakeCell('a'));
  await notebook.insertAndRun('1 + 1');
  expect(sources(file)).toEqual(['a', '1 + 1']);
  expect(NotebookActions.run).toHaveBeenCalledExactlyOnceWith(file.content, file.sessionContext);
  file.sessionContext.session.kernel = null;
  await expect(notebook.insertAndRun('2')).rejects.toThrow('no kernel');
  expect(sources(file)).toHaveLength(2);
});

it('lists the cells and their outputs, and where the notebook is', () => {
  const outputs = [{ output_type: 'stream', text: 'a' }];
  const { file, tracker, notebook } = opened(
    fakeCell('a', { id: 'c1', outputs }),
    fakeCell('# b', { id: 'c2', type: 'markdown' }),
  );
  file.context.path = 'RTC:repo/a.ipynb';
  expect(notebook.path()).toBe('repo/a.ipynb');
  expect(notebook.cells()).toEqual([
    { id: 'c1', type: 'code', source: 'a' },
    { id: 'c2', type: 'markdown', source: '# b' },
  ]);
  expect([0, 1, 7].map((index) => notebook.outputs(index))).toEqual([outputs, [], []]);
  tracker.activate(1);
  expect(notebook.activeCellIndex()).toBe(1);
  tracker.currentWidget = null;
  expect([notebook.path(), notebook.cells(), notebook.activeCellIndex()]).toEqual(['', [], -1]);
});

it('takes the cell before for the active one while a panel has the focus', () => {
  const { tracker, notebook } = opened(fakeCell('a'), panelCell());
  tracker.activate(0);
  tracker.activate(1);
  expect(notebook.activeCellIndex()).toBe(0);
});

it('reads the selection of the file in front, else of the active cell', () => {
  const { file, notebook } = opened(fakeCell('a'), fakeCell('total = 1'));
  file.content.activeCellIndex = 1;
  expect(notebook.selection()).toBeNull();
  Object.assign(file.cells[1] as object, { editor: editor('total = 1', 0, 5) });
  expect(notebook.selection()).toEqual({ text: 'total', path: 'repo/a.ipynb', cell: 1 });
  front.currentWidget = { context: { path: 'b.py' }, content: { editor: editor('x = 2', 0, 0) } };
  expect(notebook.selection()?.text).toBe('total');
  front.currentWidget = { context: { path: 'b.py' }, content: { editor: editor('x = 2', 4, 5) } };
  expect(notebook.selection()).toEqual({ text: '2', path: 'b.py', cell: null });
});

it('replaces only the cell that was shown', () => {
  const { file, notebook } = opened(fakeCell('a', { id: 'c1' }), fakeCell('a', { id: 'c2' }));
  const path = 'repo/a.ipynb';
  file.content.activeCellIndex = 1;
  expect(() => notebook.replaceActive('b', 'a', { id: 'c1', path })).toThrow('Another cell is active now');
  // A copy of a notebook has cells of the same ids.
  expect(() => notebook.replaceActive('b', 'a', { id: 'c2', path: 'repo/copy.ipynb' })).toThrow(
    'Another cell is active now',
  );
  expect(sources(file)).toEqual(['a', 'a']);
  notebook.replaceActive('b', 'a', { id: 'c2', path });
  expect(sources(file)).toEqual(['a', 'b']);
});
