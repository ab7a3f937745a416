/** The edit blocks of an answer and their outcomes, as immutable values. Pure. */

import type {
  BlockTexts,
  ChatMessage,
  CompletionResult,
  EditBlockRow,
  EditResult,
  NearPlace,
} from '@jupyter-ac/link/rpc';
import { type Fields, fields, list, number, numberOrNull, strings, text } from './wire.ts';

export type Kind = EditResult['kind'];
export type Status = EditResult['status'];

/** A part of the answer's text, in UTF-16 code units: the unit of JavaScript's strings. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Outcome {
  readonly status: Status;
  readonly message: string;
  /** The server's error code when it was not applied; '' for none. */
  readonly errorType: string;
  /** The server's code for the likely cause of a failed match; '' for none. */
  readonly cause: string;
  /** First changed line, from 1; 0 for none. */
  readonly line: number;
  readonly added: number;
  readonly removed: number;
  /** The closest match in the file to the lines that were not found. */
  readonly near: { readonly line: number; readonly text: string } | null;
  /** It would match with corrected indentation. */
  readonly isCorrectable: boolean;
  /** The git filter that isn't allowed to run, so that the file was not staged; '' for none. */
  readonly filter: string;
  readonly notes: readonly string[];
  /** Index of the answer within the turn, from 0. */
  readonly attempt: number;
  /** Superseded: a later answer of the turn has another block for the file. */
  readonly isRedone: boolean;
  /** The index of that block; null for none. */
  readonly redoneBy: number | null;
  /** Its texts with the file's indentation, where only that was wrong; null otherwise. */
  readonly corrected: { readonly old: string; readonly new: string } | null;
  /** Why its file runs automatically, so that the edit needs its own confirmation; '' for other files. */
  readonly protection: string;
  /** The server kept the file out of the context; only the user may tick it. */
  readonly isWithheld: boolean;
}

export interface Edit {
  readonly index: number;
  /** Path as the model wrote it; '' when there was none. */
  readonly path: string;
  readonly kind: Kind;
  /** New path of a renamed file; '' for other kinds. */
  readonly newPath: string;
  /** Its last line has been received. */
  readonly isComplete: boolean;
  readonly span: Span;
  readonly oldSpan: Span;
  readonly newSpan: Span;
  /** Beginnings of the old and new text, for a block whose spans don't fit the answer. */
  readonly previews: readonly [string, string];
  /** Texts of a block whose lines differ from the answer's text, as in a diff; null otherwise. */
  readonly texts: { readonly old: string; readonly new: string } | null;
  /** null until the answer has ended. */
  readonly outcome: Outcome | null;
}

/** All edits of an answer. */
export interface Edits {
  readonly list: readonly Edit[];
  /** How many answers the turn took. */
  readonly attempts: number;
  /** Prepared question that asks for the failed edits again; '' for none. */
  readonly retryPrompt: string;
  /** Files changed, each once. */
  readonly modified: readonly string[];
  /** Number of blocks that the server left out because there are too many. */
  readonly leftOut: number;
}

export const NO_EDITS: Edits = { list: [], attempts: 1, retryPrompt: '', modified: [], leftOut: 0 };

const KINDS: ReadonlySet<unknown> = new Set<Kind>(['edit', 'create', 'delete', 'rename']);
const STATUSES: ReadonlySet<unknown> = new Set<Status>([
  'applied',
  'already_applied',
  'failed',
  'skipped',
  'not_in_context',
  'pending',
  'rejected',
  'undone',
  'suggested',
]);

/** Parses the edits of a finished answer, from its message or from `streamComplete`. */
export function editsOf(raw: Fields<ChatMessage | CompletionResult>, old: Edits = NO_EDITS): Edits {
  const blocks = list(raw.edit_blocks);
  const results = list(raw.edit_results);
  const leftOut = number(fields<ChatMessage>(raw).edits_left_out);
  if (!blocks.length && !results.length) return leftOut ? { ...NO_EDITS, leftOut } : NO_EDITS;
  // The answers of an agent's run are steps, not attempts.
  const rows = raw.run ? results.map((row) => ({ ...fields<EditResult>(row), attempt: 0 })) : results;
  const next = {
    list: parseEdits(blocks, rows),
    attempts: raw.run ? 1 : Math.max(1, list(raw.attempts).length),
    retryPrompt: text(raw.retry_prompt),
    modified: strings(raw.files_modified),
    leftOut,
  };
  return reuseUnchangedEdits(old, next);
}

/** Replaces the blocks of an answer being streamed with all blocks so far. */
export function withBlocks(old: Edits, blocks: unknown): Edits {
  return reuseUnchangedEdits(old, { ...old, list: parseEdits(list(blocks), []) });
}

/** Replaces the results after a decision or an undo, on this page or another. */
export function withResults(old: Edits, results: unknown, modified: unknown): Edits {
  return reuseUnchangedEdits(old, {
    ...old,
    list: parseEdits([], list(results)),
    modified: strings(modified),
  });
}

/** `next`, with the objects of `old` where they are equal, so that they aren't rendered again. */
export function reuseUnchangedEdits(old: Edits, next: Edits): Edits {
  const known = new Map(old.list.map((edit) => [edit.index, edit]));
  const edits = next.list.map((edit) => {
    const same = known.get(edit.index);
    return same && isEqual(same, edit) ? same : edit;
  });
  return isEqual(old, next) ? old : { ...next, list: edits };
}

function parseEdits(blocks: readonly unknown[], results: readonly unknown[]): Edit[] {
  const edits = new Map<number, Edit>();
  for (const raw of blocks) {
    const row = fields<EditBlockRow>(raw);
    edits.set(number(row.index), parseEdit(row, null));
  }
  for (const raw of results) {
    const row = fields<EditResult>(raw);
    edits.set(number(row.index), parseEdit(row, parseOutcome(row)));
  }
  return [...edits.values()].sort((one, other) => one.index - other.index);
}

function parseEdit(row: Fields<EditBlockRow | EditResult>, outcome: Outcome | null): Edit {
  return {
    index: number(row.index),
    path: text(row.file_path, text(row.file)),
    kind: (KINDS.has(row.kind) ? row.kind : row.is_create === true ? 'create' : 'edit') as Kind,
    newPath: text(row.new_path),
    isComplete: row.complete === true,
    span: parseSpan(row.span),
    oldSpan: parseSpan(row.old_span),
    newSpan: parseSpan(row.new_span),
    previews: [text(row.old_preview), text(row.new_preview)],
    texts: parseTexts(fields<EditResult>(row).texts),
    outcome,
  };
}

function parseOutcome(row: Fields<EditResult>): Outcome {
  const near = fields<NearPlace>(row.near);
  return {
    status: (STATUSES.has(row.status) ? row.status : 'skipped') as Status,
    message: text(row.message),
    errorType: text(row.error_type),
    cause: text(row.cause),
    line: number(row.line),
    added: number(row.added),
    removed: number(row.removed),
    near: row.near ? { line: number(near.line), text: text(near.text) } : null,
    isCorrectable: row.correctable === true,
    filter: text(row.filter),
    notes: strings(row.notes),
    attempt: number(row.attempt),
    isRedone: row.redone === true,
    redoneBy: numberOrNull(row.redone_by),
    corrected: parseTexts(row.corrected),
    protection: text(row.protected),
    isWithheld: row.withheld === true,
  };
}

function parseTexts(raw: unknown): { readonly old: string; readonly new: string } | null {
  if (!raw) return null;
  const texts = fields<BlockTexts>(raw);
  return { old: text(texts.old), new: text(texts.new) };
}

function parseSpan(raw: unknown): Span {
  const [start, end] = list(raw);
  return { start: number(start), end: number(end) };
}

/** Deep equality by JSON: sound because the values come from JSON and one function builds each of them. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
