/** What in an answer's text may be a file or a symbol of the repository. Pure. */

import { type Place, parsePlace } from './places.ts';

/** Part of a text that names a file. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly place: Place;
}

/** Knows the files of the repository. */
export interface KnownFiles {
  /** The path of the file that is meant; '' when there is none, or several could be. */
  resolve(written: string): string;
}

/** Something like a path: names between slashes, at least one dot or slash, perhaps a line or a heading behind it. */
const PATH =
  /(?<![\p{L}\p{N}_@:/.\\-])[\p{L}\p{N}_.@+-]+(?:\/[\p{L}\p{N}_.@+-]+)*(?:(?::\d{1,7}(?::\d{1,5})?|#L\d{1,7})(?:[-–]L?\d{1,7})?|#[\p{L}\p{N}_-]{1,100})?(?![\p{L}\p{N}_/\\])/gu;
/** `docs/a.md#heading`. */
const ANCHORED = /^([^#]+)#([^#]+)$/;
/** Also `deploy-all` of a shell. */
const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*`;
/** With calls in it, but not two beside each other. */
const ARGUMENTS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
/** A name, perhaps with what it belongs to before it, with Ruby's `?` or `!`, and with its arguments behind it. */
const SYMBOL = new RegExp(`^(${NAME}(?:(?:\\.|::|#|->)${NAME})*[?!]?)(${ARGUMENTS})?$`, 'u');
const LONGEST = 200;
/** A single letter means anything, unless it is called. */
const SHORTEST = 2;

/** The files that a text names, in order. */
export function mentionsIn(text: string, files: KnownFiles): Mention[] {
  const mentions: Mention[] = [];
  // Where a path ends that names no file: what comes after a blank may be the rest of its name.
  let torn = -1;
  for (const { 0: found, index } of text.matchAll(PATH)) {
    const written = withoutTail(found);
    if (!/[./]/.test(written) || written.length > LONGEST) continue;
    const place = resolved(written, files);
    const isRest = index === torn + 1 && text[torn] === ' ' && !written.startsWith(place?.path ?? '');
    torn = !place && written.includes('/') ? index + found.length : -1;
    if (place && !isRest) mentions.push({ start: index, end: index + written.length, place });
  }
  return mentions;
}

/** Without the signs at its end that end a sentence. In one pass, however many there are. */
function withoutTail(found: string): string {
  let end = found.length;
  while (end > 0 && '.-+@'.includes(found[end - 1] ?? '')) end -= 1;
  return found.slice(0, end);
}

/** The file that `written` as a whole names; null for none. */
export function resolved(written: string, files: KnownFiles): Place | null {
  const place = parsePlace(written.trim());
  const path = files.resolve(place.path);
  if (path) return { ...place, path };
  const [, file = '', anchor = ''] = ANCHORED.exec(place.path) ?? [];
  const document = file && files.resolve(file);
  return document ? { path: document, line: 0, col: 0, anchor } : null;
}

/** The name that inline code asks the index for: `Class.method` of `Class.method(a, b)`; '' for what is no name. */
export function symbolName(code: string): string {
  const written = code.trim();
  if (written.length > LONGEST) return '';
  const [, name = '', call] = SYMBOL.exec(written) ?? [];
  return name.length >= SHORTEST || call ? name.replace(/::|#|->/g, '.') : '';
}
