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
  let end = 0;
  for (const edit of edits) {
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
  return [...pieces, ...lost];
}

function fits({ oldSpan, newSpan }: Edit, span: Span, from: number, length: number): boolean {
  const isInside = ({ start, end }: Span) =>
    end === 0 || (span.start <= start && start <= end && end <= span.end);
  const isInText = from <= span.start && span.start < span.end && span.end <= length;
  return isInText && isInside(oldSpan) && isInside(newSpan);
}

function cardOf(edit: Edit, { start, end }: Span, content: string): Card {
  const part = (span: Span) => content.slice(span.start, span.end);
  const [old, after] = [part(edit.oldSpan), part(edit.newSpan)];
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
