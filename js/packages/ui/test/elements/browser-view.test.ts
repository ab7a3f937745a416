import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { FileLocation } from '../../src/model/file-location.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeBrowser, fakeMessage, fakeTarget, watchedTarget } from '../support/fake-browser.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;
let browser: FakeBrowser;

const browserCalls = () =>
  rpc.calls.map(({ method }) => method).filter((name) => name.startsWith('Browser.'));
const pane = async (name: string): Promise<void> => {
  await click(one('browser').querySelector(`[role="tab"][data-pane="${name}"]`));
};
/** Text of the open pane. */
const words = (): string => one('browser').querySelector('.pane > *')?.shadowRoot?.textContent ?? '';
const open = async (): Promise<void> => {
  one('browser-open').focus();
  await click(one('browser-open'));
};
const added = () =>
  rpc.calls.filter(({ method }) => method === 'LLMService.add_context').map(({ args }) => args[0]);

beforeEach(async () => {
  rpc = new FakeRpc();
  browser = new FakeBrowser(rpc);
  rpc.ready.set('LLMService.get_context_items', () => []);
  rpc.ready.set('LLMService.add_context', (item) => ({
    id: 'i',
    ...(item as object),
    tokens: 5,
    secrets: 0,
    images: 0,
  }));
  ({ session } = await mount(rpc));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('the view of browsers', () => {
  it('calls nothing before it is opened, and is not offered by an older server', async () => {
    await browser.tell();
    expect(browserCalls()).toEqual([]);
    await open();
    expect(browserCalls()).toEqual(['Browser.status', 'Browser.targets']);
    expect(words()).toContain('No browser yet.');
    await press('Escape');
    expect(all('browser')).toEqual([]);
    expect(focused()).toBe(one('browser-open'));
    rpc.lacking.add('Browser.targets');
    await rpc.become({ state: 'open', first: false });
    await drawn();
    expect(all('browser-open')).toEqual([]);
  });

  it('says why it does not come', async () => {
    const app = document.body.firstElementChild as HTMLElement & { registerView: () => Promise<never> };
    app.registerView = () => Promise.reject(new Error('Reload the page.'));
    await open();
    expect(all('browser')).toEqual([]);
    expect(one('toast').textContent).toContain('Reload the page.');
  });

  it('launches, attaches, watches and quits', async () => {
    rpc.ready.set('Browser.launch', () => {
      browser.targets = [watchedTarget('L', { launched: true, granted: ['js'], browser: 'launched-1' })];
      return { browser: 'launched-1', target: 'L' };
    });
    await open();
    await fill(one('browser-url'), 'localhost:8000');
    await click(one('browser-launch'));
    expect(rpc.last('Browser.launch').args).toEqual(['http://localhost:8000']);
    expect(one('browser-target').textContent).toContain('Started by you: everything is allowed.');
    browser.targets = [...browser.targets, fakeTarget('A')];
    await fill(one('browser-port'), '9333');
    await click(one('browser-attach'));
    expect(
      rpc.calls.filter(({ method }) => method === 'Browser.targets').map(({ args }) => args),
    ).toContainEqual(['9333']);
    const rows = all('browser-target');
    expect(rows.map(({ dataset }) => [dataset.id, dataset.watched])).toEqual([
      ['L', 'true'],
      ['A', 'false'],
    ]);
    await click(rows[1]?.querySelector('[data-ac="browser-watch"]'));
    expect(rpc.last('Browser.watch').args).toEqual(['A']);
    expect(all('browser-target')[1]?.dataset.state).toBe('connected');
    await click(all('browser-target')[1]?.querySelector('[data-ac="browser-watch"]'));
    expect(rpc.last('Browser.unwatch').args).toEqual(['A']);
    await click(all('browser-quit')[0]);
    expect(rpc.last('Browser.quit').args).toEqual(['launched-1']);
  });

  it('says in place why something was refused, and shows the last error until it is dismissed', async () => {
    browser.error = { message: 'The page has crashed; reload it.', timestamp: 1 };
    await open();
    expect(one('browser-error').textContent).toContain('The page has crashed');
    await click(one('browser-error').querySelector('button'));
    expect(all('browser-error')).toEqual([]);
    rpc.ready.set('Browser.launch', () => Promise.reject(new Error('No Chromium was found.')));
    await click(one('browser-launch'));
    expect(one('browser-problem').textContent).toContain('No Chromium was found.');
    await click(one('browser-problem').querySelector('button'));
    expect(all('browser-problem')).toEqual([]);
  });

  it('asks for consent to what acts in a page, adds it to what is granted, and takes it back', async () => {
    browser.targets = [watchedTarget('A', { granted: ['js'] })];
    browser.needConsent('Browser.reload', 'navigate');
    await open();
    await click(one('browser-reload'));
    const question = one('browser-consent');
    expect(question.textContent).toContain(
      'Allow reloading it and opening other addresses in this page until it closes?',
    );
    expect(focused()).toBe(one('browser-refuse'));
    await press('Escape');
    expect(all('browser')).toHaveLength(1);
    expect(one('browser-problem').textContent).toContain('you have not allowed it');
    expect(rpc.count('Browser.grant')).toBe(0);
    await click(one('browser-reload'));
    await click(one('browser-allow'));
    expect(rpc.last('Browser.grant').args).toEqual(['A', ['js', 'navigate']]);
    expect(rpc.count('Browser.reload')).toBe(3);
    expect(all('browser-problem')).toEqual([]);
    expect(one('browser-target').textContent).toContain('Allowed: scripts, and reloading it');
    await click(one('browser-take-back'));
    expect(rpc.last('Browser.grant').args).toEqual(['A', []]);
    expect(one('browser-target').textContent).toContain('nothing is done in this page');
  });

  it('takes a watched page to an address, back and forward, with consent', async () => {
    const url = 'http://localhost:8000/A';
    browser.targets = [watchedTarget('A'), fakeTarget('C'), watchedTarget('W', { type: 'service_worker' })];
    browser.needConsent('Browser.navigate', 'navigate');
    await open();
    const field = one<HTMLInputElement>('browser-address');
    expect(field.value).toBe(url);
    await fill(field, 'localhost:8000/other');
    await click(one('browser-go'));
    expect(one('browser-consent').dataset.actions).toBe('navigate');
    await click(one('browser-allow'));
    expect(rpc.last('Browser.navigate').args).toEqual(['http://localhost:8000/other', 'A']);
    browser.targets = browser.targets.map((target) => {
      return target.id === 'A' ? { ...target, url: 'http://localhost:8000/third' } : target;
    });
    rpc.ready.set('Browser.back', () => ({ navigated: true }));
    await click(one('browser-back'));
    expect(rpc.last('Browser.back').args).toEqual(['A']);
    expect(one<HTMLInputElement>('browser-address').value).toBe('http://localhost:8000/third');
    rpc.ready.set('Browser.forward', () => ({ navigated: false }));
    await click(one('browser-forward'));
    expect(one('browser-problem').textContent).toContain('There is no page after this one.');
  });

  it('says why an address could not be loaded; a long one is not shortened when it is opened', async () => {
    const url = `http://localhost:8000/${'a'.repeat(3000)}`;
    browser.targets = [watchedTarget('A', { url })];
    rpc.ready.set('Browser.navigate', () => ({ error: 'net::ERR_CONNECTION_REFUSED' }));
    await open();
    expect(one<HTMLInputElement>('browser-address').value.length).toBe(2000);
    await click(one('browser-go'));
    expect(rpc.last('Browser.navigate').args).toEqual([url, 'A']);
    expect(one('browser-problem').textContent).toContain('net::ERR_CONNECTION_REFUSED');
  });

  it('shows titles and addresses as text, without signs that turn them round', async () => {
    const title = '<img src=x onerror=alert(1)>\u202egnp.exe';
    browser.targets = [watchedTarget('A', { title, url: `http://h/${'a'.repeat(5000)}\u202ez` })];
    await open();
    const row = one('browser-target');
    expect(row.querySelector('img')).toBeNull();
    expect(row.textContent).toContain('<img src=x onerror=alert(1)>\\u{202e}gnp.exe');
    expect(row.textContent).not.toContain('\u202e');
    expect((row.textContent ?? '').length).toBeLessThan(900);
  });

  it('is refreshed at most twice a second, and only while it is open', async () => {
    browser.targets = [watchedTarget('A')];
    await open();
    const before = rpc.count('Browser.targets');
    for (let times = 0; times < 20; times += 1) await browser.tell();
    await new Promise((resolve) => setTimeout(resolve, 620));
    expect(rpc.count('Browser.targets') - before).toBeLessThanOrEqual(2);
    expect(rpc.count('Browser.targets') - before).toBeGreaterThanOrEqual(1);
    await press('Escape');
    const closed = rpc.count('Browser.targets');
    await browser.tell();
    await new Promise((resolve) => setTimeout(resolve, 620));
    expect(rpc.count('Browser.targets')).toBe(closed);
  });
});

describe('the console', () => {
  beforeEach(() => {
    browser.targets = [watchedTarget('A')];
    browser.messages = [
      fakeMessage(3, 'error', 'TypeError: x is undefined', {
        stack: [
          { url: 'http://h/a.js', line: 9 },
          { path: 'src/a.py', line: 4 },
        ],
      }),
      fakeMessage(2, 'warning', 'Deprecated'),
      fakeMessage(1, 'log', 'hello\u202e'),
    ];
  });

  it('shows level, text and file; filters by level and text', async () => {
    await open();
    await pane('console');
    expect(all('browser-row').map(({ dataset }) => dataset.level)).toEqual(['error', 'warning', 'log']);
    expect(all('browser-row')[0]?.textContent?.replace(/\s+/g, ' ')).toContain(
      'error TypeError: x is undefined src/a.py:4',
    );
    expect(all('browser-row')[2]?.textContent).toContain('hello\\u{202e}');
    await fill(one('browser-console-filter'), 'depre');
    expect(all('browser-row').map(({ dataset }) => dataset.id)).toEqual(['2']);
    await fill(one('browser-console-filter'), 'nothing like it');
    expect(words()).toContain('No messages match the filter.');
    expect(all('browser-row')).toEqual([]);
    await fill(one('browser-console-filter'), '');
    const level = one<HTMLSelectElement>('browser-console-level');
    level.value = 'error';
    level.dispatchEvent(new Event('change'));
    await drawn();
    expect(rpc.last('Browser.console').args).toEqual([500, 'error', false, 'A']);
    expect(all('browser-row').map(({ dataset }) => dataset.id)).toEqual(['3']);
  });

  it('opens a message by keyboard, its file in the viewer, and adds it to the question', async () => {
    const places: FileLocation[] = [];
    document.addEventListener(
      'ac-place',
      (event) => places.push((event as CustomEvent<FileLocation>).detail),
      { once: true },
    );
    await open();
    await pane('console');
    const list = [...all('browser-row')][0]?.closest<HTMLElement>('[role="listbox"]');
    list?.focus();
    await press('Enter');
    expect(one('browser-message').querySelector('pre')?.textContent).toBe('TypeError: x is undefined');
    await click(one('browser-add'));
    expect(added()).toEqual([
      {
        kind: 'error',
        name: 'TypeError: x is undefined',
        text: 'Console error: TypeError: x is undefined\nat src/a.py:4',
        source: 'http://localhost:8000/A',
      },
    ]);
    one('place').focus();
    await click(one('place'));
    expect(places).toEqual([{ path: 'src/a.py', line: 4, col: 0 }]);
    expect(all('viewer')).toHaveLength(1);
    await press('Escape');
    expect(all('viewer')).toEqual([]);
    expect(one('browser').dataset.pane).toBe('console');
    expect(focused()).toBe(one('place'));
  });

  it('renders few of 10,000 rows, and stays at its row when others come', async () => {
    browser.messages = Array.from({ length: 10_000 }, (_item, at) =>
      fakeMessage(10_000 - at, 'log', `line ${at}`),
    );
    await open();
    await pane('console');
    await click(one('browser-older'));
    await click(one('browser-older'));
    await click(one('browser-older'));
    expect(rpc.last('Browser.console').args[0]).toBe(10_000);
    expect(all('browser-older')).toEqual([]);
    expect(all('browser-row').length).toBeLessThan(320);
    const list = all('browser-row')[0]?.closest<HTMLElement>('[role="listbox"]');
    list?.focus();
    await press('ArrowDown');
    await press('ArrowDown');
    expect(list?.getAttribute('aria-activedescendant')).toBe('row-2');
    browser.messages = [fakeMessage(10_001, 'log', 'new'), ...browser.messages];
    await browser.tell();
    await new Promise((resolve) => setTimeout(resolve, 620));
    await drawn();
    expect(list?.getAttribute('aria-activedescendant')).toBe('row-3');
  });

  it('says what to do where no page is watched, and why it could not be read', async () => {
    browser.targets = [];
    await open();
    await pane('console');
    expect(words()).toContain('No page is watched');
    browser.targets = [watchedTarget('A')];
    rpc.ready.set('Browser.console', () => Promise.reject(new Error('The browser has ended.')));
    await browser.tell();
    await new Promise((resolve) => setTimeout(resolve, 620));
    await drawn();
    expect(words()).toContain('The browser has ended.');
  });
});

describe('rules', () => {
  it('sets the rules of a page after consent; says what is wrong with one', async () => {
    browser.targets = [watchedTarget('A')];
    browser.rules = { rules: { block: ['*.png'], delay: { '*/slow': 500 } } };
    browser.needConsent('Browser.set_fetch_rules', 'fetch');
    await open();
    await pane('rules');
    expect(all('browser-rule').map(({ dataset }) => dataset.kind)).toEqual(['block', 'delay']);
    await click(one('browser-rule-add'));
    await click(one('browser-rules-save'));
    expect(rpc.count('Browser.set_fetch_rules')).toBe(0);
    const rule = all('browser-rule')[2];
    const kind = rule?.querySelector<HTMLSelectElement>('[data-field="kind"]');
    if (kind) kind.value = 'mock';
    kind?.dispatchEvent(new Event('change'));
    await drawn();
    await fill(rule?.querySelector('[data-field="pattern"]') as HTMLInputElement, '*/api');
    await fill(rule?.querySelector('textarea') as HTMLTextAreaElement, '[]');
    await click(one('browser-rules-save'));
    expect(one('browser-consent').dataset.actions).toBe('fetch');
    await click(one('browser-allow'));
    expect(rpc.last('Browser.set_fetch_rules').args).toEqual([
      {
        mock: { '*/api': { body: '[]', status: 200 } },
        block: ['*.png'],
        delay: { '*/slow': 500 },
        pause: [],
      },
      'A',
    ]);
    expect(one<HTMLButtonElement>('browser-rules-save').disabled).toBe(true);
    await click(all('browser-rule-remove')[0]);
    expect(all('browser-rule')).toHaveLength(2);
  });
});
