/** Plans and tasks in words. Pure. */

import { t, tn } from '@jupyter-ac/messages';
import { dollars, tokens } from '../format.ts';
import type { Plan, PlanState, Task, TaskState } from './plans.ts';

/** good, bad, odd (waits for the user), open (goes on) or calm; the styles have a colour for each. */
export type Tone = 'good' | 'bad' | 'odd' | 'open' | 'calm';

const PLAN_WORDS: Readonly<Record<PlanState, readonly [string, Tone]>> = {
  draft: [t('Draft'), 'calm'],
  awaiting_approval: [t('Waits for your approval'), 'odd'],
  running: [t('Running'), 'open'],
  paused: [t('Paused'), 'odd'],
  completed: [t('Done'), 'good'],
  failed: [t('Failed'), 'bad'],
  cancelling: [t('Stopping'), 'open'],
  cancelled: [t('Cancelled'), 'calm'],
};

const TASK_WORDS: Readonly<Record<TaskState, readonly [string, Tone]>> = {
  pending: [t('Waiting'), 'calm'],
  ready: [t('Ready'), 'calm'],
  running: [t('Running'), 'open'],
  validating: [t('Checking'), 'open'],
  done: [t('Done'), 'good'],
  failed: [t('Failed'), 'bad'],
  blocked: [t('Blocked'), 'odd'],
  cancelled: [t('Cancelled'), 'calm'],
  skipped: [t('Skipped'), 'calm'],
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  code_generation: t('New code'),
  refactoring: t('Refactoring'),
  analysis: t('Analysis'),
  testing: t('Tests'),
};

export function planWords({ state }: Plan): readonly [string, Tone] {
  return PLAN_WORDS[state];
}

export function taskWords(task: Task): readonly [string, Tone] {
  return hasConflict(task) ? [t('Conflict'), 'bad'] : TASK_WORDS[task.state];
}

export function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

/** Its changes could not be merged, and the task may get that back. */
export function hasConflict({ state, output }: Task): boolean {
  return state === 'failed' && (output?.conflicts.length ?? 0) > 0;
}

/** `2 of 5 tasks done · 41k tokens · $0.12`. */
export function progressText({ tasks }: Plan): string {
  const done = tasks.filter(({ state }) => state === 'done' || state === 'skipped').length;
  const used = usedText(tasks.flatMap(({ output }) => output ?? []));
  return [t('%1 of %2 done', done, tn('%1 task', '%1 tasks', tasks.length)), ...(used ? [used] : [])].join(
    ' · ',
  );
}

/** Sum of what was used: `41k tokens · $0.12`; '' for nothing. */
export function usedText(used: readonly { readonly tokens: number; readonly usd: number }[]): string {
  const count = used.reduce((sum, each) => sum + each.tokens, 0);
  const usd = used.reduce((sum, each) => sum + each.usd, 0);
  return [...(count ? [t('%1 tokens', tokens(count))] : []), ...(usd ? [dollars(usd)] : [])].join(' · ');
}

/** The first line of a text, of at most `most` characters. */
export function headline(words: string, most = 120): string {
  const line = words.trim().split('\n', 1)[0] ?? '';
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** `a.py`, `a.py, b.py and 3 more`. */
export function someOf(names: readonly string[]): string {
  const more = names.length - 2;
  return more > 1 ? t('%1 and %2 more', names.slice(0, 2).join(', '), more) : names.join(', ');
}
