/** Splits an answer into prose, edit blocks and tool calls, by the positions from the server. Pure. */

import type { StepEnd } from './agent/raw-run.ts';
import type { Edit, Span } from './edits.ts';

export interface ProseSegment {
  readonly kind: 'prose';
  readonly text: string;
  /** The text may still grow. */
  readonly isOpen: boolean;
}

export interface EditSegment {
  readonly kind: 'card';
  readonly edit: Edit;
  /** The block is still being streamed. */
  readonly isOpen: boolean;
  /** The block's text in the answer. */
  readonly block: string;
  readonly old: string;
  readonly new: string;
}

/** The tool calls of a step. */
export interface CallsSegment {
  readonly kind: 'calls';
  /** From 1. */
  readonly step: number;
}

export type AnswerSegment = ProseSegment | EditSegment | CallsSegment;

/** A call in the text of a model whose provider takes no tools; its card replaces it. */
const WRITTEN_CALL = /^🟦🟦🟦 CALL[ \t][\s\S]*?^🟩🟩🟩 END[ \t]*\n?/gm;

/**
 * Segments in the order of the text. A block whose span doesn't fit the text stays part of the prose; its
 * outcome is appended after the text.
 *
 * @param isGrowing the answer is being streamed, and its last block may be incomplete
 * @param steps places of the tool calls
 */
export function splitAnswer(
  content: string,
  edits: readonly Edit[],
  isGrowing: boolean,
  steps: readonly StepEnd[] = [],
): AnswerSegment[] {
  if (!edits.length && !steps.length) return [{ kind: 'prose', text: content, isOpen: isGrowing }];
  const pieces: AnswerSegment[] = [];
  const calls = [...steps];
  const addText = (from: number, to: number, isOpen: boolean): void => {
    const text = content.slice(from, to);
    const shown = steps.length ? text.replace(WRITTEN_CALL, '') : text;
    if (shown.trim()) pieces.push({ kind: 'prose', text: shown, isOpen });
  };
  /** Adds the text between two edits, with the calls in it. */
  const addProse = (from: number, to: number, isOpen: boolean): void => {
    let at = from;
    while (calls[0] && calls[0].end <= to) {
      const [{ step, end }] = calls.splice(0, 1) as [StepEnd];
      addText(at, end, false);
      pieces.push({ kind: 'calls', step });
      at = Math.max(at, end);
    }
    addText(at, to, isOpen);
  };
  const lost: AnswerSegment[] = [];
  const known = new Map(edits.map((edit) => [edit.index, edit]));
  let end = 0;
  // Suggestions are numbered after an answer's own blocks, regardless of their position.
  for (const edit of [...edits].sort((one, other) => one.span.start - other.span.start)) {
    const isOpen = isGrowing && !edit.isComplete && edit === edits.at(-1);
    // While a block is being streamed, all text after its start belongs to it.
    const span = isOpen ? { start: edit.span.start, end: content.length } : edit.span;
    if (!fits(edit, span, end, content.length)) {
      if (edit.outcome) lost.push(misplacedEditSegment(edit));
      continue;
    }
    addProse(end, span.start, false);
    pieces.push(isOpen ? openEditSegment(edit, span, content) : editSegment(edit, span, content));
    end = span.end;
  }
  addProse(end, content.length, isGrowing);
  return onlyLatestAttempts([...pieces, ...lost], known);
}

/** Blocks retried in a later answer: the last attempt replaces the first. */
function onlyLatestAttempts(
  pieces: readonly AnswerSegment[],
  edits: ReadonlyMap<number, Edit>,
): AnswerSegment[] {
  const cards = new Map(
    pieces.flatMap((piece) => (piece.kind === 'card' ? [[piece.edit.index, piece] as const] : [])),
  );
  const shown = new Set<EditSegment>();
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'card') return piece;
    const last = cards.get(lastAttemptOf(piece.edit, edits)) ?? piece;
    if (shown.has(last)) return [];
    shown.add(last);
    return last;
  });
}

/** Index of the last attempt at a block. */
function lastAttemptOf(edit: Edit, edits: ReadonlyMap<number, Edit>): number {
  const next = edit.outcome?.redoneBy ?? null;
  const later = next !== null && next > edit.index ? edits.get(next) : undefined;
  return later ? lastAttemptOf(later, edits) : edit.index;
}

function fits({ oldSpan, newSpan }: Edit, span: Span, from: number, length: number): boolean {
  const isInside = ({ start, end }: Span) =>
    end === 0 || (span.start <= start && start <= end && end <= span.end);
  const isInText = from <= span.start && span.start < span.end && span.end <= length;
  return isInText && isInside(oldSpan) && isInside(newSpan);
}

function editSegment(edit: Edit, { start, end }: Span, content: string): EditSegment {
  const part = (span: Span) => content.slice(span.start, span.end);
  const { texts } = edit;
  const [old, after] = texts ? [texts.old, texts.new] : [part(edit.oldSpan), part(edit.newSpan)];
  return { kind: 'card', edit, isOpen: false, block: content.slice(start, end), old, new: after };
}

/** Without the last, incomplete line: it may become the marker that ends its part. */
function openEditSegment(edit: Edit, { start, end }: Span, content: string): EditSegment {
  const { oldSpan, newSpan } = edit;
  const whole = content.lastIndexOf('\n') + 1;
  const hasNew = newSpan.start > 0;
  return {
    kind: 'card',
    edit,
    isOpen: true,
    block: content.slice(start, end),
    old: oldSpan.start > 0 ? content.slice(oldSpan.start, hasNew ? oldSpan.end : whole) : '',
    new: hasNew ? content.slice(newSpan.start, whole) : '',
  };
}

function misplacedEditSegment(edit: Edit): EditSegment {
  const [old, after] = edit.previews;
  return { kind: 'card', edit, isOpen: false, block: '', old, new: after };
}
