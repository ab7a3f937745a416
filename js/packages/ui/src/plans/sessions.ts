/** The stores of plans of the panels on this page, by their sessions: made when a panel's view first opens. */

import { DiffStore } from '../model/diff-store.ts';
import { PlansStore } from '../model/plans/plan-store.ts';
import type { Session } from '../model/session.ts';

export interface PlanStores {
  readonly plans: PlansStore;
  /** By plan, and by task ('' for the whole plan). */
  readonly diffs: DiffStore<[planId: string, taskId: string]>;
}

const stores = new WeakMap<Session, PlanStores>();

/** Those of a session; made by the first call. */
export function planStores(session: Session): PlanStores {
  const known = stores.get(session);
  if (known) return known;
  const { rpc } = session;
  const made: PlanStores = {
    plans: new PlansStore(session),
    diffs: new DiffStore((plan, task) => rpc.rpcExtract('Planner.get_plan_diff', plan, task)),
  };
  stores.set(session, made);
  return made;
}
