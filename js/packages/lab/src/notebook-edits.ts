/** Edits of an open notebook: a cell's source is replaced, a cell is inserted, a cell runs. */

import { t } from '@jupyter-ac/messages';
import {
  type Cell,
  type INotebookTracker,
  NotebookActions,
  type NotebookPanel,
  type SharedCodeCell,
} from '@jupyterlab/notebook';

/** The notebook and the cell that show an element; throws an Error with one sentence. */
export function cellAround(tracker: INotebookTracker, node: Node): [NotebookPanel, Cell] {
  const notebook = tracker.find((panel) => panel.content.node.contains(node));
  const cell = notebook?.content.widgets.find((each) => each.node.contains(node));
  if (!notebook || !cell) throw new Error(t('Press this button at the cell itself, in its notebook.'));
  return [notebook, cell];
}

/** Before format 4.5 a file has no ids of cells; the page makes some up. */
export function hasCellIds({ content }: NotebookPanel): boolean {
  const { nbformat = 4, nbformatMinor = 0 } = content.model ?? {};
  return nbformat > 4 || nbformatMinor >= 5;
}

/**
 * A cell whose source can be replaced.
 *
 * @param name - of the cell, at the beginning of a sentence
 * @throws Error with one sentence when it can't be
 */
export function replaceable({ content }: NotebookPanel, { model }: Cell, name: string): SharedCodeCell {
  if (model.type !== 'code') {
    throw new Error(t('%1 is %2, not code: select a code cell.', name, model.type));
  }
  const isLocked = ['editable', 'deletable'].some((key) => model.getMetadata(key) === false);
  if (content.model?.readOnly || isLocked) {
    throw new Error(t('%1 is read-only: unlock it, or insert the code below it.', name));
  }
  return model.sharedModel;
}

/** One step of the cell's own undo. */
export function replaceSource(cell: SharedCodeCell, source: string): void {
  // Otherwise one step would undo this together with what was typed just before or after.
  cell.undoManager?.stopCapturing();
  cell.transact(() => cell.setSource(source));
  cell.undoManager?.stopCapturing();
}

/** Inserts a code cell at a position, from 0, and makes it active; throws an Error with one sentence. */
export function insertCell({ content }: NotebookPanel, position: number, source: string): void {
  const { model } = content;
  if (!model || model.readOnly) throw new Error(t('The notebook is read-only: no cell can be inserted.'));
  const { cells, sharedModel } = model;
  const index = Math.min(position, cells.length);
  sharedModel.transact(() => {
    // As JupyterLab's own command does: a cell that the user inserts is trusted.
    sharedModel.insertCell(index, { cell_type: 'code', source, metadata: { trusted: true } });
  });
  activate(content, index);
}

/** Makes a cell the active one, without any other selection, and shows it. */
export function activate(content: NotebookPanel['content'], index: number): void {
  content.activeCellIndex = index;
  content.deselectAll();
  void content.scrollToItem?.(index, 'smart');
}

/** @throws Error with one sentence when the notebook has no kernel */
export function requireKernel({ sessionContext }: NotebookPanel): void {
  if (!sessionContext.session?.kernel) throw new Error(t('The notebook has no kernel: start one first.'));
}

/** Runs the active cell; resolves at its end. */
export async function runActive({ content, sessionContext }: NotebookPanel): Promise<void> {
  await NotebookActions.run(content, sessionContext);
}
