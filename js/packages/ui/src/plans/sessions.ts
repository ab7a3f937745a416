/** The stores of plans of the panels on this page, by their sessions: made when a panel's view first opens. */

import { PlanDiffs } from '../model/plans/plan-diffs.ts';
import { PlansStore } from '../model/plans/plan-store.ts';
import type { Session } from '../model/session.ts';

export interface PlanStores {
  readonly plans: PlansStore;
  readonly diffs: PlanDiffs;
}

const stores = new WeakMap<Session, PlanStores>();

/** Those of a session; made by the first call. */
export function planStores(session: Session): PlanStores {
  const known = stores.get(session);
  if (known) return known;
  const made = { plans: new PlansStore(session), diffs: new PlanDiffs(session.rpc) };
  stores.set(session, made);
  return made;
}
