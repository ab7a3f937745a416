/**
 * What a screen reader is told of an answer: that it begins, and how it has ended; never its text. Waiting, failures
 * and questions of the agent are live regions of their own, in the message. Pure.
 */

import { t } from '@jupyter-ac/messages';
import type { Message } from './messages.ts';
import type { Stream } from './stream.ts';

/** What is known of the conversation at one moment. */
export interface Moment {
  readonly stream: Pick<Stream, 'requestId' | 'phase'> | null;
  /** The newest answer. */
  readonly answer: Pick<Message, 'requestId' | 'state' | 'edits'> | null;
}

export const AT_REST: Moment = { stream: null, answer: null };

/** What to say after a change; '' for nothing. */
export function announcement(before: Moment, now: Moment): string {
  const isAnswering = now.stream?.phase === 'answering';
  if (isAnswering && before.stream?.phase !== 'answering') return t('The answer begins.');
  const isOver = before.stream && !now.stream && now.answer?.requestId === before.stream.requestId;
  return isOver && now.answer ? ending(now.answer) : '';
}

function ending({ state, edits }: Pick<Message, 'state' | 'edits'>): string {
  if (state === 'error' || state === 'streaming') return '';
  const statuses = edits.list.flatMap(({ outcome }) =>
    outcome && outcome.redoneBy === null ? outcome.status : [],
  );
  const count = (...names: string[]) => statuses.filter((status) => names.includes(status)).length;
  const applied = count('applied', 'already_applied');
  const failed = count('failed', 'skipped', 'not_in_context');
  const waiting = count('pending', 'suggested');
  return [
    state === 'cancelled' ? t('The answer was stopped.') : t('The answer is complete.'),
    applied ? t('Edits applied: %1.', applied) : '',
    failed ? t('Edits not applied: %1.', failed) : '',
    waiting ? t('Edits that wait for you: %1.', waiting) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
