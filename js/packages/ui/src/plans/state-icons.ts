/** Icons of the states of plans and tasks; the words beside them say the same. */

import { nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import type { PlanState, TaskState } from '../model/plans/plans.ts';

type Icon = TemplateResult | typeof nothing;

const PLANS: Readonly<Record<PlanState, Icon>> = {
  draft: nothing,
  awaiting_approval: icons.info,
  running: icons.spinner,
  paused: icons.info,
  completed: icons.check,
  failed: icons.warning,
  cancelling: icons.spinner,
  cancelled: icons.close,
};

const TASKS: Readonly<Record<TaskState, Icon>> = {
  pending: nothing,
  ready: nothing,
  running: icons.spinner,
  validating: icons.spinner,
  done: icons.check,
  failed: icons.warning,
  blocked: icons.lock,
  cancelled: icons.stop,
  skipped: icons.chevronRight,
};

export function planIcon(state: PlanState): Icon {
  return PLANS[state];
}

export function taskIcon(state: TaskState): Icon {
  return TASKS[state];
}
