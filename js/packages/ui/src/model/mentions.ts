/** Finds file paths and symbol names in the text of an answer. Pure. */

import { type FileLocation, parseLocation } from './file-location.ts';

/** A part of a text that names a file. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly location: FileLocation;
}

/** Resolves written paths. */
export interface PathResolver {
  /** Path of the file that is meant; '' when none or several match. */
  resolve(written: string): string;
}

/** A path: names joined by slashes, at least one dot or slash, optionally a line or a heading after it. */
const PATH =
  /(?<![\p{L}\p{N}_@:/.\\-])[\p{L}\p{N}_.@+-]+(?:\/[\p{L}\p{N}_.@+-]+)*(?:(?::\d{1,7}(?::\d{1,5})?|#L\d{1,7})(?:[-–]L?\d{1,7})?|#[\p{L}\p{N}_-]{1,100})?(?![\p{L}\p{N}_/\\])/gu;
/** `docs/a.md#heading`. */
const ANCHORED = /^([^#]+)#([^#]+)$/;
/** An identifier; also `deploy-all` of a shell. */
const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*`;
/** Arguments in parentheses, nested up to three levels. */
const ARGUMENTS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
/** A name, optionally qualified, with Ruby's `?` or `!`, and with arguments. */
const SYMBOL = new RegExp(`^(${NAME}(?:(?:\\.|::|#|->)${NAME})*[?!]?)(${ARGUMENTS})?$`, 'u');
/** `, line 12`, ` (lines 12-20` after a path. */
const LINE_AFTER = /^[`'"]?(?:,|:)?\s{1,2}\(?(?:at |on |in )?lines?\s(\d{1,7})(?:\s?[-–]\s?\d{1,7})?(?!\d)/i;
const MAX_LENGTH = 200;
/** A single letter counts only when it is called. */
const MIN_LENGTH = 2;

/** The files named in a text, in order. */
export function mentionsIn(text: string, files: PathResolver): Mention[] {
  const mentions: Mention[] = [];
  // End of a path that names no file: after one space, its name may continue.
  let torn = -1;
  for (const { 0: found, index } of text.matchAll(PATH)) {
    const written = withoutTail(found);
    if (!/[./]/.test(written) || written.length > MAX_LENGTH) continue;
    const location = resolveMention(written, files);
    const isRest = index === torn + 1 && text[torn] === ' ' && !written.startsWith(location?.path ?? '');
    torn = !location && written.includes('/') ? index + found.length : -1;
    if (location && !isRest)
      mentions.push(withLine(text, { start: index, end: index + written.length, location }));
  }
  return mentions;
}

/** The mention extended by a line in words after it, as in `src/a.py, line 12`. */
function withLine(text: string, mention: Mention): Mention {
  const { start, end, location } = mention;
  if (location.line || location.anchor) return mention;
  const [words, line] = LINE_AFTER.exec(text.slice(end, end + MAX_LENGTH)) ?? [];
  if (words === undefined) return mention;
  return { start, end: end + words.length, location: { ...location, line: Number(line) } };
}

/** Without trailing punctuation, in linear time. */
function withoutTail(found: string): string {
  let end = found.length;
  while (end > 0 && '.-+@'.includes(found[end - 1] ?? '')) end -= 1;
  return found.slice(0, end);
}

/** The file that all of `written` names; null for none. */
export function resolveMention(written: string, files: PathResolver): FileLocation | null {
  const location = parseLocation(written.trim());
  const path = files.resolve(location.path);
  if (path) return { ...location, path };
  const [, file = '', anchor = ''] = ANCHORED.exec(location.path) ?? [];
  const document = file && files.resolve(file);
  return document ? { path: document, line: 0, col: 0, anchor } : null;
}

/** The name to look up for inline code: `Class.method` for `Class.method(a, b)`; '' when it isn't a name. */
export function symbolName(code: string): string {
  const written = code.trim();
  if (written.length > MAX_LENGTH) return '';
  const [, name = '', call] = SYMBOL.exec(written) ?? [];
  return name.length >= MIN_LENGTH || call ? name.replace(/::|#|->/g, '.') : '';
}
