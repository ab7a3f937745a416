/** Store of the plans as one panel shows them: the list, the open plan, and what the user does with it. */

import {
  type AppliedPlan,
  type ExecutorList,
  type ExecutorRow,
  type KeptFile,
  type PlanUpdate,
  type Rpc,
  RpcError,
  type UndonePlan,
} from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from '../call-result.ts';
import type { Session } from '../session.ts';
import { type Dispose, Store } from '../store.ts';
import { type Fields, fields, list, strings, text } from '../wire.ts';
import { someOf } from './plan-texts.ts';
import { type Plan, parsePlan, type Task, updatedPlan } from './plans.ts';

/** What the user sets of a task. */
export interface TaskEdit {
  readonly type: string;
  readonly description: string;
  readonly dependencies: readonly string[];
  readonly priority: number;
  readonly needs_all: boolean;
}

/** What can carry out the tasks of a plan. */
export interface Executor {
  readonly name: string;
  /** What the user should know; '' for nothing. */
  readonly note: string;
}

/** How a plan is run. */
export interface PlanStart {
  /** How many tasks run at the same time. */
  readonly concurrency: number;
  /** The name of an executor. */
  readonly executor: string;
  /** The command for the copies of the files that the user allows with this; '' for none. */
  readonly allowed: string;
}

export type PlanParts = Pick<Session, 'rpc' | 'toasts'>;

const LISTED = 50;
const STILL = t('The server still plans; the plan is shown here when it is made.');

export class PlansStore extends Store {
  /** The newest first. */
  plans: readonly Plan[] = [];
  isLoaded = false;
  /** This program's own agent first; empty where the server doesn't tell. */
  executors: readonly Executor[] = [];
  /** Id of the task whose details are shown; '' for none. */
  taskId = '';
  /** One sentence on why the last action failed; '' otherwise. */
  problem = '';
  /** A plan is being made. */
  isMaking = false;
  /** The request being written; kept while the view is closed. */
  draft = '';
  /** A command of the settings that the open plan needs, and the user is asked about; '' for none. */
  setup = '';
  /** What is being done with a plan, such as `run`; '' for nothing. */
  busy = '';
  #openId = '';
  /** By plan. */
  readonly #kept = new Map<string, readonly KeptFile[]>();
  /** Plans that were asked for, and no answer has come yet. */
  readonly #asked = new Set<string>();
  readonly #stopListening: readonly Dispose[];
  readonly rpc: Rpc;

  constructor(private readonly parts: PlanParts) {
    super();
    const { rpc } = parts;
    this.rpc = rpc;
    this.#stopListening = [
      rpc.on('planUpdated', (update) => this.#onUpdate(fields<PlanUpdate>(update))),
      rpc.onStatus(({ state }) => state === 'open' && void this.refresh()),
    ];
  }

  /** The plan that is shown; null while the list is. */
  get shown(): Plan | null {
    return this.plans.find(({ id }) => id === this.#openId) ?? null;
  }

  /** The task whose details are shown. */
  get task(): Task | null {
    return this.shown?.tasks.find(({ id }) => id === this.taskId) ?? null;
  }

  /** Why plans can't be carried out; '' when they can. */
  get obstacle(): string {
    const canRun = !this.rpc.connected || this.rpc.offers('Planner.run_plan');
    return canRun ? '' : t('This server makes plans but cannot carry them out: update it.');
  }

  /** Files that the last undo has left alone. */
  keptOf(planId: string): readonly KeptFile[] {
    return this.#kept.get(planId) ?? [];
  }

  /** Shows a plan; '' shows the list. */
  open(planId: string): void {
    this.#openId = planId;
    this.taskId = '';
    this.setup = '';
    this.say('');
  }

  choose(taskId: string): void {
    this.taskId = taskId;
    this.changed();
  }

  say(problem: string): void {
    this.problem = problem;
    this.changed();
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('Planner.list_plans')) return;
    void this.#fetchExecutors();
    try {
      const { plans } = fields<{ plans: unknown }>(await this.rpc.rpcExtract('Planner.list_plans', LISTED));
      const listed = list(plans).map(parsePlan);
      const known = new Map(this.plans.map((plan) => [plan.id, plan]));
      this.plans = listed.map((plan) => newer(known.get(plan.id), plan));
      this.isLoaded = true;
      this.changed();
    } catch (error) {
      if (this.rpc.connected) this.say(sentence(error));
    }
  }

  /** Sets the request of the next plan. */
  write(draft: string): void {
    this.draft = draft;
    this.changed();
  }

  /** Has the model make a plan of the draft, and shows it. */
  async make(maxTasks: number): Promise<void> {
    const request = this.draft;
    if (this.isMaking || !request.trim()) return;
    this.isMaking = true;
    this.say('');
    try {
      const made = await this.rpc.rpcExtract('Planner.create_plan', request, null, { max_tasks: maxTasks });
      const plan = parsePlan(fields(made).plan);
      this.#adopt(plan);
      this.draft = '';
      this.open(plan.id);
    } catch (error) {
      const isLate = error instanceof RpcError && error.type === 'timeout' && error.code === -1000;
      this.problem = isLate ? STILL : sentence(error);
    }
    this.isMaking = false;
    this.changed();
  }

  /** Approves a plan and starts it. */
  async run(plan: Plan, { concurrency, executor, allowed }: PlanStart): Promise<void> {
    await this.#change('run', () =>
      this.rpc.rpcExtract('Planner.run_plan', plan.id, concurrency, executor, allowed),
    );
  }

  /** Closes the question about the command. */
  refuseSetup(): void {
    this.setup = '';
    this.changed();
  }

  pause(plan: Plan): Promise<void> {
    return this.#change('pause', () => this.rpc.rpcExtract('Planner.pause_plan', plan.id));
  }

  resume(plan: Plan): Promise<void> {
    return this.#change('resume', () => this.rpc.rpcExtract('Planner.resume_plan', plan.id));
  }

  cancel(plan: Plan): Promise<void> {
    return this.#change('cancel', () => this.rpc.rpcExtract('Planner.cancel_plan', plan.id));
  }

  /** Changes a task before the plan runs, or adds one; resolves to whether that was accepted. */
  async edit(plan: Plan, taskId: string, edit: TaskEdit): Promise<boolean> {
    await this.#change('edit', () =>
      this.rpc.rpcExtract('Planner.update_task', plan.id, taskId, { ...edit }),
    );
    return this.problem === '';
  }

  async remove(plan: Plan, task: Task): Promise<void> {
    await this.#change('remove', () => this.rpc.rpcExtract('Planner.update_task', plan.id, task.id, null));
  }

  skip(plan: Plan, task: Task): Promise<void> {
    const changes = { status: 'skipped' };
    return this.#change('skip', () => this.rpc.rpcExtract('Planner.update_task', plan.id, task.id, changes));
  }

  stop(plan: Plan, task: Task): Promise<void> {
    return this.#change('stop', () => this.rpc.rpcExtract('Planner.cancel_task', plan.id, task.id));
  }

  /** Has a failed task try again; its conflicts and the note go to it. */
  retry(plan: Plan, task: Task, note: string): Promise<void> {
    return this.#change('retry', () => this.rpc.rpcExtract('Planner.retry_task', plan.id, task.id, note));
  }

  /** Brings the plan's results into the user's files. */
  async apply(plan: Plan): Promise<void> {
    const value = await this.#do('apply', () => this.rpc.rpcExtract('Planner.apply_plan', plan.id));
    if (!value) return;
    const { plan: row, files } = fields<AppliedPlan>(value);
    const paths = strings(files);
    this.#kept.delete(plan.id);
    this.#adopt(parsePlan(row));
    const said = paths.length
      ? t('%1 changed and staged: %2.', tn('%1 file', '%1 files', paths.length), someOf(paths))
      : t('Your files have these results already.');
    this.parts.toasts.show('success', said);
  }

  /** Takes the Apply back. */
  async undo(plan: Plan): Promise<void> {
    const value = await this.#do('undo', () => this.rpc.rpcExtract('Planner.undo_plan', plan.id));
    if (!value) return;
    const { plan: row, files, kept } = fields<UndonePlan>(value);
    const left = list(kept).map((each) => {
      const { path, reason } = fields<KeptFile>(each);
      return { path: text(path), reason: text(reason) };
    });
    this.#kept.set(plan.id, left);
    this.#adopt(parsePlan(row));
    const paths = strings(files);
    const restored = paths.length
      ? tn('%1 file restored: %2', '%1 files restored: %2', paths.length, someOf(paths))
      : t('No file restored');
    const alone = left.length ? t('; %1 left alone', tn('%1 file', '%1 files', left.length)) : '';
    this.parts.toasts.show(left.length ? 'warning' : 'success', `${restored}${alone}.`);
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  async #change(what: string, call: () => Promise<unknown>): Promise<void> {
    const value = await this.#do(what, call);
    if (value) this.#adopt(parsePlan(value));
  }

  /** @returns null when it failed, or when something else is being done */
  async #do(what: string, call: () => Promise<unknown>): Promise<unknown> {
    if (this.busy) return null;
    this.busy = what;
    this.setup = '';
    this.say('');
    try {
      return await call();
    } catch (error) {
      this.setup = error instanceof RpcError ? text(error.data.setup) : '';
      if (!this.setup) this.problem = sentence(error);
      return null;
    } finally {
      this.busy = '';
      this.changed();
    }
  }

  #adopt(plan: Plan): void {
    if (!plan.id) return;
    const isKnown = this.plans.some(({ id }) => id === plan.id);
    this.plans = isKnown
      ? this.plans.map((each) => (each.id === plan.id ? newer(each, plan) : each))
      : [plan, ...this.plans].sort((one, other) => other.created - one.created);
    this.changed();
  }

  #onUpdate(update: Fields<PlanUpdate>): void {
    const id = text(update.plan_id);
    const known = this.plans.find((plan) => plan.id === id);
    const plan = known ? updatedPlan(known, update) : null;
    if (!plan) void this.#fetch(id);
    else if (plan !== known) this.#adopt(plan);
  }

  async #fetchExecutors(): Promise<void> {
    if (!this.rpc.offers('Planner.list_executors')) return;
    const { value } = await toResult(this.rpc.rpcExtract('Planner.list_executors'));
    this.executors = list(fields<ExecutorList>(value).executors).map((raw) => {
      const { name, note } = fields<ExecutorRow>(raw);
      return { name: text(name), note: text(note) };
    });
    this.changed();
  }

  async #fetch(id: string): Promise<void> {
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    try {
      this.#adopt(parsePlan(await this.rpc.rpcExtract('Planner.get_plan', id)));
    } catch {
      // The next update, or the next connection, asks again.
    } finally {
      this.#asked.delete(id);
    }
  }
}

function newer(known: Plan | undefined, plan: Plan): Plan {
  return known && known.revision > plan.revision ? known : plan;
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
