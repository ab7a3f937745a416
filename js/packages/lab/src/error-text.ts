/** Questions about a cell that failed. Pure. */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';

/** The cell that failed, as the notebook's text for the model names it. */
export interface FailedCell {
  /** Path of the notebook in the repository. */
  readonly path: string;
  /** Id in the file; null where the format has none. */
  readonly id: string | null;
  /** Id on the page, which every cell has. */
  readonly pageId: string;
  /** The notebook as items name it, from `itemSource` of the page: Replace puts secrets back by it and by `pageId`. */
  readonly notebook: string;
  /** Position among the cells, from 1. */
  readonly position: number;
  readonly source: string;
  /** From `errorText` of the page. */
  readonly error: string;
}

/** A question, and what goes out with it; the server masks the secrets of these items. */
export interface CellQuestion {
  readonly text: string;
  readonly items: readonly ContextItemGiven[];
}

/** Asks for an edit of the cell. */
export function fixQuestion(cell: FailedCell): CellQuestion {
  const { path } = cell;
  const text =
    `Fix ${named(cell)} of \`${path}\`, which fails when it runs. ` +
    `Propose the correction as an edit of \`${path}\` that changes only this cell, ` +
    'and say in a sentence or two what was wrong.';
  return { text, items: [errorItem(cell)] };
}

/** Asks for an explanation; the cell goes along, so that no file has to. */
export function explainQuestion(cell: FailedCell): CellQuestion {
  const text =
    `Explain in a few sentences why ${named(cell)} of \`${cell.path}\` fails, and what to do. ` +
    "Don't propose edits.";
  const source = { ...common(cell), kind: 'cell' as const, name: `cell ${cell.position}`, text: cell.source };
  return { text, items: [source, errorItem(cell)] };
}

function errorItem(cell: FailedCell): ContextItemGiven {
  return { ...common(cell), kind: 'error', name: `error of cell ${cell.position}`, text: cell.error };
}

function common({ notebook, pageId }: FailedCell): { source: string; cell: string } {
  return { source: notebook, cell: pageId };
}

function named({ id, position }: FailedCell): string {
  return id === null ? `cell ${position}` : `the cell \`id=${JSON.stringify(id)}\` (cell ${position})`;
}
