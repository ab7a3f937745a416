import type { TaskRow } from '@jupyter-ac/link/rpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dependents, freeId, type Plan, parsePlan, updatedPlan } from '../../../src/model/plans/plans.ts';
import { outputRow, planRow, taskRow, updateRow } from '../../support/plans.ts';

describe('a plan', () => {
  it('is read with its tasks and what came out of them', () => {
    const conflicts = [{ path: 'a.py', text: '<<<<<<<' }];
    const tasks = [taskRow('a', { status: 'done', output: outputRow({ conflicts }) })];
    const plan = parsePlan(planRow({ tasks, status: 'running', can_apply: true }));
    expect([plan.state, plan.canApply, plan.concurrency]).toEqual(['running', true, 2]);
    const [task] = plan.tasks;
    expect([task?.state, task?.output?.created, task?.output?.usd]).toEqual(['done', ['parser.py'], 0.03]);
    expect(task?.output?.conflicts).toEqual(conflicts);
  });

  it('is read from anything', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        expect(parsePlan(raw).tasks).toEqual([]);
        expect(parsePlan({ tasks: [raw], status: raw }).state).toBeTypeOf('string');
      }),
    );
  });

  it('names the tasks that come later, and a name that is free', () => {
    const { tasks } = parsePlan(
      planRow({
        tasks: [
          taskRow('a'),
          taskRow('b', { dependencies: ['a'] }),
          taskRow('task_004', { dependencies: ['b'] }),
        ],
      }),
    );
    expect([...dependents(tasks, 'a')].sort()).toEqual(['b', 'task_004']);
    expect([...dependents(tasks, 'task_004')]).toEqual([]);
    expect(freeId(tasks)).toBe('task_005');
    expect(freeId([])).toBe('task_001');
  });
});

describe('news of a plan', () => {
  const plan = parsePlan(planRow());

  it('change its state and the tasks that they have', () => {
    const after = updatedPlan(plan, updateRow({ tasks: [taskRow('a', { status: 'running' })] }));
    expect([after?.state, after?.revision]).toEqual(['running', 3]);
    expect(after?.tasks.map(({ state }) => state)).toEqual(['running', 'pending']);
    expect(after?.tasks[1]).toBe(plan.tasks[1]);
  });

  it('add tasks, take them away, and put them in order', () => {
    const after = updatedPlan(plan, updateRow({ tasks: [taskRow('c')], task_ids: ['c', 'a'] }));
    expect(after?.tasks.map(({ id }) => id)).toEqual(['c', 'a']);
  });

  it('change nothing when they are known, and are not enough when some were missed', () => {
    expect(updatedPlan(plan, updateRow({ revision: 2 }))).toBe(plan);
    expect(updatedPlan(plan, updateRow({ revision: 4 }))).toBeNull();
    expect(updatedPlan(plan, updateRow({ task_ids: ['a', 'b', 'c'] }))).toBeNull();
  });

  it('lead to the same plan as asking for it, whatever is lost, repeated or late', () => {
    const states = ['pending', 'running', 'done', 'failed'] as const;
    const step = fc.record({ task: fc.constantFrom('a', 'b', 'c'), status: fc.constantFrom(...states) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), fc.infiniteStream(fc.nat(9)), (steps, order) => {
        const rows = new Map<string, TaskRow>(['a', 'b', 'c'].map((id) => [id, taskRow(id)]));
        const server = (revision: number) => parsePlan(planRow({ revision, tasks: [...rows.values()] }));
        let page: Plan = server(0);
        const updates = steps.map(({ task, status }, index) => {
          rows.set(task, taskRow(task, { status }));
          const tasks = [rows.get(task) as TaskRow];
          return updateRow({
            ...{ revision: index + 1, tasks, task_ids: ['a', 'b', 'c'] },
            status: 'awaiting_approval',
          });
        });
        for (let turn = 0; turn < 2 * updates.length; turn += 1) {
          const update = updates[order.next().value % updates.length];
          if (update) page = updatedPlan(page, update) ?? server(updates.length);
        }
        for (const update of updates) page = updatedPlan(page, update) ?? server(updates.length);
        expect(page).toEqual(server(updates.length));
      }),
    );
  });
});
