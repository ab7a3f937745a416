/** Texts of errors and outputs, without control sequences. Pure. */

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
const ANSI = /\u001b(?:\[[0-9;:?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,512}(?:\u0007|\u001b\\))/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text as a terminal shows it, without ANSI codes and other control characters. */
export function plainText(text: string): string {
  return text.replace(ANSI, '').replace(CONTROLS, '');
}

/** The whole traceback, without control characters. */
export function wholeError({ ename, evalue, traceback }: ErrorOutputData): string {
  return plainText(traceback.join('\n') || `${ename}: ${evalue}`).trim();
}

/** The same, its middle left out when it is too long. */
export function errorText(error: ErrorOutputData): string {
  const text = wholeError(error);
  if (text.length <= MAX_ERROR) return text;
  const note = '\n… (left out) …\n';
  return text.slice(0, KEPT_START) + note + text.slice(note.length + KEPT_START - MAX_ERROR);
}
