/** Entry of the bundle of the view of plans, loaded on demand. */

import { define } from '@jupyter-ac/link';
import { AcPlanGraph } from './graph.ts';
import { AcPlanList } from './list.ts';
import { AcPlan } from './plan.ts';
import { AcPlanTask } from './task.ts';
import { AcPlanTaskForm } from './task-form.ts';
import { AcPlans } from './view.ts';

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-plan-graph', AcPlanGraph],
  ['ac-plan-task-form', AcPlanTaskForm],
  ['ac-plan-task', AcPlanTask],
  ['ac-plan-list', AcPlanList],
  ['ac-plan', AcPlan],
  ['ac-plans', AcPlans],
];

/** Registers the elements; those that are in the page already are upgraded. Idempotent. */
export function register(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
