/** Store of the runs that carry out tasks of plans, as far as this page has been told of them. */

import type { PendingTool, TaskName, ToolUpdate } from '@jupyter-ac/link/rpc';
import { Store } from '../store.ts';
import { type Fields, fields, list, text } from '../wire.ts';
import { type RawRun, updatedRun } from './raw-run.ts';

/** More runs than this are forgotten, the oldest first. */
const MAX_RUNS = 500;

export class TaskRuns extends Store {
  /** The last run of each task. */
  readonly #runs = new Map<string, RawRun>();

  /** The run of a task's last attempt; null when nothing is known of one. */
  of(planId: string, taskId: string): RawRun | null {
    return this.#runs.get(key(planId, taskId)) ?? null;
  }

  /** How many calls of a plan's tasks wait for the user; '' for those of all plans. */
  waiting(planId = '', taskId = ''): number {
    let count = 0;
    for (const [name, { calls }] of this.#runs) {
      const [plan, task] = JSON.parse(name) as [string, string];
      if ((planId && plan !== planId) || (taskId && task !== taskId)) continue;
      count += list(calls).filter((call) => fields<{ status: string }>(call).status === 'waiting').length;
    }
    return count;
  }

  update(update: Fields<ToolUpdate>): void {
    const { plan_id, task_id } = fields<TaskName>(update.task);
    const run = fields<{ run_id: string }>(update.run);
    const known = this.of(text(plan_id), text(task_id));
    // Another attempt is another run. Its worktree is nothing to open or to undo.
    const isSame = !known?.run_id || known.run_id === run.run_id;
    const next = updatedRun(isSame ? known : null, update);
    this.#set(key(text(plan_id), text(task_id)), { ...next, can_undo: false, files_changed: [] });
  }

  /** Adds calls that wait, whose beginning the page has missed. */
  addWaiting(rows: readonly Fields<PendingTool>[]): void {
    for (const { task, request_id, call_id, question } of rows) {
      const { plan_id, task_id } = fields<TaskName>(task);
      const name = key(text(plan_id), text(task_id));
      const run = this.#runs.get(name) ?? { request_id, state: 'running', calls: [] };
      const isKnown = list(run.calls).some((call) => fields<{ call_id: string }>(call).call_id === call_id);
      if (isKnown) continue;
      const call = { call_id, question, step: 1, status: 'waiting' };
      this.#set(name, { ...run, calls: [...list(run.calls), call] });
    }
  }

  #set(name: string, run: RawRun): void {
    this.#runs.delete(name);
    this.#runs.set(name, run);
    for (const oldest of [...this.#runs.keys()].slice(0, -MAX_RUNS)) this.#runs.delete(oldest);
    this.changed();
  }
}

function key(planId: string, taskId: string): string {
  return JSON.stringify([planId, taskId]);
}
