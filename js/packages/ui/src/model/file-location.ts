/** A location in a file, and its notations (`a.py:12`, `a.py#L12`). Pure. */

import { t } from '@jupyter-ac/messages';
import { type Fields, fields, number, text } from './wire.ts';

export interface FileLocation {
  readonly path: string;
  /** From 1; 0 for the file as a whole. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 0 for the line as a whole. */
  readonly col: number;
  /** The map sent with this question, instead of a file; `path` is ''. */
  readonly mapFor?: string;
  /** Anchor of a heading whose line isn't known yet. */
  readonly anchor?: string;
  /** Show the diff to the last commit first. */
  readonly isDiff?: boolean;
  /** Show what the branch under review changes in it first. */
  readonly isReview?: boolean;
}

/** `a.py`, `a.py:12`, `a.py:12:3`, `a.py#L12`, `a.py#L12-L20`, `a.py:12-20`. */
const WRITTEN = /^(.*?)(?:(?::|#L)(\d{1,7})(?::(\d{1,5}))?(?:[-–]L?\d{1,7})?)?$/s;

export function parseLocation(written: string): FileLocation {
  const [, path = '', line, col] = WRITTEN.exec(written) ?? [];
  return { path: path.replace(/^(?:\.\/)+/, ''), line: Number(line ?? 0), col: Number(col ?? 0) };
}

export function isSameLocation(one: FileLocation, other: FileLocation): boolean {
  return one.path === other.path && one.line === other.line && one.col === other.col;
}

export function locationLabel({ path, line, mapFor }: FileLocation): string {
  if (mapFor !== undefined) return t('Map');
  return line ? `${escapeInvisible(path)}:${line}` : escapeInvisible(path);
}

/** Invisible characters, and those that change the direction of the text (bidi). */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Escapes invisible characters (`\u{200b}`), so that no two names look the same. */
export function escapeInvisible(name: string): string {
  return name.replace(INVISIBLE, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Parses the server's `{file, range}`; null when it names no file. */
export function parseLspLocation(raw: unknown): FileLocation | null {
  const { file, range } = fields<{ file: string; range: object }>(raw);
  const { startLineNumber, startColumn }: Fields<{ startLineNumber: number; startColumn: number }> =
    fields(range);
  const path = text(file);
  return path ? { path, line: number(startLineNumber), col: number(startColumn) } : null;
}
