import { expect, it } from 'vitest';
import { parseRun } from '../../../src/model/agent/runs.ts';
import { backtrackCall } from '../../../src/model/agent/step-effects.ts';
import { editsOf } from '../../../src/model/edits.ts';
import { answerOf, completion } from '../../support/answers.ts';
import { callRow } from '../../support/runs.ts';

const calls = (...rows: Parameters<typeof callRow>[0][]) =>
  parseRun({ calls: rows.map((row, index) => callRow({ call_id: `c${index}`, ...row })) }).calls;
const text = { start: 0, end: 1000 };

it('is the first call that acts', () => {
  const found = calls({ tool: 'read_file' }, { tool: 'run_command' }, { tool: 'run_tests' });
  expect(backtrackCall(found, [], text)).toBe('c1');
  expect(backtrackCall(calls({ tool: 'a_new_tool' }), [], text)).toBe('c0');
});

it('is none for a step that only reads, or whose calls were refused', () => {
  expect(backtrackCall(calls({ tool: 'search' }, { status: 'refused' }), [], text)).toBe('');
});

it('is the first one of a step whose edits were applied', () => {
  const answer = answerOf('So.\n', { path: 'a.py', new: 'x\n' });
  const edits = editsOf(completion(answer)).list;
  const found = calls({ tool: 'read_file' });
  expect(backtrackCall(found, edits, { start: 0, end: answer.content.length })).toBe('c0');
  expect(backtrackCall(found, edits, { start: answer.content.length, end: answer.content.length + 9 })).toBe(
    '',
  );
});
