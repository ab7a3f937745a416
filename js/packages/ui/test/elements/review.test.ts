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

const DETAILS = {
  ...REVIEW,
  changed_files: [
    { path: 'src/a.py', old_path: '', status: 'modified', additions: 5, deletions: 0 },
    { path: 'gone.py', old_path: '', status: 'deleted', additions: 0, deletions: 1 },
  ],
  stats: { commit_count: 1, files_changed: 2, additions: 5, deletions: 1 },
};

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, review_state: REVIEW }));
  rpc.ready.set('LLMService.get_review_state', () => DETAILS);
  rpc.ready.set('Repo.get_review_state', () => REVIEW);
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

it('offers to end a review that was left open, and says what became of it', async () => {
  expect(one('review-banner').textContent).toContain(
    'A review of feature is open (a..b): 1 commit, 2 files, +5 −1.',
  );
  rpc.ready.set('Repo.exit_review_mode', () => ({ error: 'A `merge` is under way.' }));
  one('review-end').click();
  await drawn();
  expect(one('review-banner').querySelector('[role=alert]')?.textContent).toContain('A merge is under way.');
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

it('lists the changed files; a tick sends a diff, also of a deleted file', async () => {
  expect(all('review-file').map(({ dataset }) => dataset.path)).toEqual(['gone.py', 'src/a.py']);
  expect(one('review-count').textContent).toBe('1 of 2 diffs in context');
  await click(all('review-tick')[0]);
  expect(session.selection.paths).toEqual(['src/a.py', 'gone.py']);
  expect(one('review-count').textContent).toBe('2 of 2 diffs in context');
  await click(one('review-tick-all'));
  expect(session.selection.paths).toEqual([]);
});

it('asks with the first snippet of reviews, and ticks the changed files that fit if none is ticked', async () => {
  rpc.ready.set('LLMService.get_snippets', () => [{ icon: '1', tooltip: '', message: 'Review all.' }]);
  await session.snippets.refresh();
  session.selection.replace([]);
  session.draft.set('mine');
  rpc.ready.set('LLMService.get_context_breakdown', () => ({
    total_tokens: 110,
    max_input_tokens: 100,
    breakdown: {
      review: {
        details: [
          { path: 'src/a.py', tokens: 40 },
          { path: 'gone.py', tokens: 3 },
        ],
      },
    },
  }));
  await click(one('review-ask'));
  expect(session.selection.paths).toEqual(['gone.py']);
  expect(rpc.last('LLMService.chat_streaming').args[1]).toBe('Review all.');
  expect(session.draft.text).toBe('mine');
});
