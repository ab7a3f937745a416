/** The answer that is coming in: how far it is, and how its pieces fit together. Pure. */

import type { RetryRow, TurnProgress } from '@jupyter-ac/link/rpc';
import { type Fields, number, numberOrNull, text } from './wire.ts';

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

/** The provider has refused for now and is asked again. */
export interface Pause {
  /** One sentence. */
  readonly reason: string;
  /** When, in milliseconds since 1970. */
  readonly until: number;
  /** Which repetition comes, from 1, of so many. */
  readonly attempt: number;
  readonly attempts: number;
}

export interface Stream {
  readonly requestId: string;
  readonly phase: Phase;
  /** What is going on, in the server's words; '' when there is nothing to add to the phase. */
  readonly note: string;
  /** Of the phase, 0 to 100; null when it can't be known. */
  readonly percent: number | null;
  /** What is waited for; null while nothing is. */
  readonly pause: Pause | null;
}

export function newStream(requestId: string, phase: Phase): Stream {
  return { requestId, phase, note: '', percent: null, pause: null };
}

/** What the server says that it does. */
export function progressing(requestId: string, event: Fields<TurnProgress>): Stream {
  const phase: Phase = event.stage === 'reading' ? 'reading' : 'waiting';
  const percent = numberOrNull(event.percent);
  return { ...newStream(requestId, phase), note: text(event.message), percent };
}

/** @param now in milliseconds since 1970 */
export function pausing(requestId: string, retry: Fields<RetryRow>, now: number): Stream {
  const pause = {
    reason: text(retry.reason, 'The provider could not answer.'),
    until: now + 1000 * number(retry.wait_s ?? retry.wait_seconds),
    attempt: number(retry.attempt),
    attempts: number(retry.attempts ?? retry.max_attempts),
  };
  return { ...newStream(requestId, 'waiting'), pause };
}

/** What comes next and when, in words. */
export function pauseWords({ until, attempt, attempts }: Pause, now: number): string {
  const seconds = Math.ceil((until - now) / 1000);
  return `Trying again${seconds > 0 ? ` in ${seconds} s` : ''} (${attempt} of ${attempts}) …`;
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
