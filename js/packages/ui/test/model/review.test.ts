import { beforeEach, expect, it } from 'vitest';
import { ReviewStore } from '../../src/model/review.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const OPEN = {
  active: true,
  branch: 'feature',
  branch_tip: 'b'.repeat(40),
  parent_commit: 'a'.repeat(40),
  original_branch: 'main',
  original_sha: 'c'.repeat(40),
  since: '2026-11-22T08:00:00+00:00',
  message: '',
};
const FILE = { path: 'b.py', old_path: '', status: 'modified', additions: 2, deletions: 1 };
const NONE = { active: false, message: '' };

let rpc: FakeRpc;
let review: ReviewStore;

beforeEach(async () => {
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.get_review_state', () => ({
    changed_files: [FILE, { ...FILE, path: 'a.py', old_path: 'o.py', status: 'renamed' }],
    stats: { commit_count: 3, files_changed: 2, additions: 4, deletions: 2 },
  }));
  await rpc.become({ state: 'open', first: true });
  review = new ReviewStore(rpc);
});

it('shows what the server has found open, and counts its files once', async () => {
  review.adopt(OPEN);
  await settle();
  expect(review.open).toEqual({
    branch: 'feature',
    original: 'main',
    parent: OPEN.parent_commit,
    tip: OPEN.branch_tip,
    since: new Date(OPEN.since),
  });
  expect(review.numbers).toEqual({ commits: 3, files: 2, additions: 4, deletions: 2 });
  expect(review.changes.map(({ path, oldPath }) => [path, oldPath])).toEqual([
    ['a.py', 'o.py'],
    ['b.py', ''],
  ]);
  review.adopt({ ...OPEN, original_branch: null, since: 'never' });
  await settle();
  expect(review.open).toMatchObject({ original: 'ccccccc', since: null });
  expect(rpc.calls.filter(({ method }) => method === 'LLMService.get_review_state')).toHaveLength(1);
  review.adopt({ active: false, message: 'It can not be read.' });
  expect([review.open, review.numbers, review.problem]).toEqual([null, null, 'It can not be read.']);
  expect(review.file('b.py')).toBeUndefined();
});

it.each([
  ['reviewStarted', OPEN],
  ['filesModified', []],
  ['filesModified', ['a.py']],
] as const)('looks again at %s, as another host may have begun one', async (event, argument) => {
  rpc.ready.set('Repo.get_review_state', () => OPEN);
  rpc.emit(event, argument);
  await settle();
  expect(review.open?.branch).toBe('feature');
  review.dispose();
  rpc.ready.set('Repo.get_review_state', () => NONE);
  rpc.emit('filesModified', []);
  await settle();
  expect(review.open?.branch).toBe('feature');
});

it('ends it with what the seeds call for, and tells what became of it', async () => {
  review.adopt(OPEN);
  rpc.ready.set('Repo.get_review_state', () => NONE);
  rpc.ready.set('Repo.exit_review_mode', () => ({ status: 'restored', message: 'Back on `main`.' }));
  await Promise.all([review.end(), review.end()]);
  const ends = rpc.calls.filter(({ method }) => method === 'Repo.exit_review_mode');
  expect(ends.map(({ args }) => args)).toEqual([[OPEN.branch_tip, 'main']]);
  expect([review.open, review.outcome, review.isEnding]).toEqual([null, 'Back on `main`.', false]);
  review.close();
  expect(review.outcome).toBe('');
});

it('stays open when it can not be ended, and says why whatever else happens', async () => {
  review.adopt(OPEN);
  rpc.ready.set('Repo.get_review_state', () => OPEN);
  rpc.ready.set('Repo.exit_review_mode', () => ({ error: 'A merge is under way.' }));
  await review.end();
  expect([review.open?.branch, review.outcome]).toEqual(['feature', 'A merge is under way.']);
  review.adopt(OPEN);
  expect(review.outcome).toBe('A merge is under way.');
  review.adopt({ ...OPEN, branch: 'other', branch_tip: 'd'.repeat(40) });
  expect(review.outcome).toBe('');
});

it('is over when another page was faster, which is no failure', async () => {
  review.adopt(OPEN);
  rpc.ready.set('Repo.get_review_state', () => NONE);
  rpc.ready.set('Repo.exit_review_mode', () => ({ error: 'No review is in progress here.' }));
  await review.end();
  expect([review.open, review.outcome]).toEqual([null, 'The review is over.']);
});

it.each([
  ['has ended', NONE, 'The review is over.'],
  ['has not ended', OPEN, ''],
])('says after a lost connection only what is so: it %s', async (_, state, outcome) => {
  review.adopt(OPEN);
  void review.end();
  await rpc.become({ state: 'connecting' });
  await rpc.last('Repo.exit_review_mode').fail('closed', 'The connection was closed.');
  expect([review.outcome, review.isEnding]).toEqual(['', false]);
  await rpc.become({ state: 'open', first: false });
  review.adopt(state);
  expect(review.outcome).toBe(outcome);
});

it('asks a server for nothing that it does not have', async () => {
  rpc.lacking.add('Repo.get_review_state');
  rpc.lacking.add('LLMService.get_review_state');
  await review.refresh();
  review.adopt(OPEN);
  expect(rpc.calls).toEqual([]);
});

it('opens a line of a changed file in the diff of the review, and nothing else', async () => {
  review.adopt(OPEN);
  await settle();
  const line = { path: 'b.py', line: 3, col: 0 };
  expect(review.located(line)).toEqual({ ...line, isReview: true });
  for (const other of [
    { ...line, path: 'c.py' },
    { ...line, line: 0 },
    { ...line, isDiff: true },
  ])
    expect(review.located(other)).toBe(other);
  review.adopt(NONE);
  expect(review.located(line)).toBe(line);
});
