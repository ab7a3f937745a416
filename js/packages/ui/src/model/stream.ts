/** State of the streamed answer: phase, progress, and merging of deltas. Pure. */

import type { RetryRow, TurnProgress } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type Fields, number, numberOrNull, text } from './wire.ts';

export type Phase =
  /** Sent, not yet accepted. */
  | 'sending'
  /** Accepted; nothing received from the model yet. */
  | 'waiting'
  /** The model is processing the prompt. */
  | 'reading'
  /** Reasoning is being streamed. */
  | 'thinking'
  | 'answering'
  | 'stopping';

/** A pause before a retry, after the provider has refused for now. */
export interface Pause {
  /** One sentence. */
  readonly reason: string;
  /** Time of the retry, in milliseconds since 1970. */
  readonly until: number;
  /** Number of the next retry, from 1, and their maximum. */
  readonly attempt: number;
  readonly attempts: number;
}

export interface Stream {
  readonly requestId: string;
  readonly phase: Phase;
  /** The server's progress message; '' for none. */
  readonly note: string;
  /** Progress of the phase, 0 to 100; null when it isn't known. */
  readonly percent: number | null;
  /** The pause before a retry; null for none. */
  readonly pause: Pause | null;
}

export function newStream(requestId: string, phase: Phase): Stream {
  return { requestId, phase, note: '', percent: null, pause: null };
}

/** Stream state for a progress event. */
export function progressStream(requestId: string, event: Fields<TurnProgress>): Stream {
  const phase: Phase = event.stage === 'reading' ? 'reading' : 'waiting';
  const percent = numberOrNull(event.percent);
  return { ...newStream(requestId, phase), note: text(event.message), percent };
}

/** @param now in milliseconds since 1970 */
export function pausedStream(requestId: string, retry: Fields<RetryRow>, now: number): Stream {
  const pause = {
    reason: text(retry.reason, t('The provider could not answer.')),
    until: now + 1000 * number(retry.wait_s ?? retry.wait_seconds),
    attempt: number(retry.attempt),
    attempts: number(retry.attempts ?? retry.max_attempts),
  };
  return { ...newStream(requestId, 'waiting'), pause };
}

/** Text for the countdown to the retry. */
export function pauseLabel({ until, attempt, attempts }: Pause, now: number): string {
  const seconds = Math.ceil((until - now) / 1000);
  return t('Trying again%1 (%2 of %3) …', seconds > 0 ? t(' in %1 s', seconds) : '', attempt, attempts);
}

export interface Delta {
  /** Offset of `piece` in the text, in UTF-16 code units: the unit of JavaScript's strings. */
  readonly offset: number;
  readonly piece: string;
}

/** Merges a delta into `text`; null when text before it is missing. Idempotent. */
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
