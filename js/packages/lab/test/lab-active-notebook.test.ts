import { afterEach, expect, it, vi } from 'vitest';
import { LabActiveNotebook } from '../src/lab-active-notebook.ts';
import { PANEL_MIME } from '../src/panel-output.ts';
import { type FakeCell, FakeNotebook, FakeTracker, fakeCell, NotebookActions } from './support/notebook.ts';

afterEach(() => {
  vi.clearAllMocks();
});

const panelCell = () =>
  fakeCell('%ac', { outputs: [{ output_type: 'display_data', data: { [PANEL_MIME]: {} } }] });

function opened(...cells: FakeCell[]) {
  const file = new FakeNotebook(cells);
  const tracker = new FakeTracker([file]);
  return { file, tracker, notebook: new LabActiveNotebook(tracker.real) };
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
