import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

const REVIEW = {
  active: true,
  branch: 'feature',
  branch_tip: 'b',
  parent_commit: 'a',
  original_branch: 'main',
};

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, review_state: REVIEW }));
  rpc.ready.set('LLMService.get_review_state', () => ({
    ...REVIEW,
    changed_files: [
      { path: 'src/a.py', old_path: '', status: 'modified', additions: 3, deletions: 1 },
      { path: 'gone.md', old_path: '', status: 'deleted', additions: 0, deletions: 9 },
    ],
    stats: { commit_count: 2, files_changed: 2, additions: 3, deletions: 10 },
  }));
  rpc.ready.set('Repo.get_review_state', () => REVIEW);
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

it('offers to end a review that was left open, and says what became of it', async () => {
  expect(one('review').textContent).toContain('A review of feature is open: 2 files.');
  rpc.ready.set('Repo.exit_review_mode', () => ({ error: 'A `merge` is under way.' }));
  one('review-end').click();
  await drawn();
  expect(one('review').querySelector('[role=alert]')?.textContent).toContain('A merge is under way.');
  rpc.ready.set('Repo.exit_review_mode', () => ({ status: 'restored', message: 'Back on `main`.' }));
  rpc.ready.set('Repo.get_review_state', () => ({ active: false, message: '' }));
  one('review-end').click();
  await drawn();
  const outcome = one('review-outcome');
  expect(outcome.textContent).toContain('Back on main.');
  outcome.querySelector('button')?.click();
  await drawn();
  expect(() => one('review-outcome')).toThrow();
});

it('lists what the branch changes, with numbers and ticks', async () => {
  expect(one('review-banner').textContent).toContain('2 commits');
  const rows = all('review-row');
  expect(rows.map((row) => [row.dataset.path, row.dataset.status])).toEqual([
    ['src/a.py', 'modified'],
    ['gone.md', 'deleted'],
  ]);
  expect(one('review-ticked').textContent).toBe('1 of 2 diffs in the conversation');
  await click(one('review-tick-all'));
  expect(session.selection.paths).toEqual(['src/a.py', 'gone.md']);
  await click(rows[1]?.querySelector('[data-ac="review-tick"]'));
  expect(session.selection.paths).toEqual(['src/a.py']);
  await click(one('review-files'));
  expect(all('review-row')).toEqual([]);
});

it('asks for a review of all changes when none is ticked, and leaves the input alone', async () => {
  rpc.ready.set('LLMService.get_snippets', () => [{ icon: 'R', tooltip: '', message: 'Review it.' }]);
  rpc.ready.set('LLMService.chat_streaming', () => ({ status: 'started' }));
  session.selection.replace([]);
  session.draft.set('half a question');
  await drawn();
  await click(one('review-ask'));
  expect(session.selection.paths).toEqual(['src/a.py', 'gone.md']);
  expect(session.chat.messages.map(({ content }) => content)).toContain('Review it.');
  expect(session.draft.text).toBe('half a question');
});
