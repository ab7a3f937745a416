import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

const COMMITS = [
  commit('f2', 'Raise the beds', 'f1'),
  commit('f1', 'Dig', 'base'),
  commit('s1', 'Sow', 'base'),
  commit('base', 'First'),
];
const BRANCHES = [branch('main', 'base', true), branch('feature', 'f2'), branch('spring', 's1')];

let rpc: FakeRpc;
let session: Session;

function commit(sha: string, message: string, ...parents: string[]) {
  return { sha, short_sha: sha, message, author: 'Ada', date: '', relative_date: '2 days ago', parents };
}

function branch(name: string, sha: string, is_current = false) {
  return { name, sha, message: '', is_current, is_remote: false };
}

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.check_review_ready', () => ({ clean: true }));
  rpc.ready.set('LLMService.get_commit_graph', () => ({
    commits: COMMITS,
    branches: BRANCHES,
    has_more: false,
  }));
  rpc.ready.set('Repo.get_review_state', () => ({ active: false, message: '' }));
  await connect(rpc);
  await click(one('review-start'));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function press(key: string): Promise<void> {
  const list = one('review-selector').querySelector('[role="listbox"]');
  list?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  await drawn();
}

it('shows the commits with the branches at them', () => {
  expect(all('graph-row').map((row) => row.dataset.sha)).toEqual(['f2', 'f1', 's1', 'base']);
  expect(all('graph-row')[0]?.querySelector('.tip')?.textContent).toContain('feature');
  expect(one<HTMLButtonElement>('review-start').disabled).toBe(true);
});

it('begins a review from a commit that the keyboard chooses', async () => {
  rpc.ready.set('LLMService.start_review', () => ({ status: 'review_active' }));
  await press('ArrowDown');
  await press('Enter');
  expect(one('review-selector').textContent).toContain('Review 2 commits of feature');
  await click(one('review-start'));
  expect(rpc.last('LLMService.start_review').args).toEqual(['feature', 'f1']);
  expect(all('review-selector')).toEqual([]);
});

it('asks which branch when several contain the commit', async () => {
  await press('End');
  await press('Enter');
  const choice = one<HTMLSelectElement>('review-branch');
  expect([...choice.options].map(({ value }) => value)).toEqual(['main', 'feature', 'spring']);
  expect(choice.value).toBe('feature');
  choice.value = 'spring';
  choice.dispatchEvent(new Event('change'));
  await drawn();
  expect(one('review-selector').textContent).toContain('Review 2 commits of');
});

it('reviews a whole branch, and says in place why that is refused', async () => {
  rpc.ready.set('LLMService.start_review', () => ({ error: 'A merge is under way.' }));
  const chip = all('branch-review').find((button) => button.dataset.branch === 'feature');
  await click(chip);
  await click(one('review-start'));
  expect(rpc.last('LLMService.start_review').args).toEqual(['feature', '']);
  expect(one('review-selector').querySelector('[role="alert"]')?.textContent).toBe('A merge is under way.');
});

it('says what is in the way, and looks again', async () => {
  rpc.ready.set('LLMService.check_review_ready', () => ({ clean: false, message: 'Commit `a.py` first.' }));
  await press('Escape');
  expect(all('review-selector')).toEqual([]);
  await click(one('review-start'));
  expect(one('review-selector').textContent).toContain('Commit a.py first.');
  await press('Enter');
  expect(one<HTMLButtonElement>('review-start').disabled).toBe(true);
  rpc.ready.set('LLMService.check_review_ready', () => ({ clean: true }));
  await click(one('review-check'));
  expect(one<HTMLButtonElement>('review-start').disabled).toBe(false);
});

it('hides what only some branches contain', async () => {
  const chip = all('branch-toggle').find((button) => button.dataset.branch === 'spring');
  await click(chip);
  expect(all('graph-row').map((row) => row.dataset.sha)).toEqual(['f2', 'f1', 'base']);
  const field = one<HTMLInputElement>('branch-filter');
  field.value = 'fea';
  field.dispatchEvent(new Event('input'));
  await drawn();
  expect(all('branch-toggle').map((button) => button.dataset.branch)).toEqual(['feature']);
});

it('is not offered while a review is open', async () => {
  await click(one('review-selector').querySelector('[aria-label="Close"]'));
  rpc.ready.set('Repo.get_review_state', () => ({
    active: true,
    branch: 'b',
    branch_tip: 't',
    parent_commit: 'p',
  }));
  await session.review.refresh();
  await drawn();
  expect(all('review-start')).toEqual([]);
});
