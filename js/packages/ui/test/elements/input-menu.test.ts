import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_snippets', () => [{ icon: 'E', tooltip: 'Explain it', message: 'Explain.' }]);
  rpc.ready.set('LLMService.search_symbols', () => [
    { name: 'summary', kind: 'function', container: '', signature: '', file: 'c.md', line: 3, column: 1 },
  ]);
  await connect(rpc);
  session.selection.replace([]);
  await drawn();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function type(text: string): Promise<HTMLTextAreaElement> {
  const area = one<HTMLTextAreaElement>('input');
  area.focus();
  area.value = text;
  area.setSelectionRange(text.length, text.length);
  area.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  await drawn();
  return area;
}

async function press(key: string): Promise<void> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true });
  one('input').dispatchEvent(event);
  await drawn();
}

function titles(): string[] {
  return all('input-option').map((option) => option.querySelector('.title')?.textContent ?? '');
}

it('ticks a file that is chosen after @, and leaves its path in the text', async () => {
  const area = await type('Explain @a.p');
  expect(titles()).toEqual(['src/a.py', 'summary']);
  expect(area.getAttribute('aria-activedescendant')).toBe('option-0');
  await press('Enter');
  expect(session.selection.paths).toEqual(['src/a.py']);
  expect(session.draft.text).toBe('Explain `src/a.py` ');
  expect(all('input-menu')).toEqual([]);
  expect(rpc.calls.map(({ method }) => method)).not.toContain('LLMService.chat_streaming');
});

it('finds folders and symbols, and ticks what they are in', async () => {
  await type('@src');
  expect(titles()).toContain('src/');
  await type('@symbol:summ');
  expect(titles()).toEqual(['summary']);
  await press('Tab');
  expect(session.selection.paths).toEqual(['c.md']);
  expect(session.draft.text).toBe('`summary` ');
});

it('is closed by Escape, and stays so while the same word is typed', async () => {
  await type('@a');
  await press('Escape');
  expect(all('input-menu')).toEqual([]);
  await type('@a.');
  expect(all('input-menu')).toEqual([]);
  await type('@a. @c');
  expect(titles()).toContain('c.md');
});

it('opens nothing for what matches nothing, so that Enter sends', async () => {
  rpc.ready.set('LLMService.search_symbols', () => []);
  rpc.ready.set('LLMService.chat_streaming', () => ({ status: 'started' }));
  await type('@zzzzzz');
  expect(all('input-menu')).toEqual([]);
  await press('Enter');
  expect(rpc.calls.map(({ method }) => method)).toContain('LLMService.chat_streaming');
});

it('runs a command at the beginning, and inserts a snippet', async () => {
  await type('/');
  expect(titles()).toContain('/new');
  expect(titles()).toContain('E Explain it');
  await type('/help');
  await press('Enter');
  expect(session.draft.text).toBe('');
  expect(session.toasts.toasts.at(-1)?.message).toContain('@ finds files');
  await type('/expl');
  await click(one('input-option'));
  expect(session.draft.text).toBe('Explain.');
});

it('opens the form of a commit by its command', async () => {
  rpc.ready.set('LLMService.list_commit_candidates', () => ({ files: [] }));
  await type('/commit');
  await press('Enter');
  expect(all('commit-form')).toHaveLength(1);
});

it('lists what is impossible now with the reason, and does not do it', async () => {
  rpc.ready.set('Repo.get_review_state', () => ({
    active: true,
    branch: 'b',
    branch_tip: 't',
    parent_commit: 'p',
  }));
  await session.review.refresh();
  await type('/commit');
  expect(one('input-option').getAttribute('aria-disabled')).toBe('true');
  expect(one('input-option').textContent).toContain('End the review first.');
  await press('Enter');
  expect(all('commit-form')).toEqual([]);
  expect(session.draft.text).toBe('/commit');
});
