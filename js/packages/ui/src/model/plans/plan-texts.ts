/** Plans and tasks in words. Pure. */

import { dollars, plural, tokens } from '../format.ts';
import type { Plan, PlanState, Task, TaskState } from './plans.ts';

/** good, bad, odd (waits for the user), open (goes on) or calm; the styles have a colour for each. */
export type Tone = 'good' | 'bad' | 'odd' | 'open' | 'calm';

const PLAN_WORDS: Readonly<Record<PlanState, readonly [string, Tone]>> = {
  draft: ['Draft', 'calm'],
  awaiting_approval: ['Waits for your approval', 'odd'],
  running: ['Running', 'open'],
  paused: ['Paused', 'odd'],
  completed: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  cancelling: ['Stopping', 'open'],
  cancelled: ['Cancelled', 'calm'],
};

const TASK_WORDS: Readonly<Record<TaskState, readonly [string, Tone]>> = {
  pending: ['Waiting', 'calm'],
  ready: ['Ready', 'calm'],
  running: ['Running', 'open'],
  validating: ['Checking', 'open'],
  done: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  blocked: ['Blocked', 'odd'],
  cancelled: ['Cancelled', 'calm'],
  skipped: ['Skipped', 'calm'],
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  code_generation: 'New code',
  refactoring: 'Refactoring',
  analysis: 'Analysis',
  testing: 'Tests',
};

export function planWords({ state }: Plan): readonly [string, Tone] {
  return PLAN_WORDS[state];
}

export function taskWords(task: Task): readonly [string, Tone] {
  return hasConflict(task) ? ['Conflict', 'bad'] : TASK_WORDS[task.state];
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
  return [`${done} of ${plural(tasks.length, 'task')} done`, ...(used ? [used] : [])].join(' · ');
}

/** Sum of what was used: `41k tokens · $0.12`; '' for nothing. */
export function usedText(used: readonly { readonly tokens: number; readonly usd: number }[]): string {
  const count = used.reduce((sum, each) => sum + each.tokens, 0);
  const usd = used.reduce((sum, each) => sum + each.usd, 0);
  return [...(count ? [`${tokens(count)} tokens`] : []), ...(usd ? [dollars(usd)] : [])].join(' · ');
}

/** The first line of a text, of at most `most` characters. */
export function headline(words: string, most = 120): string {
  const line = words.trim().split('\n', 1)[0] ?? '';
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** `a.py`, `a.py, b.py and 3 more`. */
export function someOf(names: readonly string[]): string {
  const more = names.length - 2;
  return more > 1 ? `${names.slice(0, 2).join(', ')} and ${more} more` : names.join(', ');
}
