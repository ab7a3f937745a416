import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { consentError, FakeBrowser, watchedTarget } from '../support/fake-browser.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;
let browser: FakeBrowser;

const SCREENSHOT = { media_type: 'image/png', data: 'AAAA' };
const PREVIEW = { tag: 'button', selector: '#save', role: 'button', name: 'Save\u202e', text: 'Save' };
const added = () =>
  rpc.calls.filter(({ method }) => method === 'LLMService.add_context').map(({ args }) => args[0]);
const calls = (...names: string[]) =>
  rpc.calls.filter(({ method }) => names.includes(method)).map(({ method, args }) => [method, ...args]);

beforeEach(async () => {
  rpc = new FakeRpc();
  browser = new FakeBrowser(rpc);
  rpc.ready.set('LLMService.get_context_items', () => []);
  rpc.ready.set('LLMService.put_image', () => ({ id: 'image-1' }));
  rpc.ready.set('LLMService.add_context', (item) => {
    return { id: 'i', ...(item as object), tokens: 5, secrets: 0, images: 1 };
  });
  ({ session } = await mount(rpc));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function open(): Promise<void> {
  await click(one('browser-open'));
  await click(one('browser').querySelector('[role="tab"][data-pane="inspect"]'));
}

/** The page reports something; the view fetches its row within half a second. */
async function report(...targets: typeof browser.targets): Promise<void> {
  browser.targets = targets;
  await browser.tell();
  await new Promise((resolve) => setTimeout(resolve, 520));
  await drawn();
}

describe('chosen elements', () => {
  beforeEach(() => {
    browser.selections = { 7: { preview: PREVIEW, selector: '#save', screenshot: SCREENSHOT } };
    browser.targets = [watchedTarget('A'), watchedTarget('B')];
  });

  it('are those of the watched page that is shown, connected or not', async () => {
    await open();
    await click(one('browser-inspect'));
    expect(calls('Browser.connect', 'Browser.start_inspect')).toEqual([['Browser.start_inspect', 'A']]);
    expect(one('browser-inspect').getAttribute('aria-pressed')).toBe('true');
    const chosen = { state: 'inspecting', inspect_active: true, selections: { 7: PREVIEW } };
    await report(watchedTarget('A', chosen), watchedTarget('B'));
    const row = one('browser-row');
    expect(row.textContent?.replace(/\s+/g, ' ')).toContain('#save button “Save\\u{202e}”');
    expect(row.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,AAAA');
    await click(one('browser-inspect'));
    expect(rpc.last('Browser.stop_inspect').args).toEqual(['A']);
    await click(one('browser-clear'));
    expect(rpc.last('Browser.clear_selections').args).toEqual(['A']);
    const page = one<HTMLSelectElement>('browser-page');
    page.value = 'B';
    page.dispatchEvent(new Event('change'));
    await drawn();
    expect(all('browser-row')).toEqual([]);
    await click(one('browser-inspect'));
    expect(rpc.last('Browser.start_inspect').args).toEqual(['B']);
  });

  it('are chosen anew after Escape in the page', async () => {
    browser.targets = [watchedTarget('A', { state: 'inspecting', inspect_active: false })];
    await open();
    expect(one('browser-inspect').getAttribute('aria-pressed')).toBe('false');
    await click(one('browser-inspect'));
    expect(calls('Browser.stop_inspect', 'Browser.start_inspect')).toEqual([
      ['Browser.stop_inspect', 'A'],
      ['Browser.start_inspect', 'A'],
    ]);
  });

  it('are added with their picture, or without', async () => {
    browser.targets = [watchedTarget('A', { selections: { 7: PREVIEW } })];
    await open();
    await click(one('browser-add'));
    expect(rpc.last('LLMService.put_image').args).toEqual(['data:image/png;base64,AAAA']);
    const source = 'http://localhost:8000/A';
    expect(added()).toMatchObject([{ kind: 'element', name: '#save', source, images: ['image-1'] }]);
    await click(one('browser-pictures'));
    await click(one('browser-add'));
    // What was added isn't offered any more.
    expect(all('chip').filter(({ dataset }) => dataset.state === 'offered')).toEqual([]);
    expect(rpc.count('LLMService.put_image')).toBe(1);
    expect(added()[1]).not.toHaveProperty('images');
  });

  it('have no pictures where the server takes no images', async () => {
    rpc.lacking.add('LLMService.put_image');
    browser.targets = [watchedTarget('A', { selections: { 7: PREVIEW } })];
    await open();
    expect(all('browser-pictures')).toEqual([]);
    await click(one('browser-add'));
    expect(added()[0]).not.toHaveProperty('images');
  });
});

describe('a dialog of the page', () => {
  const ask = (type: string, message: string, proposed = '') => {
    const dialog = { type, message, default_prompt: proposed, url: '' };
    const refusal = Object.assign(consentError(), { type: 'busy', data: { dialog } });
    rpc.ready.set('Browser.page', () => Promise.reject(refusal));
    browser.targets = [watchedTarget('A', { dialog: message, granted: ['input'] })];
  };

  it('is answered by OK or Cancel, in whatever pane', async () => {
    ask('confirm', 'Delete <b>all</b>?\u202e');
    await open();
    const box = one('browser-dialog');
    expect(box.dataset.type).toBe('confirm');
    expect(box.querySelector('b')).toBeNull();
    expect(box.textContent).toContain('Delete <b>all</b>?\\u{202e}');
    expect(all('browser-dialog-words')).toEqual([]);
    await click(one('browser-dialog-cancel'));
    expect(rpc.last('Browser.handle_dialog').args).toEqual([false, '', 'A']);
    expect(all('browser-dialog')).toEqual([]);
    ask('alert', 'Done');
    await report(...browser.targets);
    expect(all('browser-dialog-cancel')).toEqual([]);
    await click(one('browser-dialog-ok'));
    expect(rpc.last('Browser.handle_dialog').args).toEqual([true, '', 'A']);
    await report(watchedTarget('A'));
    expect(all('browser-dialog')).toEqual([]);
  });

  it('has the field of a prompt, which keeps what is typed', async () => {
    ask('prompt', 'Name?', 'Ann');
    await open();
    const field = one<HTMLInputElement>('browser-dialog-words');
    expect(field.value).toBe('Ann');
    await fill(field, 'Bea');
    await report(...browser.targets);
    expect(field.value).toBe('Bea');
    await click(one('browser-dialog-ok'));
    expect(rpc.last('Browser.handle_dialog').args).toEqual([true, 'Bea', 'A']);
  });

  it('asks for consent, and says why it could not be answered', async () => {
    ask('confirm', 'Really?');
    browser.targets = [watchedTarget('A', { dialog: 'Really?' })];
    browser.needConsent('Browser.handle_dialog', 'input');
    await open();
    await click(one('browser-dialog-ok'));
    expect(one('browser-consent').dataset.actions).toBe('input');
    await press('Escape');
    expect(one('browser-dialog').textContent).toContain('you have not allowed it');
    await click(one('browser-dialog-ok'));
    await click(one('browser-allow'));
    expect(rpc.last('Browser.grant').args).toEqual(['A', ['input']]);
    expect(all('browser-dialog')).toEqual([]);
  });
});
