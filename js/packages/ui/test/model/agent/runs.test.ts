import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawRun, stepEnds } from '../../../src/model/agent/raw-run.ts';
import { parseRun } from '../../../src/model/agent/runs.ts';
import { callRow, questionRow, runRow } from '../../support/runs.ts';

it('has what the server says', () => {
  const call = callRow({ status: 'waiting', duration_ms: null, question: questionRow() });
  const run = parseRun(runRow({ calls: [call], files_changed: ['a.py'], can_undo: true }));
  expect(run).toMatchObject({ id: 'turn-1', requestId: 'r', mode: 'agent', files: ['a.py'], canUndo: true });
  expect(run.calls[0]).toMatchObject({ id: 'c1', status: 'waiting', duration_ms: null });
  expect(run.calls[0]?.question?.scopes).toEqual(new Set(['once', 'session', 'prefix']));
});

it('is parsed once', () => {
  const row = runRow();
  expect(parseRun(row)).toBe(parseRun(row));
});

it('takes anything for a run, and allows nothing that the server has not offered', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (mode, calls, question) => {
      const raw = { mode, calls: [calls, { question }], steps: calls, used: question } as object;
      const run = parseRun(rawRun(raw) ?? {});
      expect(run.canUndo).toBe(false);
      expect(run.calls).toHaveLength(2);
      for (const { end } of stepEnds(rawRun(raw), 3)) expect(end).toBeLessThanOrEqual(3);
    }),
  );
  const question = { ...questionRow(), scopes: ['once', 'forever'] };
  const run = parseRun({ calls: [{ ...callRow(), question }] });
  expect(run.calls[0]?.question?.scopes).toEqual(new Set(['once']));
});
