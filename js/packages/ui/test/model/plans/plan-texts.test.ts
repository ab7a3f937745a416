import { describe, expect, it } from 'vitest';
import { isRepeatable, isSkippable, isStoppable } from '../../../src/model/plans/plan-actions.ts';
import {
  headline,
  planWords,
  progressText,
  someOf,
  taskWords,
  typeName,
} from '../../../src/model/plans/plan-texts.ts';
import { type Plan, parsePlan, type Task } from '../../../src/model/plans/plans.ts';
import { outputRow, planRow, taskRow } from '../../support/plans.ts';

function planOf(status: string, ...tasks: [string, object?][]): Plan {
  return parsePlan(
    planRow({
      status,
      tasks: tasks.map(([state, more], index) => taskRow(`t${index}`, { status: state, ...more })),
    }),
  );
}

const first = (plan: Plan): Task => plan.tasks[0] as Task;

describe('plans in words', () => {
  it('say how far they are, and sum up tokens and money', () => {
    const plan = planOf(
      'running',
      ['done', { output: outputRow() }],
      ['failed', { output: outputRow() }],
      ['skipped'],
    );
    expect(progressText(plan)).toBe('2 of 3 tasks done · 24k tokens · $0.0600');
    expect(progressText(planOf('draft', ['pending']))).toBe('0 of 1 task done');
    expect(planWords(plan)[0]).toBe('Running');
  });

  it('call a failure by a conflict so', () => {
    const conflicts = [{ path: 'a.py', text: '' }];
    expect(taskWords(first(planOf('failed', ['failed', { output: outputRow({ conflicts }) }])))).toEqual([
      'Conflict',
      'bad',
    ]);
    expect(taskWords(first(planOf('failed', ['failed'])))).toEqual(['Failed', 'bad']);
    expect(taskWords(first(planOf('running', ['done', { output: outputRow({ conflicts }) }])))).toEqual([
      'Done',
      'good',
    ]);
  });

  it('shorten requests and lists', () => {
    expect(headline('  One.\nTwo.')).toBe('One.');
    expect(headline('abcdef', 4)).toBe('abc…');
    expect(someOf(['a', 'b', 'c'])).toBe('a, b, c');
    expect(someOf(['a', 'b', 'c', 'd'])).toBe('a, b and 2 more');
    expect([typeName('testing'), typeName('other')]).toEqual(['Tests', 'other']);
  });
});

describe('what the user may do', () => {
  const may = (action: (plan: Plan, task: Task) => boolean, plan: string, task: string) => {
    const whole = planOf(plan, [task]);
    return action(whole, first(whole));
  };

  it.each([
    ['awaiting_approval', 'pending', true],
    ['awaiting_approval', 'skipped', false],
    ['running', 'blocked', true],
    ['failed', 'failed', true],
    ['running', 'running', false],
    ['completed', 'pending', false],
  ])('skips a task: plan %s, task %s: %s', (plan, task, expected) => {
    expect(may(isSkippable, plan, task)).toBe(expected);
  });

  it.each([
    ['running', 'failed', true],
    ['failed', 'failed', true],
    ['cancelled', 'failed', false],
    ['running', 'done', false],
  ])('lets it try again: plan %s, task %s: %s', (plan, task, expected) => {
    expect(may(isRepeatable, plan, task)).toBe(expected);
  });

  it.each([
    ['running', 'running', true],
    ['paused', 'validating', true],
    ['running', 'ready', false],
    ['completed', 'running', false],
  ])('stops it: plan %s, task %s: %s', (plan, task, expected) => {
    expect(may(isStoppable, plan, task)).toBe(expected);
  });
});
