/** Methods that the server has beside those of the generated types. */

export {};

declare module '../../../../link/src/generated/api.ts' {
  interface Methods {
    'Planner.run_plan': {
      params: [plan_id: string, concurrency?: number | null, executor?: string, allow_setup?: string];
      result: PlanRow;
    };
    'Planner.pause_plan': { params: [plan_id: string]; result: PlanRow };
    'Planner.resume_plan': { params: [plan_id: string]; result: PlanRow };
    'Planner.retry_task': { params: [plan_id: string, task_id: string, note?: string]; result: PlanRow };
    'Planner.cancel_task': { params: [plan_id: string, task_id: string]; result: PlanRow };
    'Planner.diff_plan': { params: [plan_id: string, task_id?: string]; result: { diff: string } };
    'Planner.apply_plan': { params: [plan_id: string]; result: { plan: PlanRow; files: string[] } };
    'Planner.undo_plan': {
      params: [plan_id: string];
      result: { plan: PlanRow; files: string[]; kept: { path: string; reason: string }[] };
    };
  }
}
