/** What the user may do with a plan and its tasks, by their states. Pure. */

import type { Plan, Task, TaskState } from './plans.ts';

const NOT_STARTED: ReadonlySet<TaskState> = new Set<TaskState>(['pending', 'ready', 'blocked']);

/** Its tasks may be changed, added and removed. */
export function isEditable({ state }: Plan): boolean {
  return state === 'draft' || state === 'awaiting_approval';
}

export function isRunnable({ state }: Plan): boolean {
  return state === 'awaiting_approval';
}

/** Some of it may run, or will. */
export function isOpen({ state }: Plan): boolean {
  return state === 'running' || state === 'paused';
}

export function isSkippable(plan: Plan, { state }: Task): boolean {
  const isStarted = isOpen(plan) || plan.state === 'failed';
  return (
    (isEditable(plan) && state === 'pending') || (isStarted && (NOT_STARTED.has(state) || state === 'failed'))
  );
}

export function isStoppable(plan: Plan, { state }: Task): boolean {
  return isOpen(plan) && (state === 'running' || state === 'validating');
}

export function isRepeatable(plan: Plan, { state }: Task): boolean {
  return state === 'failed' && (isOpen(plan) || plan.state === 'failed');
}
