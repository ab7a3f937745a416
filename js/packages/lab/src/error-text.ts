/** Questions about a cell that failed. Pure. */

/** The cell that failed, as the notebook's text for the model names it. */
export interface FailedCell {
  /** Path of the notebook in the repository. */
  readonly path: string;
  /** Id in the file; null where the format has none. */
  readonly id: string | null;
  /** Position among the cells, from 1. */
  readonly position: number;
  readonly source: string;
  /** From `errorText` of the page. */
  readonly error: string;
}

/** Asks for an edit of the cell. */
export function fixQuestion(cell: FailedCell): string {
  const { path } = cell;
  return (
    `Fix ${named(cell)} of \`${path}\`, which fails when it runs. ` +
    `Propose the correction as an edit of \`${path}\` that changes only this cell, ` +
    `and say in a sentence or two what was wrong.\n\nIts error:\n\n${fenced(cell.error, 'text')}`
  );
}

/** Asks for an explanation; the cell goes along, so that no file has to. */
export function explainQuestion(cell: FailedCell): string {
  return (
    `Explain in a few sentences why ${named(cell)} of \`${cell.path}\` fails, and what to do. ` +
    `Don't propose edits.\n\nThe cell:\n\n${fenced(cell.source, 'python')}\n\n` +
    `Its error:\n\n${fenced(cell.error, 'text')}`
  );
}

function named({ id, position }: FailedCell): string {
  return id === null ? `cell ${position}` : `the cell \`id=${JSON.stringify(id)}\` (cell ${position})`;
}

function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  return `${fence}${language}\n${text}\n${fence}`;
}
