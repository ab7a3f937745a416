/** Unified diffs as git writes them, parsed for display. Pure. */

import { shownOutput } from './agent/shown-output.ts';
import type { Gap, Line } from './line-diff.ts';

export interface FileDiff {
  readonly path: string;
  /** Before it was renamed; '' otherwise. */
  readonly oldPath: string;
  readonly kind: 'changed' | 'new' | 'deleted' | 'renamed';
  /** Its lines aren't in the diff: it isn't text. */
  readonly isBinary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Changed lines and those around them; gaps stand for the lines between the hunks. */
  readonly lines: readonly (Line | Gap)[];
}

interface Draft {
  path: string;
  oldPath: string;
  kind: FileDiff['kind'];
  isBinary: boolean;
  added: number;
  removed: number;
  lines: (Line | Gap)[];
  /** Lines of the old file before the next hunk's, from 1. */
  next: number;
  /** Lines that the hunk still has, of the old and of the new file. */
  left: [number, number];
}

const HEADER = 'diff --git ';
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** @returns a file each, in the order of the diff; none for '' */
export function parseUnifiedDiff(diff: string): FileDiff[] {
  const files: Draft[] = [];
  for (const line of diff.split('\n')) {
    const file = files.at(-1);
    if (file && (file.left[0] > 0 || file.left[1] > 0)) addLine(file, line);
    else if (line.startsWith(HEADER)) files.push(newFile(secondName(line.slice(HEADER.length))));
    else if (file) readHeader(file, line);
  }
  return files.map(({ next: _next, left: _left, ...file }) => file);
}

function newFile(path: string): Draft {
  const counts = { added: 0, removed: 0, lines: [], next: 1, left: [0, 0] as [number, number] };
  return { path, oldPath: '', kind: 'changed', isBinary: false, ...counts };
}

function readHeader(file: Draft, line: string): void {
  const hunk = HUNK.exec(line);
  if (hunk) beginHunk(file, Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3] ?? 1));
  else if (line.startsWith('new file mode')) file.kind = 'new';
  else if (line.startsWith('deleted file mode')) file.kind = 'deleted';
  else if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.isBinary = true;
  else if (line.startsWith('rename from ')) {
    file.kind = 'renamed';
    file.oldPath = line.slice('rename from '.length);
  } else if (line.startsWith('rename to ')) file.path = line.slice('rename to '.length);
  // The name in these lines ends for certain where the line does.
  else if (/^(?:---|\+\+\+) (?!\/dev\/null)/.test(line) && file.kind !== 'renamed')
    file.path = nameIn(line.slice(4));
}

/** The second of two equal names; others are named again below. */
function secondName(names: string): string {
  return nameIn(names.slice((names.length + 1) / 2));
}

/** A name without its quotes, its side, and the tab that git writes behind a name with blanks. */
function nameIn(written: string): string {
  const name = written.replace(/\t$/, '');
  const bare = name.startsWith('"') ? name.slice(1, -1) : name;
  return bare.replace(/^[ab]\//, '');
}

function beginHunk(file: Draft, start: number, old: number, now: number): void {
  // A hunk without old lines names the line before it.
  const first = old ? start : start + 1;
  const count = first - file.next;
  if (count > 0) file.lines.push({ sign: '…', count });
  file.next = first + old;
  file.left = [old, now];
}

function addLine(file: Draft, line: string): void {
  const sign = line[0];
  if (sign === '\\') return;
  if (sign !== '+') file.left[0] -= 1;
  if (sign !== '-') file.left[1] -= 1;
  if (sign === '+') file.added += 1;
  if (sign === '-') file.removed += 1;
  const text = shownOutput(line.slice(1).replace(/\r$/, ''));
  file.lines.push({ sign: sign === '+' || sign === '-' ? sign : ' ', parts: [{ text, isMarked: false }] });
}
