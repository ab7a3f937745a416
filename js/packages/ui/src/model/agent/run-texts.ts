/** Runs in words: amounts, limits, states. Pure. */

import { t, tn } from '@jupyter-ac/messages';
import { dollars, tokens } from '../format.ts';
import type { AgentMode } from '../question-arguments.ts';
import type { Amounts, CallStatus, RunState } from './runs.ts';

export const MODE_NAMES: Readonly<Record<AgentMode, string>> = {
  ask: t('Ask'),
  plan: t('Plan'),
  agent: t('Agent'),
  sandbox: t('Agent in the sandbox'),
};

export const MODE_HINTS: Readonly<Record<AgentMode, string>> = {
  ask: t('Answers from what is ticked and added; no tools'),
  plan: t('Only reads, and ends with a proposal'),
  agent: t('Asks before it runs anything or leaves this machine'),
  sandbox: t('Runs by itself what the sandbox holds; asks for the rest'),
};

export const STATUS_NAMES: Readonly<Record<CallStatus, string>> = {
  waiting: t('Waits for you'),
  running: t('Running'),
  done: t('Done'),
  failed: t('Failed'),
  refused: t('Refused'),
  cancelled: t('Stopped'),
};

export const STATE_NAMES: Readonly<Record<RunState, string>> = {
  running: t('Running'),
  done: t('Finished'),
  limit: t('Ended at a limit'),
  repeated: t('Ended: it went in circles'),
  stopped: t('Stopped'),
  failed: t('Failed'),
};

/** `up to 25 steps · 400k tokens · $1.00 · 15 min`; '' when none is known. */
export function limitsText(limits: Partial<Amounts>): string {
  const { steps, tokens: count, usd, seconds } = limits;
  const parts = [
    steps ? tn('%1 step', '%1 steps', steps) : '',
    count ? t('%1 tokens', tokens(count)) : '',
    usd ? dollars(usd) : '',
    seconds ? duration(seconds) : '',
  ].filter(Boolean);
  return parts.length ? t('up to %1', parts.join(' · ')) : '';
}

/** `3 of 25 steps · 41k of 400k tokens · $0.12 of $1.00 · 2 of 15 min`. */
export function progressText(used: Amounts, limits: Amounts): string {
  const of = (limit: string) => (limit ? t(' of %1', limit) : '');
  const steps = limits.steps
    ? tn('%2 of %1 step', '%2 of %1 steps', limits.steps, used.steps)
    : tn('%1 step', '%1 steps', used.steps);
  const price = usdText(used.usd);
  return [
    steps,
    t('%1%2 tokens', tokens(used.tokens), of(limits.tokens ? tokens(limits.tokens) : '')),
    ...(price ? [`${price}${of(usdText(limits.usd))}`] : []),
    `${duration(used.seconds)}${of(limits.seconds ? duration(limits.seconds) : '')}`,
  ].join(' · ');
}

/** `5 steps · 41k tokens · $0.12 · 2 min`. */
export function usedText(used: Amounts): string {
  const price = usdText(used.usd);
  const amounts = [tn('%1 step', '%1 steps', used.steps), t('%1 tokens', tokens(used.tokens))];
  return [...amounts, ...(price ? [price] : []), duration(used.seconds)].join(' · ');
}

/** `12 s`, `2 min`, `1 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
}

/** `85 ms`, `1.2 s`, `14 s`, `2 min`. */
export function callDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms / 1000);
}

function usdText(usd: number | null): string {
  return usd === null ? '' : `$${usd.toFixed(2)}`;
}
