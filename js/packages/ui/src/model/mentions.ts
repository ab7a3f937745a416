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

/** Something like a path: names between slashes, at least one dot or slash, perhaps a line behind it. */
const PATH =
  /(?<![\p{L}\p{N}_@:/.\\-])(?:\.{1,2}\/)*[\p{L}\p{N}_.@+-]+(?:\/[\p{L}\p{N}_.@+-]+)*(?:(?::\d{1,7}(?::\d{1,5})?|#L\d{1,7})(?:[-–]L?\d{1,7})?)?(?![\p{L}\p{N}_/\\])/gu;
/** A name, perhaps with what it belongs to before it and its arguments behind it. */
const SYMBOL = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\([^()]*\))?$/u;
const LONGEST = 200;
const SHORTEST = 3;

/** The files that a text names, in order. */
export function mentionsIn(text: string, files: KnownFiles): Mention[] {
  const mentions: Mention[] = [];
  for (const { 0: found, index } of text.matchAll(PATH)) {
    const written = found.replace(/[.\-+@]+$/, '');
    if (!/[./]/.test(written) || written.length > LONGEST) continue;
    const place = resolved(written, files);
    if (place) mentions.push({ start: index, end: index + written.length, place });
  }
  return mentions;
}

/** The file that `written` as a whole names; null for none. */
export function resolved(written: string, files: KnownFiles): Place | null {
  const place = parsePlace(written.trim());
  const path = files.resolve(place.path);
  return path ? { ...place, path } : null;
}

/** The name that inline code asks the index for: `Class.method` of `Class.method(a, b)`; '' for what is no name. */
export function symbolName(code: string): string {
  const written = code.trim();
  if (written.length > LONGEST || !SYMBOL.test(written)) return '';
  const name = written.replace(/\(.*$/s, '').replace(/::|#|->/g, '.');
  return name.length >= SHORTEST ? name : '';
}
