/** Cuts an answer's text into prose and edit blocks, where the server says that they stand. Pure. */

import type { Edit, Span } from './edits.ts';

export interface Prose {
  readonly kind: 'prose';
  readonly text: string;
  /** More may come. */
  readonly isOpen: boolean;
}

export interface Card {
  readonly kind: 'card';
  readonly edit: Edit;
  /** It still comes in. */
  readonly isOpen: boolean;
  /** The block as it stands in the answer. */
  readonly block: string;
  readonly old: string;
  readonly new: string;
}

export type Piece = Prose | Card;

/**
 * In the order of the text. A block whose place doesn't fit the text stays part of the prose; what became
 * of it stands behind the text then.
 *
 * @param isGrowing the answer still comes in: its last block may, too
 */
export function piecesOf(content: string, edits: readonly Edit[], isGrowing: boolean): Piece[] {
  if (!edits.length) return [{ kind: 'prose', text: content, isOpen: isGrowing }];
  const pieces: Piece[] = [];
  const lost: Piece[] = [];
  const known = new Map(edits.map((edit) => [edit.index, edit]));
  let end = 0;
  // Suggestions are numbered behind an answer's own blocks, wherever they stand.
  for (const edit of [...edits].sort((one, other) => one.span.start - other.span.start)) {
    const isOpen = isGrowing && !edit.isComplete && edit === edits.at(-1);
    // While a block comes in, all that follows its beginning belongs to it.
    const span = isOpen ? { start: edit.span.start, end: content.length } : edit.span;
    if (!fits(edit, span, end, content.length)) {
      if (edit.outcome) lost.push(lostCard(edit));
      continue;
    }
    const before = content.slice(end, span.start);
    if (before.trim()) pieces.push({ kind: 'prose', text: before, isOpen: false });
    pieces.push(isOpen ? openCard(edit, span, content) : cardOf(edit, span, content));
    end = span.end;
  }
  const rest = content.slice(end);
  if (rest.trim()) pieces.push({ kind: 'prose', text: rest, isOpen: isGrowing });
  return latest([...pieces, ...lost], known);
}

/** Blocks that a later answer has written anew: the last one stands in the place of the first. */
function latest(pieces: readonly Piece[], edits: ReadonlyMap<number, Edit>): Piece[] {
  const cards = new Map(
    pieces.flatMap((piece) => (piece.kind === 'card' ? [[piece.edit.index, piece] as const] : [])),
  );
  const shown = new Set<Card>();
  return pieces.flatMap((piece) => {
    if (piece.kind === 'prose') return piece;
    const last = cards.get(lastOf(piece.edit, edits)) ?? piece;
    if (shown.has(last)) return [];
    shown.add(last);
    return last;
  });
}

/** The index of the block that stands for one in the end. */
function lastOf(edit: Edit, edits: ReadonlyMap<number, Edit>): number {
  const next = edit.outcome?.redoneBy ?? null;
  const later = next !== null && next > edit.index ? edits.get(next) : undefined;
  return later ? lastOf(later, edits) : edit.index;
}

function fits({ oldSpan, newSpan }: Edit, span: Span, from: number, length: number): boolean {
  const isInside = ({ start, end }: Span) =>
    end === 0 || (span.start <= start && start <= end && end <= span.end);
  const isInText = from <= span.start && span.start < span.end && span.end <= length;
  return isInText && isInside(oldSpan) && isInside(newSpan);
}

function cardOf(edit: Edit, { start, end }: Span, content: string): Card {
  const part = (span: Span) => content.slice(span.start, span.end);
  const { texts } = edit;
  const [old, after] = texts ? [texts.old, texts.new] : [part(edit.oldSpan), part(edit.newSpan)];
  return { kind: 'card', edit, isOpen: false, block: content.slice(start, end), old, new: after };
}

/** A line that isn't whole may become the mark that ends its part. */
function openCard(edit: Edit, { start, end }: Span, content: string): Card {
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

function lostCard(edit: Edit): Card {
  const [old, after] = edit.previews;
  return { kind: 'card', edit, isOpen: false, block: '', old, new: after };
}
