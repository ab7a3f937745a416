/** Runs in words: amounts, limits, states. Pure. */

import { dollars, plural, tokens } from '../format.ts';
import type { AgentMode } from '../question-arguments.ts';
import type { Amounts, CallStatus, RunState } from './runs.ts';

export const MODE_NAMES: Readonly<Record<AgentMode, string>> = {
  ask: 'Ask',
  plan: 'Plan',
  agent: 'Agent',
  sandbox: 'Agent in the sandbox',
};

export const MODE_HINTS: Readonly<Record<AgentMode, string>> = {
  ask: 'Answers from what is ticked and added; no tools',
  plan: 'Only reads, and ends with a proposal',
  agent: 'Asks before it runs anything or leaves this machine',
  sandbox: 'Runs by itself what the sandbox holds; asks for the rest',
};

export const STATUS_NAMES: Readonly<Record<CallStatus, string>> = {
  waiting: 'Waits for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Refused',
  cancelled: 'Stopped',
};

export const STATE_NAMES: Readonly<Record<RunState, string>> = {
  running: 'Running',
  done: 'Finished',
  limit: 'Ended at a limit',
  repeated: 'Ended: it went in circles',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** `up to 25 steps · 400k tokens · $1.00 · 15 min`; '' when none is known. */
export function limitsText(limits: Partial<Amounts>): string {
  const { steps, tokens: count, usd, seconds } = limits;
  const parts = [
    steps ? plural(steps, 'step') : '',
    count ? `${tokens(count)} tokens` : '',
    usd ? dollars(usd) : '',
    seconds ? duration(seconds) : '',
  ].filter(Boolean);
  return parts.length ? `up to ${parts.join(' · ')}` : '';
}

/** `3 of 25 steps · 41k of 400k tokens · $0.12 of $1.00 · 2 of 15 min`. */
export function progressText(used: Amounts, limits: Amounts): string {
  const of = (limit: string) => (limit ? ` of ${limit}` : '');
  const steps = limits.steps
    ? `${used.steps} of ${plural(limits.steps, 'step')}`
    : plural(used.steps, 'step');
  const price = usdText(used.usd);
  return [
    steps,
    `${tokens(used.tokens)}${of(limits.tokens ? tokens(limits.tokens) : '')} tokens`,
    ...(price ? [`${price}${of(usdText(limits.usd))}`] : []),
    `${duration(used.seconds)}${of(limits.seconds ? duration(limits.seconds) : '')}`,
  ].join(' · ');
}

/** `5 steps · 41k tokens · $0.12 · 2 min`. */
export function usedText(used: Amounts): string {
  const price = usdText(used.usd);
  const amounts = [plural(used.steps, 'step'), `${tokens(used.tokens)} tokens`];
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
