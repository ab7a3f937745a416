/** User-facing messages on why an edit was not applied; the server's messages address the model. Pure. */

import { t } from '@jupyter-ac/messages';
import type { Outcome } from './edits.ts';

const CAUSES: Readonly<Record<string, string>> = {
  whitespace: t('The lines to replace differ from the file’s in white space.'),
  indentation: t('The lines to replace are indented differently in the file.'),
  elided_lines: t('The block leaves out some of the lines that it replaces.'),
  quotes: t('The lines to replace differ from the file’s in quotes or dashes.'),
  stale: t('The file has other lines there.'),
  unknown: t('The lines to replace are not in the file.'),
};
const INDENTATION_CORRECTED = t('It fits this place once its indentation is corrected.');

/** Prefix of the server's sentence on why a file was not staged with its edit. */
const NOT_STAGED = 'Applied, not staged:';

/** Notes to show with an outcome; `isStaged`: the file is staged by now. */
export function notesOf({ notes }: Outcome, isStaged: boolean): readonly string[] {
  return isStaged
    ? notes.map((note) => (note.startsWith(NOT_STAGED) ? t('Applied and staged.') : note))
    : notes;
}

export interface Reason {
  /** '' for none. */
  readonly text: string;
  /** The message sent to the model; '' where it is the same. */
  readonly modelText: string;
}

export function reasonOf({ errorType, cause, message, status, isCorrectable }: Outcome): Reason {
  const text =
    status === 'failed' || status === 'suggested' ? explanationOf(errorType, cause, isCorrectable) : '';
  if (isCorrectable && text) return { text, modelText: '' }; // the model isn't asked again
  return text ? { text, modelText: message } : { text: message, modelText: '' };
}

function explanationOf(errorType: string, cause: string, isCorrectable: boolean): string {
  if (isCorrectable) return INDENTATION_CORRECTED;
  if (errorType === 'ambiguous_anchor') return t('The lines to replace stand in the file more than once.');
  return errorType === 'anchor_not_found' ? (CAUSES[cause] ?? CAUSES.unknown ?? '') : '';
}
