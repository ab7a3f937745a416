import { describe, expect, it } from 'vitest';
import { summarizeEdits } from '../../src/model/edit-summary.ts';
import { editsOf, NO_EDITS, withBlocks, withResults } from '../../src/model/edits.ts';
import { awaitedAnswer, completed, parseMessages, reuseUnchanged } from '../../src/model/messages.ts';
import { answered, answerOf, completion } from '../support/answers.ts';

const FAILED = { status: 'failed', message: 'Not there.', cause: 'stale', near: { line: 3, text: 'x' } };
const ANSWER = answerOf(
  { path: 'a.py', old: '1\n', new: '2\n' },
  { path: 'b.py', old: '3\n', new: '4\n', result: FAILED },
);

describe('what a server says of edits', () => {
  it('is read with the outcome of each block', () => {
    const { list } = editsOf(completion(ANSWER));
    expect(list[0]).toMatchObject({ path: 'a.py', kind: 'edit', outcome: { status: 'applied', line: 7 } });
    expect(list[1]?.outcome).toMatchObject({ status: 'failed', near: { line: 3, text: 'x' } });
  });

  it('may be odd in any way', () => {
    const odd = [null, 7, 'x', {}, { index: 'one', status: 'great', kind: 'poem', span: [true] }];
    const { list } = editsOf({ edit_blocks: odd, edit_results: odd, attempts: 'two' });
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({ path: '', kind: 'edit', outcome: { status: 'skipped', near: null } });
  });

  it('is nothing for an answer without blocks', () => {
    expect(editsOf({})).toBe(NO_EDITS);
    expect(editsOf({ edit_blocks: [], edit_results: [] })).toBe(NO_EDITS);
  });

  it('keeps what is known when it says the same again', () => {
    const first = withBlocks(NO_EDITS, ANSWER.blocks.slice(0, 1));
    const second = withBlocks(first, ANSWER.blocks);
    expect(second.list[0]).toBe(first.list[0]);
    expect(withBlocks(second, ANSWER.blocks)).toBe(second);
  });

  it('changes the blocks that were decided on', () => {
    const before = editsOf(completion(ANSWER));
    const results = [ANSWER.results[0], { ...ANSWER.results[1], status: 'applied' }];
    const after = withResults(before, results, ['a.py', 'b.py']);
    expect(after.list[0]).toBe(before.list[0]);
    expect(after.list[1]?.outcome?.status).toBe('applied');
    expect(after.modified).toEqual(['a.py', 'b.py']);
  });
});

describe('a message', () => {
  it('is the same after a reload as at the end of its stream', () => {
    const result = completion(ANSWER, { retry_prompt: 'Again', attempts: [{}, {}] });
    const live = completed(awaitedAnswer('r'), result);
    const [loaded] = parseMessages([answered('r', ANSWER, { retry_prompt: 'Again', attempts: [{}, {}] })]);
    expect(loaded).toEqual(live);
    expect(reuseUnchanged([live], loaded ? [loaded] : [])[0]).toBe(live);
  });

  it('shows what was decided in another panel', () => {
    const old = parseMessages([answered('r', ANSWER)]);
    const [applied, missed] = ANSWER.results;
    const results = [{ ...applied }, { ...missed, status: 'rejected' }];
    const [next] = reuseUnchanged(old, parseMessages([answered('r', { ...ANSWER, results })]));
    expect(next?.edits.list.map(({ outcome }) => outcome?.status)).toEqual(['applied', 'rejected']);
  });
});

describe('the figures', () => {
  const of = (...statuses: object[]) =>
    summarizeEdits(
      editsOf(
        completion(answerOf(...statuses.map((result, index) => ({ path: `${index % 2}.py`, result })))),
      ),
    );

  it('count each status that there is, and files once', () => {
    const pending = { status: 'pending' };
    const { counts, files, pending: waiting } = of({}, {}, pending, FAILED, pending);
    expect(counts.map(({ label }) => label)).toEqual(['2 applied', '2 pending', '1 failed']);
    expect([files, waiting]).toEqual([2, 2]);
  });

  it('leave out what was tried again', () => {
    const { counts, failures } = of({ ...FAILED, redone: true }, { attempt: 1 });
    expect(counts.map(({ label }) => label)).toEqual(['1 applied']);
    expect(failures).toEqual([]);
  });

  it('list what was missed, and files that were ticked for it', () => {
    const { failures, added } = of({ status: 'not_in_context', message: 'Not seen.', redone: true }, FAILED);
    expect(failures.map(({ path }) => path)).toEqual(['1.py']);
    expect(added).toEqual(['0.py']);
    expect(of({ status: 'not_in_context', message: '', withheld: true }).added).toEqual([]);
  });

  it('say of blocks without an outcome that they were not applied', () => {
    const { blocks } = ANSWER;
    expect(summarizeEdits(editsOf({ edit_blocks: blocks })).counts).toEqual([
      { label: '2 edits not applied', tone: 'calm' },
    ]);
  });
});
