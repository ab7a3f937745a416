import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { drawn, one } from '../support/page.ts';

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
  rpc.ready.set('Repo.get_review_changed_files', () => [{}]);
  rpc.ready.set('Repo.get_review_state', () => REVIEW);
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

it('offers to end a review that was left open, and says what became of it', async () => {
  expect(one('review').textContent).toContain('A review of feature is open: 1 file.');
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
