/** Reads what a mention means from the notebook and the kernel beside the panel. */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type ActiveCell, type ActiveNotebook, itemSource, type KernelAccess } from '@jupyter-ac/page';
import type { ContextKind } from '../model/context-items.ts';
import type { ContextMention, MentionKind } from '../model/context-mentions.ts';
import { errorOutput, outputImages, outputText, reportText } from './output-text.ts';

/** What the page around the panel has; null: nothing. */
export interface Surroundings {
  readonly notebook: ActiveNotebook | null;
  readonly kernel: KernelAccess | null;
}

/** Mentions that add an item; the others tick a file. */
export type ItemKind = Exclude<MentionKind, 'file' | 'notebook'>;

export const NO_EXTENSION = t(
  'This works in JupyterLab and Notebook 7 with the jupyter_ac extension; remove it, or paste the text.',
);
export const NO_NOTEBOOK = t('No notebook is open: open one and select a cell.');
/** The host keeps names of this length. */
const MAX_NAME = 200;

export const ITEM_KINDS: Readonly<Record<ItemKind, ContextKind>> = {
  var: 'variable',
  cell: 'cell',
  output: 'output',
  selection: 'selection',
  error: 'error',
};

/** The name of a chip before it is known what it is. */
export function itemName(kind: ItemKind, argument: string): string {
  if (kind === 'var') return argument;
  if (kind === 'cell') return argument ? `cell ${argument}` : 'active cell';
  if (kind === 'output') return `output of ${argument ? `cell ${argument}` : 'the active cell'}`;
  if (kind === 'selection') return 'selection';
  return argument ? `error of cell ${argument}` : 'last error';
}

/** Rejects with one sentence that says what to do. */
export async function readItem(
  { kind, argument }: Pick<ContextMention, 'argument'> & { readonly kind: ItemKind },
  { notebook, kernel }: Surroundings,
): Promise<ContextItemGiven> {
  if (kind === 'var') return readVariable(argument, kernel);
  if (!notebook) throw new Error(NO_EXTENSION);
  if (kind === 'selection') return readSelection(notebook);
  if (kind === 'error' && !argument) return readLastError(notebook, kernel);
  const [cell, index] = cellOf(notebook, argument);
  if (kind === 'error') return readCellError(notebook, cell, index);
  return kind === 'cell' ? cellItem(notebook, cell, index) : outputItem(notebook, cell, index);
}

async function readVariable(name: string, kernel: KernelAccess | null): Promise<ContextItemGiven> {
  if (!kernel) throw new Error(NO_EXTENSION);
  const { text } = await kernel.describeVariable(name);
  const { path } = await kernel.state();
  return { kind: 'variable', name, text, source: itemSource(path) };
}

function readSelection(notebook: ActiveNotebook): ContextItemGiven {
  const selected = notebook.selection();
  if (!selected) throw new Error(t('Nothing is selected: select text in a cell or a file.'));
  const { text, path, cell } = selected;
  const place = cell === null ? (path.split('/').at(-1) ?? '') : `cell ${cell + 1}`;
  return {
    kind: 'selection',
    name: `selection in ${place}`.slice(0, MAX_NAME),
    text,
    source: itemSource(path),
  };
}

/** The kernel's last error, with variables; without an answer, that in the output of the active cell. */
async function readLastError(
  notebook: ActiveNotebook,
  kernel: KernelAccess | null,
): Promise<ContextItemGiven> {
  const report = await kernel?.lastError().catch(() => null);
  const source = itemSource(notebook.path());
  if (report) {
    return { kind: 'error', name: report.type.slice(0, MAX_NAME), text: reportText(report), source };
  }
  const index = notebook.activeCellIndex();
  const cell = notebook.cells()[index];
  const item = cell && errorItem(notebook, cell, index);
  if (item) return item;
  throw new Error(t('There is no error: neither the kernel nor the output of the active cell has one.'));
}

/** The error in the output of this very cell: the kernel's last one may be another cell's. */
function readCellError(notebook: ActiveNotebook, cell: ActiveCell, index: number): ContextItemGiven {
  const item = errorItem(notebook, cell, index);
  if (!item) throw new Error(t('The output of cell %1 has no error.', index + 1));
  return item;
}

/** null when the cell's output has no error. */
function errorItem(notebook: ActiveNotebook, { id }: ActiveCell, index: number): ContextItemGiven | null {
  const text = errorOutput(notebook.outputs(index));
  const source = itemSource(notebook.path());
  return text ? { kind: 'error', name: `error of cell ${index + 1}`, text, source, cell: id } : null;
}

function cellItem(
  notebook: ActiveNotebook,
  { id, type, source }: ActiveCell,
  index: number,
): ContextItemGiven {
  const name = `cell ${index + 1}`;
  const text = `Cell ${index + 1} (${type}):\n\n${source}`;
  return { kind: 'cell', name, text, source: itemSource(notebook.path()), cell: id };
}

function outputItem(notebook: ActiveNotebook, { id, source }: ActiveCell, index: number): ContextItemGiven {
  const outputs = notebook.outputs(index);
  const [text, images] = [outputText(outputs), outputImages(outputs)];
  const name = `output of cell ${index + 1}`;
  if (!text && !images.length) throw new Error(t('Cell %1 has no output: run it first.', index + 1));
  return {
    ...{ kind: 'output', name, text: `Output of cell ${index + 1}:\n\n${text}` },
    ...{ source: itemSource(notebook.path()), cell: id, code: source, images },
  };
}

/** The cell of this number, counted from 1; '' is the active one. */
function cellOf(notebook: ActiveNotebook, number: string): [ActiveCell, number] {
  const cells = notebook.cells();
  const index = number ? Number(number) - 1 : notebook.activeCellIndex();
  const cell = cells[index];
  if (cell) return [cell, index];
  if (!notebook.path()) throw new Error(NO_NOTEBOOK);
  if (!number) throw new Error(t('No cell is active: click into one.'));
  throw new Error(t('There is no cell %1: the notebook has %2.', number, cells.length));
}
