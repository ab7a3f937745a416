/** Reads and edits the cells of a notebook's shared document, as the server asks. */

import type { NotebookCell, NotebookEdit, NotebookEdited } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { SharedCell, SharedNotebook } from '@jupyterlab/notebook';

/** Characters of the outputs of one cell, as JSON. */
const MAX_OUTPUT_CHARS = 200_000;

export type CellOperation = NotebookEdit['operations'][number];

/** @param outputs - ids of the cells that are wanted with their outputs */
export function cellsOf(notebook: SharedNotebook, outputs: ReadonlySet<string> = new Set()): NotebookCell[] {
  return notebook.cells.map((cell) => {
    const tags = cell.getMetadata('tags');
    const row: NotebookCell = {
      id: cell.id,
      cell_type: cell.cell_type as NotebookCell['cell_type'],
      source: cell.source,
    };
    if (Array.isArray(tags) && tags.length) row.tags = tags.map(String);
    if (outputs.has(cell.id) && cell.cell_type === 'code') row.outputs = boundedOutputs(cell);
    return row;
  });
}

/** The outputs of a cell; what is too long for a message is left out, and said. */
function boundedOutputs(cell: SharedCell): unknown[] {
  let left = MAX_OUTPUT_CHARS;
  const kept = (cell.toJSON().outputs ?? []).filter((output) => {
    const size = JSON.stringify(output).length;
    if (size > left) return false;
    left -= size;
    return true;
  });
  const missing = (cell.toJSON().outputs ?? []).length - kept.length;
  const note = {
    output_type: 'stream',
    name: 'stdout',
    text: t('(%1 outputs are too large to be sent)', missing),
  };
  return missing ? [...kept, note] : kept;
}

export function languageOf(notebook: SharedNotebook): string {
  const { language_info: info, kernelspec } = notebook.metadata;
  return info?.name ?? kernelspec?.language ?? '';
}

/**
 * Carries out all operations or none. A change of one cell's text is undone in that cell; anything else is one step of
 * the notebook's own history of cell operations.
 */
export function editNotebook(notebook: SharedNotebook, operations: readonly CellOperation[]): NotebookEdited {
  const reason = refusal(notebook, operations);
  if (reason) return { status: 'refused', reason };
  if (!operations.every((operation) => isCurrent(notebook, operations, operation)))
    return { status: 'changed' };
  const [first] = operations;
  if (operations.length === 1 && first?.op === 'source') {
    const cell = find(notebook, first.id) as SharedCell;
    cell.undoManager?.stopCapturing();
    replaceSource(cell, first.source);
    cell.undoManager?.stopCapturing();
  } else {
    notebook.undoManager.stopCapturing();
    const change = new CellChange(notebook);
    notebook.transact(() => {
      for (const operation of operations) change.carryOut(operation);
    });
    notebook.undoManager.stopCapturing();
  }
  return { status: 'applied' };
}

function find(notebook: SharedNotebook, id: string): SharedCell | undefined {
  return notebook.cells.find((cell) => cell.id === id);
}

/** Why the user doesn't let a cell be edited; '' when it may be. */
function refusal(notebook: SharedNotebook, operations: readonly CellOperation[]): string {
  for (const operation of operations) {
    const cell = operation.op === 'insert' ? undefined : find(notebook, operation.id);
    const isRemoved = operation.op === 'delete' || operation.op === 'replace';
    if (cell?.getMetadata('editable') === false && operation.op !== 'move')
      return t('A cell of the edit is read-only in the notebook; make it editable first.');
    if (cell?.getMetadata('deletable') === false && isRemoved)
      return t('A cell of the edit may not be deleted in the notebook; make it deletable first.');
  }
  return '';
}

/** The cells that an operation names are there, with the text that it expects. */
function isCurrent(
  notebook: SharedNotebook,
  operations: readonly CellOperation[],
  operation: CellOperation,
): boolean {
  if ('before' in operation && find(notebook, operation.id)?.source !== operation.before) return false;
  if ('id' in operation && !find(notebook, operation.id)) return false;
  if (!('after' in operation) || operation.after === null) return true;
  const { after } = operation;
  const isAdded = operations.some((other) => other.op === 'insert' && other.cell.id === after);
  return isAdded || find(notebook, after) !== undefined;
}

/** Carries out operations inside a transaction, in which `notebook.cells` is still what it was. */
class CellChange {
  readonly #notebook: SharedNotebook;
  readonly #order: string[];
  readonly #cells: Map<string, SharedCell>;

  constructor(notebook: SharedNotebook) {
    this.#notebook = notebook;
    this.#order = notebook.cells.map((cell) => cell.id);
    this.#cells = new Map(notebook.cells.map((cell) => [cell.id, cell]));
  }

  carryOut(operation: CellOperation): void {
    switch (operation.op) {
      case 'source':
        replaceSource(this.#cell(operation.id), operation.source);
        break;
      case 'tags':
        this.#cell(operation.id).setMetadata('tags', operation.tags);
        break;
      case 'insert':
        this.#insert(this.#placeAfter(operation.after), operation.cell.id, documentCell(operation.cell));
        break;
      case 'delete':
        this.#remove(operation.id);
        break;
      case 'replace':
        this.#insert(this.#remove(operation.id), operation.id, documentCell(operation.cell));
        break;
      case 'move': {
        // The document's own `moveCell` looks into its list of cells.
        const copy = this.#cell(operation.id).toJSON();
        this.#remove(operation.id);
        this.#insert(this.#placeAfter(operation.after), operation.id, copy);
      }
    }
  }

  #cell(id: string): SharedCell {
    return this.#cells.get(id) as SharedCell;
  }

  #placeAfter(id: string | null): number {
    return id === null ? 0 : this.#order.indexOf(id) + 1;
  }

  #insert(index: number, id: string, cell: object): void {
    this.#cells.set(id, this.#notebook.insertCell(index, cell));
    this.#order.splice(index, 0, id);
  }

  #remove(id: string): number {
    const index = this.#order.indexOf(id);
    this.#notebook.deleteCell(index);
    this.#order.splice(index, 1);
    return index;
  }
}

function documentCell({ tags, ...cell }: NotebookCell): object {
  return { ...cell, metadata: tags?.length ? { tags } : {} };
}

/** Replaces only what differs, so that a cursor elsewhere in the cell stays. */
function replaceSource(cell: SharedCell, source: string): void {
  const before = cell.source;
  const shorter = Math.min(before.length, source.length);
  let start = 0;
  while (start < shorter && before[start] === source[start]) start += 1;
  if (isHighSurrogate(before[start - 1])) start -= 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === source.at(-1 - tail)) tail += 1;
  if (tail && isLowSurrogate(before.at(-tail))) tail -= 1;
  cell.updateSource(start, before.length - tail, source.slice(start, source.length - tail));
}

function isHighSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\ud800' && unit <= '\udbff';
}

function isLowSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\udc00' && unit <= '\udfff';
}
