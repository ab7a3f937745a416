import { YNotebook } from '@jupyter/ydoc';
import type { NotebookCell } from '@jupyter-ac/link/rpc';
import type { SharedNotebook } from '@jupyterlab/notebook';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CellOperation, cellsOf, editNotebook, languageOf } from '../src/open-notebook.ts';

let real: YNotebook;
let notebook: SharedNotebook;

const OUTPUT = { output_type: 'stream', name: 'stdout', text: 'kept' };

function open(cells: readonly object[], metadata: object = {}): void {
  // As JupyterLab makes it, with its default settings.
  real = YNotebook.create({ disableDocumentWideUndoRedo: true, data: { cells, metadata } as never });
  notebook = real as unknown as SharedNotebook;
  real.undoManager.clear();
}

function code(id: string, source: string, metadata: object = {}): object {
  return { id, cell_type: 'code', source, metadata, outputs: [OUTPUT], execution_count: 1 };
}

const sources = (): string[] => notebook.cells.map((cell) => cell.source);
const ids = (): string[] => notebook.cells.map((cell) => cell.id);
const added = (id: string, source = ''): NotebookCell => ({ id, cell_type: 'code', source });

beforeEach(() => open([code('a', 'x = 1'), code('b', 'y = 2'), code('c', 'z = 3')]));

describe('the cells of an open notebook', () => {
  it('are read with their ids and tags', () => {
    open([code('a', 'x', { tags: ['t'] }), { id: 'm', cell_type: 'markdown', source: '# T', metadata: {} }]);
    expect(cellsOf(notebook)).toEqual([
      { id: 'a', cell_type: 'code', source: 'x', tags: ['t'] },
      { id: 'm', cell_type: 'markdown', source: '# T' },
    ]);
  });

  it('have their outputs where these are wanted', () => {
    expect(cellsOf(notebook, new Set(['b'])).map((cell) => cell.outputs)).toEqual([
      undefined,
      [OUTPUT],
      undefined,
    ]);
  });

  it('leave out outputs that are too large for a message', () => {
    const large = { ...OUTPUT, text: 'x'.repeat(300_000) };
    open([{ id: 'a', cell_type: 'code', source: '', metadata: {}, outputs: [large, OUTPUT] }]);
    const [first, note] = cellsOf(notebook, new Set(['a']))[0]?.outputs ?? [];
    expect(first).toMatchObject({ text: 'kept' });
    expect(note).toMatchObject({ text: '(1 outputs are too large to be sent)' });
  });

  it('have the language of the kernel, or of its specification', () => {
    open([], { language_info: { name: 'julia' }, kernelspec: { language: 'r' } });
    expect(languageOf(notebook)).toBe('julia');
    open([], { kernelspec: { language: 'r' } });
    expect(languageOf(notebook)).toBe('r');
    open([]);
    expect(languageOf(notebook)).toBe('');
  });
});

describe('an edit', () => {
  it('of one cell keeps outputs, and is undone in that cell alone', () => {
    const edit: CellOperation = { op: 'source', id: 'b', before: 'y = 2', source: 'y = 5' };
    expect(editNotebook(notebook, [edit])).toEqual({ status: 'applied' });
    expect(sources()).toEqual(['x = 1', 'y = 5', 'z = 3']);
    expect(real.getCell(1).toJSON()).toMatchObject({ outputs: [OUTPUT], execution_count: 1 });
    expect(real.canUndo()).toBe(false);
    expect(real.getCell(1).undo()).toBe(true);
    expect(sources()).toEqual(['x = 1', 'y = 2', 'z = 3']);
  });

  it('is a step of its own beside what was typed just before', () => {
    real.getCell(1).updateSource(0, 0, 'typed ');
    editNotebook(notebook, [{ op: 'source', id: 'b', before: 'typed y = 2', source: 'typed y = 5' }]);
    real.getCell(1).updateSource(0, 0, 'more ');
    expect(real.getCell(1).undo()).toBe(true);
    expect(real.getCell(1).source).toBe('typed y = 5');
    expect(real.getCell(1).undo()).toBe(true);
    expect(real.getCell(1).source).toBe('typed y = 2');
  });

  it('of several cells is one step of the notebook', () => {
    const edit: CellOperation[] = [
      { op: 'delete', id: 'a', before: 'x = 1' },
      { op: 'source', id: 'b', before: 'y = 2', source: 'y = 5' },
      { op: 'insert', after: 'b', cell: { ...added('n', 'new'), tags: ['t'] } },
      { op: 'insert', after: 'n', cell: added('o', 'newer') },
      { op: 'replace', id: 'c', before: 'z = 3', cell: { id: 'c', cell_type: 'markdown', source: 'z' } },
    ];
    const before = real.toJSON();
    expect(editNotebook(notebook, edit)).toEqual({ status: 'applied' });
    expect(ids()).toEqual(['b', 'n', 'o', 'c']);
    expect(sources()).toEqual(['y = 5', 'new', 'newer', 'z']);
    expect(real.getCell(1).getMetadata('tags')).toEqual(['t']);
    expect(real.getCell(3).cell_type).toBe('markdown');
    real.undo();
    expect(real.toJSON()).toEqual(before);
  });

  it('moves cells with their outputs, up and down', () => {
    editNotebook(notebook, [{ op: 'move', id: 'c', after: null }]);
    expect(ids()).toEqual(['c', 'a', 'b']);
    editNotebook(notebook, [{ op: 'move', id: 'c', after: 'a' }]);
    expect(ids()).toEqual(['a', 'c', 'b']);
    expect(real.getCell(1).toJSON()).toMatchObject({ outputs: [OUTPUT] });
  });

  it('changes cells that it moves, between others that it adds', () => {
    const edit: CellOperation[] = [
      { op: 'insert', after: null, cell: added('n') },
      { op: 'move', id: 'c', after: 'n' },
      { op: 'source', id: 'c', before: 'z = 3', source: 'z = 4' },
      { op: 'insert', after: 'a', cell: added('o') },
    ];
    editNotebook(notebook, edit);
    expect(ids()).toEqual(['n', 'c', 'a', 'o', 'b']);
    expect(sources()).toEqual(['', 'z = 4', 'x = 1', '', 'y = 2']);
    real.undo();
    expect(sources()).toEqual(['x = 1', 'y = 2', 'z = 3']);
  });

  it('sets tags', () => {
    editNotebook(notebook, [{ op: 'tags', id: 'a', tags: ['t'] }]);
    expect(real.getCell(0).getMetadata('tags')).toEqual(['t']);
  });

  const stale: CellOperation[] = [
    { op: 'source', id: 'b', before: 'y = 9', source: '' },
    { op: 'source', id: 'gone', before: '', source: '' },
    { op: 'delete', id: 'b', before: 'y = 9' },
    { op: 'replace', id: 'b', before: 'y = 9', cell: added('b') },
    { op: 'move', id: 'gone', after: null },
    { op: 'move', id: 'b', after: 'gone' },
    { op: 'insert', after: 'gone', cell: added('n') },
    { op: 'tags', id: 'gone', tags: [] },
  ];
  it.each(stale)('changes nothing when the cells are others by now: %o', (operation) => {
    const before = real.toJSON();
    const first: CellOperation = { op: 'source', id: 'a', before: 'x = 1', source: 'x = 7' };
    expect(editNotebook(notebook, [first, operation])).toEqual({ status: 'changed' });
    expect(real.toJSON()).toEqual(before);
  });

  it('respects read-only cells and those that may not be deleted', () => {
    open([code('a', 'x', { editable: false }), code('b', 'y', { deletable: false })]);
    const source: CellOperation = { op: 'source', id: 'a', before: 'x', source: 'z' };
    const gone: CellOperation = { op: 'delete', id: 'b', before: 'y' };
    for (const operation of [source, gone])
      expect(editNotebook(notebook, [operation])).toMatchObject({ status: 'refused' });
    expect(sources()).toEqual(['x', 'y']);
  });

  it('gives a cell any text exactly', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '😀', '😁', '𝒳') });
    fc.assert(
      fc.property(text, text, (before, source) => {
        open([code('a', before)]);
        if (before === source) return;
        editNotebook(notebook, [{ op: 'source', id: 'a', before, source }]);
        expect(sources()).toEqual([source]);
      }),
    );
  });
});
