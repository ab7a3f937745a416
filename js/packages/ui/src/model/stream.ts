/** The answer that is coming in: how far it is, and how its pieces fit together. Pure. */

export type Phase =
  /** Asked, not yet accepted. */
  | 'sending'
  /** Accepted; the model hasn't said anything. */
  | 'waiting'
  /** The model reads the prompt. */
  | 'reading'
  /** It writes what isn't part of the answer. */
  | 'thinking'
  | 'answering'
  | 'stopping';

export interface Stream {
  readonly requestId: string;
  readonly phase: Phase;
  /** What is going on, in the server's words; '' when there is nothing to add to the phase. */
  readonly note: string;
  /** Of the phase, 0 to 100; null when it can't be known. */
  readonly percent: number | null;
}

export function newStream(requestId: string, phase: Phase): Stream {
  return { requestId, phase, note: '', percent: null };
}

export interface Delta {
  /** Where `piece` starts, in UTF-16 code units: the unit of JavaScript's strings. */
  readonly offset: number;
  readonly piece: string;
}

/** `text` with the delta in its place; null when something before it is missing. */
export function withDelta(text: string, { offset, piece }: Delta): string | null {
  if (offset > text.length) return null;
  const end = offset + piece.length;
  return end <= text.length ? text : text.slice(0, offset) + piece;
}

/** `{epoch milliseconds}-{6 lower-case alphanumerics}`, as the server expects it. */
export function requestId(now_ms: number, random: () => number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const tail = Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)] ?? 'a');
  return `${now_ms}-${tail.join('')}`;
}
