/** Texts about a cell that failed: its error without control sequences, and the questions about it. Pure. */

/** Limit of an error's text, in UTF-16 units. */
export const MAX_ERROR = 4000;
/** Of a text that is too long, so much of its beginning is kept. */
const KEPT_START = 600;

/** An error as notebooks hold it. */
export interface ErrorOutputData {
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

/** The cell that failed, as the notebook's text for the model names it. */
export interface FailedCell {
  /** Path of the notebook in the repository. */
  readonly path: string;
  /** Id in the file; null where the format has none. */
  readonly id: string | null;
  /** Position among the cells, from 1. */
  readonly position: number;
  readonly source: string;
  /** From `errorText`. */
  readonly error: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
const ANSI = /\u001b(?:\[[0-9;:?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\))/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The traceback without ANSI codes and other control characters, its middle left out when it is too long. */
export function errorText({ ename, evalue, traceback }: ErrorOutputData): string {
  const whole = traceback.join('\n') || `${ename}: ${evalue}`;
  const text = whole.replace(ANSI, '').replace(CONTROLS, '').trim();
  if (text.length <= MAX_ERROR) return text;
  const note = '\n… (left out) …\n';
  return text.slice(0, KEPT_START) + note + text.slice(note.length + KEPT_START - MAX_ERROR);
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
