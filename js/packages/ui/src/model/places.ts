/** A place in a file, and how people write one. Pure. */

import { type Fields, fields, number, text } from './wire.ts';

export interface Place {
  readonly path: string;
  /** From 1; 0 for the file as a whole. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 0 for the line as a whole. */
  readonly col: number;
  /** The map that goes out with this question, not a file; `path` is ''. */
  readonly mapFor?: string;
  /** A heading's, as a link to it names it, while its line isn't known. */
  readonly anchor?: string;
  /** What has changed in it since the last commit is shown first. */
  readonly isDiff?: boolean;
}

/** `a.py`, `a.py:12`, `a.py:12:3`, `a.py#L12`, `a.py#L12-L20`, `a.py:12-20`. */
const WRITTEN = /^(.*?)(?:(?::|#L)(\d{1,7})(?::(\d{1,5}))?(?:[-–]L?\d{1,7})?)?$/s;

export function parsePlace(written: string): Place {
  const [, path = '', line, col] = WRITTEN.exec(written) ?? [];
  return { path: path.replace(/^(?:\.\/)+/, ''), line: Number(line ?? 0), col: Number(col ?? 0) };
}

export function samePlace(one: Place, other: Place): boolean {
  return one.path === other.path && one.line === other.line && one.col === other.col;
}

export function placeWords({ path, line, mapFor }: Place): string {
  if (mapFor !== undefined) return 'Map';
  return line ? `${legible(path)}:${line}` : legible(path);
}

/** Signs that show nothing, or that turn around what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** A name with each sign that can't be seen written out, so that it looks like no other. */
export function legible(name: string): string {
  return name.replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** From `{file, range}` of the server; null when it names no file. */
export function parseTarget(raw: unknown): Place | null {
  const { file, range } = fields<{ file: string; range: object }>(raw);
  const { startLineNumber, startColumn }: Fields<{ startLineNumber: number; startColumn: number }> =
    fields(range);
  const path = text(file);
  return path ? { path, line: number(startLineNumber), col: number(startColumn) } : null;
}
