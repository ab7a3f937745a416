import { expect, it } from 'vitest';
import { rawRun, stepEnds, updatedRun } from '../../../src/model/agent/raw-run.ts';
import { callRow, runRow } from '../../support/runs.ts';

const idsOf = (run: ReturnType<typeof updatedRun>) =>
  (run.calls as { call_id: string; status: string }[]).map(({ call_id, status }) => [call_id, status]);

it('is null for an answer without a run', () => {
  expect(rawRun(undefined)).toBe(null);
  expect(rawRun(null)).toBe(null);
  expect(stepEnds(null, 5)).toEqual([]);
});

it('keeps the calls in order, and replaces the one that has changed', () => {
  let run = updatedRun(null, { run: runRow(), call: callRow({ status: 'running' }) });
  run = updatedRun(run, { run: runRow(), call: callRow({ call_id: 'c2', status: 'waiting' }) });
  run = updatedRun(run, { run: runRow({ state: 'limit' }), call: callRow() });
  expect(idsOf(run)).toEqual([
    ['c1', 'done'],
    ['c2', 'waiting'],
  ]);
  expect(run.state).toBe('limit');
});

it('keeps its calls when only the run has changed', () => {
  const run = updatedRun(rawRun(runRow({ calls: [callRow()] })), { run: runRow({ can_undo: false }) });
  expect(idsOf(run)).toEqual([['c1', 'done']]);
});

it('places the calls of a step at the end of its text, and those of a running one at the end of all', () => {
  const calls = [callRow(), callRow({ call_id: 'c3', step: 3 }), callRow({ call_id: 'c2', step: 3 })];
  expect(stepEnds(runRow({ calls, steps: [4, 9] }), 20)).toEqual([
    { step: 1, end: 4 },
    { step: 3, end: 20 },
  ]);
});

it('places nothing behind the end of a text that is still short', () => {
  expect(stepEnds(runRow({ calls: [callRow()], steps: [40] }), 20)).toEqual([{ step: 1, end: 20 }]);
});
