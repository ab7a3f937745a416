import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { browserStores } from '../../src/browser/sessions.ts';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeBrowser, watchedTarget } from '../support/fake-browser.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;
let browser: FakeBrowser;
let rows: object[];

const ERROR = {
  key: 'e1',
  kind: 'error',
  name: 'TypeError: x',
  text: 'TypeError: x\nat src/a.py:3',
  source: 'http://h/',
};
const REQUEST = {
  key: 'r1',
  kind: 'request',
  name: 'GET /api 500',
  text: 'GET http://h/api: 500',
  source: 'http://h/',
};
const chips = () => all('chip').map(({ dataset }) => `${dataset.kind} ${dataset.name} ${dataset.state}`);
const given = () =>
  rpc.calls.filter(({ method }) => method === 'LLMService.add_context').map(({ args }) => args[0]);

beforeEach(async () => {
  rpc = new FakeRpc();
  browser = new FakeBrowser(rpc);
  rows = [];
  rpc.ready.set('LLMService.get_context_items', () => rows);
  rpc.ready.set('LLMService.add_context', (item) => {
    const { kind, name, source } = item as { kind: string; name: string; source: string };
    const row = { id: `i${rows.length}`, kind, name, source, tokens: 9, secrets: 0, images: 0 };
    rows = [...rows, row];
    return row;
  });
  rpc.ready.set('LLMService.remove_context', () => {
    rows = [];
    return rows;
  });
  ({ session } = await mount(rpc));
  await connect(rpc);
  browser.targets = [watchedTarget('A', { granted: ['navigate'] })];
  browser.news = [ERROR, REQUEST];
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function openOnce(): Promise<void> {
  await click(one('browser-open'));
  await press('Escape');
  await drawn();
}

async function edited(status = 'applied'): Promise<void> {
  await rpc.emit('editsChanged', 'q', {
    edit_results: [{ status }],
    files_modified: ['src/a.py'],
    can_undo: true,
  });
  await drawn();
}

/** Presses the button of the card; the wait for the page's load is over. */
async function check(): Promise<void> {
  await click(one('browser-reload-check'));
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await drawn();
}

it('is offered only after the view was opened once, and nothing of it is added by itself', async () => {
  await browser.tell();
  expect(rpc.count('Browser.get_news')).toBe(0);
  await openOnce();
  await browser.tell();
  await drawn();
  expect(chips()).toEqual(['error TypeError: x offered', 'request GET /api 500 offered']);
  expect(given()).toEqual([]);
});

it('is added by a click as a chip that can be removed, all by one button', async () => {
  await openOnce();
  await browser.tell();
  await drawn();
  await click(all('chip-add')[0]);
  expect(given()).toEqual([
    { kind: 'error', name: 'TypeError: x', text: 'TypeError: x\nat src/a.py:3', source: 'http://h/' },
  ]);
  expect(chips().sort()).toEqual(['error TypeError: x ready', 'request GET /api 500 offered']);
  await click(one('chips-add-all'));
  expect(given()).toHaveLength(2);
  expect(chips()).toEqual(['error TypeError: x ready', 'request GET /api 500 ready']);
});

it('works by keyboard', async () => {
  await openOnce();
  await browser.tell();
  await drawn();
  all('chip')[0]?.focus();
  await press('ArrowRight');
  expect(focused()?.dataset.name).toBe('GET /api 500');
  await press('Delete');
  expect(chips()).toEqual(['error TypeError: x offered']);
  expect(focused()?.dataset.name).toBe('TypeError: x');
  await press('Enter');
  expect(chips()).toEqual(['error TypeError: x ready']);
  expect(focused()).toBe(one('input'));
});

it('is offered to one question only, unless it happens again', async () => {
  await openOnce();
  await browser.tell();
  await drawn();
  await rpc.emit('userMessage', { content: 'Why?', request_id: 'q' });
  await drawn();
  expect(rpc.last('Browser.take_news').args).toEqual(['A']);
  expect(all('chip')).toEqual([]);
  browser.news = [ERROR];
  await browser.tell();
  await new Promise((resolve) => setTimeout(resolve, 620));
  await drawn();
  expect(chips()).toEqual(['error TypeError: x offered']);
});

it('offers chosen elements, read when they are added', async () => {
  browser.news = [];
  browser.selections = { 1: { selector: '#save', outer_html: '<button id="save">' } };
  browser.targets = [
    watchedTarget('B', { selections: { 3: { selector: '#other' } } }),
    watchedTarget('A', { selections: browser.selections }),
  ];
  await openOnce();
  expect(chips()).toEqual(['element #other offered', 'element #save offered']);
  await click(all('chip-add')[1]);
  expect(given()).toMatchObject([
    { kind: 'element', name: '#save', text: 'Element #save\nHTML:\n<button id="save">' },
  ]);
});

it('offers elements that are chosen while the view is closed', async () => {
  browser.news = [];
  browser.targets = [watchedTarget('A', { state: 'inspecting', inspect_active: true })];
  await openOnce();
  expect(chips()).toEqual([]);
  const selections = { 1: { selector: '#save' } };
  browser.targets = [watchedTarget('A', { state: 'inspecting', inspect_active: true, selections })];
  await new Promise((resolve) => setTimeout(resolve, 520));
  await browser.tell();
  await drawn();
  expect(chips()).toEqual(['element #save offered']);
});

it('shows hostile names as text', async () => {
  browser.news = [{ ...ERROR, name: '<b>\u202egnp' }];
  await openOnce();
  await browser.tell();
  await drawn();
  expect(one('chip').querySelector('b')).toBeNull();
  expect(one('chip').textContent).toContain('<b>\\u{202e}gnp');
});

it('offers a reload after applied edits, only where that is granted', async () => {
  browser.targets = [watchedTarget('A')];
  await openOnce();
  await edited();
  expect(all('browser-reload-card')).toEqual([]);
  browser.targets = [watchedTarget('A', { granted: ['navigate'] })];
  await openOnce();
  await edited('failed');
  expect(all('browser-reload-card')).toEqual([]);
  await edited();
  expect(one('browser-reload-card').dataset.step).toBe('offered');
  await click(one('browser-reload-card').querySelector('[aria-label="Close the offer to reload"]'));
  expect(all('browser-reload-card')).toEqual([]);
  expect(rpc.count('Browser.reload')).toBe(0);
});

it('reports the errors that are new after the reload, and asks to fix them', async () => {
  rpc.ready.set('LLMService.chat_streaming', () => ({ status: 'started' }));
  rpc.ready.set('Browser.reload', () => {
    browser.news = [ERROR, { ...ERROR, key: 'e2', name: 'ReferenceError: y', text: 'ReferenceError: y' }];
    return {};
  });
  await openOnce();
  await edited();
  await check();
  const card = one('browser-reload-card');
  expect([card.dataset.step, card.dataset.new]).toEqual(['done', '1']);
  expect(card.textContent).toContain('1 new error after the reload; 1 error of before is still there.');
  expect(card.textContent).toContain('ReferenceError: y');
  await click(one('browser-fix'));
  expect(given()).toMatchObject([{ kind: 'error', name: 'ReferenceError: y' }]);
  expect(rpc.last('LLMService.chat_streaming').args[1]).toBe('Fix these new errors of the page.');
  expect(all('browser-reload-card')).toEqual([]);
});

it('says that there are none, or why the page was not checked', async () => {
  browser.news = [];
  await openOnce();
  await edited();
  await check();
  expect(one('browser-reload-card').textContent).toContain('No new errors.');
  rpc.ready.set('Browser.reload', () => Promise.reject(new Error('The page was closed.')));
  await edited();
  await click(one('browser-reload-check'));
  expect(one('browser-reload-card').textContent).toContain('The page was closed.');
});

it('is nothing of a panel whose view was never opened', () => {
  expect(browserStores.find(session)).toBeNull();
});
