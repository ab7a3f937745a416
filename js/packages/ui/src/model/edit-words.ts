/** Why an edit was not applied, in words for the person; the server's are meant for the model as well. Pure. */

import type { Outcome } from './edits.ts';

const CAUSES: Readonly<Record<string, string>> = {
  whitespace: 'The lines to replace differ from the file’s in white space.',
  indentation: 'The lines to replace are indented differently in the file.',
  elided_lines: 'The block leaves out some of the lines that it replaces.',
  quotes: 'The lines to replace differ from the file’s in quotes or dashes.',
  stale: 'The file has other lines there.',
  unknown: 'The lines to replace are not in the file.',
};
const CORRECTED = 'It fits this place once its indentation is corrected.';

/** Begins the server's sentence on why a file was not staged with its edit. */
const NOT_STAGED = 'Applied, not staged:';

/** What is said beside the reason; a file that wasn't staged with its edit may be by now. */
export function notesOf({ notes }: Outcome, isStaged: boolean): readonly string[] {
  return isStaged ? notes.map((note) => (note.startsWith(NOT_STAGED) ? 'Applied and staged.' : note)) : notes;
}

export interface Reason {
  /** '' for none. */
  readonly words: string;
  /** What the model is told; '' where that is the same. */
  readonly told: string;
}

export function reasonOf({ errorType, cause, message, status, isCorrectable }: Outcome): Reason {
  const words = status === 'failed' || status === 'suggested' ? wordsOf(errorType, cause, isCorrectable) : '';
  if (isCorrectable && words) return { words, told: '' }; // the model isn't asked for it
  return words ? { words, told: message } : { words: message, told: '' };
}

function wordsOf(errorType: string, cause: string, isCorrectable: boolean): string {
  if (isCorrectable) return CORRECTED;
  if (errorType === 'ambiguous_anchor') return 'The lines to replace stand in the file more than once.';
  return errorType === 'anchor_not_found' ? (CAUSES[cause] ?? CAUSES.unknown ?? '') : '';
}
