import { describe, expect, it } from 'vitest';
import { PanelCalls } from '../../../src/model/agent/panel-calls.ts';
import type { CallStatus } from '../../../src/model/agent/runs.ts';
import { callRow, questionRow } from '../../support/runs.ts';

const update = (status: CallStatus, id = 't1') => ({
  request_id: id,
  panel: 'Tests',
  call: callRow({ call_id: 'c', tool: 'run_tests', status, question: questionRow({ text: 'pytest -q' }) }),
});

describe('calls of panels', () => {
  it('wait until they run, are refused or end', () => {
    const calls = new PanelCalls();
    calls.update(update('waiting'));
    calls.update(update('waiting', 't2'));
    calls.update(update('waiting'));
    expect(calls.waiting.map(({ requestId }) => requestId)).toEqual(['t2', 't1']);
    const { panel, call } = calls.waiting[0] ?? {};
    expect([panel, call?.tool, call?.question?.text]).toEqual(['Tests', 'run_tests', 'pytest -q']);
    calls.update(update('running'));
    calls.update(update('refused', 't2'));
    expect(calls.waiting).toEqual([]);
  });

  it('are those that the server lists after a reload', () => {
    const calls = new PanelCalls();
    let changes = 0;
    calls.subscribe(() => {
      changes += 1;
    });
    calls.replace([]);
    expect(changes).toBe(0);
    calls.update(update('waiting'));
    calls.replace([{ request_id: 't3', call_id: 'c', panel: 'Tests', question: questionRow({}) }]);
    expect(calls.waiting.map(({ requestId }) => requestId)).toEqual(['t3']);
    calls.replace([]);
    expect(calls.waiting).toEqual([]);
  });
});
