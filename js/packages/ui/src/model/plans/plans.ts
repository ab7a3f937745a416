/** Plans and their tasks, parsed, and how news change them. Pure. */

import type { PlanRow, PlanUpdate, TaskConflict, TaskOutput, TaskRow } from '@jupyter-ac/link/rpc';
import { type Fields, fields, list, number, strings, text } from '../wire.ts';

const PLAN_STATES = [
  ...(['draft', 'awaiting_approval', 'running', 'paused', 'completed'] as const),
  ...(['failed', 'cancelling', 'cancelled'] as const),
];
const TASK_STATES = [
  ...(['pending', 'ready', 'running', 'validating', 'done'] as const),
  ...(['failed', 'blocked', 'cancelled', 'skipped'] as const),
];
export const TASK_TYPES = ['code_generation', 'refactoring', 'analysis', 'testing'] as const;

export type PlanState = (typeof PLAN_STATES)[number];
export type TaskState = (typeof TASK_STATES)[number];

export interface Conflict {
  readonly path: string;
  /** The file with both versions between conflict marks; '' for none. */
  readonly text: string;
}

/** What came out of a task. */
export interface Output {
  readonly explanation: string;
  readonly modified: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  readonly tokens: number;
  readonly usd: number;
  readonly model: string;
  readonly conflicts: readonly Conflict[];
}

export interface Task {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly dependencies: readonly string[];
  /** From 1, which comes first, to 5. */
  readonly priority: number;
  /** A skipped dependency blocks it. */
  readonly needsAll: boolean;
  readonly state: TaskState;
  readonly attempts: number;
  /** A sentence about its state; '' for none. */
  readonly reason: string;
  /** Null before an attempt has ended. */
  readonly output: Output | null;
}

export interface Plan {
  readonly id: string;
  readonly state: PlanState;
  readonly revision: number;
  readonly reason: string;
  readonly request: string;
  readonly tasks: readonly Task[];
  /** The model's guess; 0 for none. */
  readonly estimated_s: number;
  readonly explanation: string;
  readonly concurrency: number;
  readonly branch: string;
  readonly executor: string;
  readonly canApply: boolean;
  /** Paths that applying it has changed; empty when that was taken back. */
  readonly applied: readonly string[];
  /** Milliseconds since 1970. */
  readonly created: number;
}

export function parsePlan(raw: unknown): Plan {
  const row = fields<PlanRow>(raw);
  return {
    id: text(row.id),
    state: oneOf(PLAN_STATES, row.status, 'draft'),
    revision: number(row.revision),
    reason: text(row.reason),
    request: text(row.user_request),
    tasks: list(row.tasks).map(parseTask),
    estimated_s: number(row.estimated_time_seconds),
    explanation: text(row.explanation),
    concurrency: Math.max(1, number(row.concurrency)),
    branch: text(row.branch),
    executor: text(row.executor),
    canApply: row.can_apply === true,
    applied: strings(row.applied_files),
    created: number(row.created_ms),
  };
}

/**
 * The plan after an update: the same object when it knows that already, null when it has missed something, so that
 * the whole plan must be asked for.
 */
export function updatedPlan(plan: Plan, update: Fields<PlanUpdate>): Plan | null {
  const revision = number(update.revision);
  if (revision <= plan.revision) return plan;
  if (revision > plan.revision + 1) return null;
  const known = new Map(plan.tasks.map((task) => [task.id, task]));
  for (const task of list(update.tasks).map(parseTask)) known.set(task.id, task);
  const tasks = strings(update.task_ids).map((id) => known.get(id));
  if (!tasks.every((task) => task !== undefined)) return null;
  return {
    ...plan,
    revision,
    tasks,
    state: oneOf(PLAN_STATES, update.status, plan.state),
    reason: text(update.reason),
    canApply: update.can_apply === true,
    applied: strings(update.applied_files),
  };
}

/** The tasks that depend on a task, directly or through others. */
export function dependents(tasks: readonly Task[], id: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const task of tasks) {
      if (!task.dependencies.includes(next) || found.has(task.id)) continue;
      found.add(task.id);
      waiting.push(task.id);
    }
  }
  return found;
}

/** An id that no task has, in the manner of the model's: `task_006`. */
export function freeId(tasks: readonly Task[]): string {
  const taken = new Set(tasks.map(({ id }) => id));
  let number = tasks.length + 1;
  while (taken.has(idOf(number))) number += 1;
  return idOf(number);
}

function idOf(number: number): string {
  return `task_${String(number).padStart(3, '0')}`;
}

function parseTask(raw: unknown): Task {
  const row = fields<TaskRow>(raw);
  return {
    id: text(row.id),
    type: text(row.type),
    description: text(row.description),
    dependencies: strings(row.dependencies),
    priority: number(row.priority),
    needsAll: row.needs_all !== false,
    state: oneOf(TASK_STATES, row.status, 'pending'),
    attempts: number(row.attempts),
    reason: text(row.reason),
    output: row.output ? parseOutput(fields<TaskOutput>(row.output)) : null,
  };
}

function parseOutput(row: Fields<TaskOutput>): Output {
  return {
    explanation: text(row.explanation),
    modified: strings(row.files_modified),
    created: strings(row.files_created),
    deleted: strings(row.files_deleted),
    tokens: number(row.tokens_used),
    usd: number(row.cost_usd),
    model: text(row.model),
    conflicts: list(row.conflicts).map((raw) => {
      const conflict = fields<TaskConflict>(raw);
      return { path: text(conflict.path), text: text(conflict.text) };
    }),
  };
}

function oneOf<T extends string>(known: readonly T[], value: unknown, otherwise: T): T {
  return known.find((each) => each === value) ?? otherwise;
}
