import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeBrowser, fakeRequest, watchedTarget } from '../support/fake-browser.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;
let browser: FakeBrowser;

const pane = async (name: string): Promise<void> => {
  await click(one('browser').querySelector(`[role="tab"][data-pane="${name}"]`));
};
/** Text of the open pane. */
const words = (): string => one('browser').querySelector('.pane > *')?.shadowRoot?.textContent ?? '';
const open = (): Promise<void> => click(one('browser-open'));
const added = () =>
  rpc.calls.filter(({ method }) => method === 'LLMService.add_context').map(({ args }) => args[0]);

beforeEach(async () => {
  rpc = new FakeRpc();
  browser = new FakeBrowser(rpc);
  rpc.ready.set('LLMService.get_context_items', () => []);
  rpc.ready.set('LLMService.add_context', (item) => {
    return { id: 'i', ...(item as object), tokens: 5, secrets: 0, images: 0 };
  });
  ({ session } = await mount(rpc));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('the requests', () => {
  beforeEach(async () => {
    browser.targets = [watchedTarget('A', { granted: ['fetch'] })];
    browser.requests = [
      fakeRequest(3, { state: 'paused', status: 0, time_ms: null }),
      fakeRequest(2, { status: 404, url: `http://h/${'x'.repeat(4000)}/end?q=1` }),
      fakeRequest(1),
    ];
    browser.groups = { images: { enabled: true, hide: { types: ['Image'], urls: ['*.gif'] } } };
    await open();
    await pane('network');
  });

  const list = () => all('browser-row')[0]?.closest<HTMLElement>('[role="listbox"]');

  it('are a table with status as a word, long addresses shortened in the middle', async () => {
    const [paused, missing] = all('browser-row');
    expect(paused?.textContent).toContain('paused');
    expect(missing?.textContent).toContain('404 ✗');
    expect(missing?.textContent).toContain('/end?q=1');
    expect((missing?.textContent ?? '').length).toBeLessThan(250);
    await fill(one('browser-network-filter'), 'ITEMS/1');
    expect(all('browser-row').map(({ dataset }) => dataset.id)).toEqual(['1']);
    const state = one<HTMLSelectElement>('browser-network-state');
    state.value = 'failed';
    state.dispatchEvent(new Event('change'));
    await drawn();
    expect(rpc.last('Browser.network').args).toEqual([
      500,
      null,
      null,
      null,
      null,
      'failed',
      false,
      'desc',
      false,
      'A',
    ]);
  });

  it('open by keyboard with headers, the body on demand, and go into the question', async () => {
    list()?.focus();
    await press('ArrowDown');
    await press('Enter');
    expect(rpc.last('Browser.request').args).toEqual([2, ['*'], null, false, 'A']);
    const detail = one('browser-request');
    expect(detail.textContent).toContain('application/json');
    expect(all('browser-body-text')).toEqual([]);
    await click(one('browser-body'));
    expect(one('browser-body-text').textContent).toContain('no such item');
    await click(one('browser-add'));
    expect(added()).toMatchObject([{ kind: 'request', source: 'http://localhost:8000/A' }]);
    const [item] = added() as [{ name: string; text: string }];
    expect(item.name).toMatch(/^GET .*end\?q=1 404$/);
    expect(item.text).toContain('Response body:\n{"error": "no such item"}');
    await click(one('browser-request').querySelector('[aria-label="Close the request"]'));
    expect(all('browser-request')).toEqual([]);
    expect(focused()).toBe(list());
  });

  it('that are paused go on or fail', async () => {
    await click(all('browser-row')[0]);
    await click(one('browser-resume'));
    expect(rpc.last('Browser.fetch_resume').args).toEqual([3, null, 0.5, null, 'A']);
    await click(one('browser-fail'));
    expect(rpc.last('Browser.fetch_fail').args).toEqual([3, 'BlockedByClient', null, 'A']);
  });

  it('are hidden by groups of filters that can be switched', async () => {
    expect(one<HTMLInputElement>('browser-filter-group').checked).toBe(true);
    await click(one('browser-filter-group'));
    expect(rpc.last('Browser.filters_disable').args).toEqual(['images', 'A']);
    await click(one('browser-show-all'));
    expect(rpc.last('Browser.network').args[6]).toBe(true);
    await click(one('browser-clear'));
    expect(rpc.last('Browser.clear').args).toEqual([true, false, 'A']);
  });

  it('show their secrets only when asked, in one detail, never to the model', async () => {
    rpc.ready.set('Browser.request', (id, wanted, _expr, reveal) => {
      const shown = reveal ? 'S3CRET' : '***';
      const content = { text: `body ${shown}`, mimeType: 'text/plain' };
      if (String(wanted) === 'response.content') return { entry: { response: { content } } };
      return {
        entry: { request: { url: `http://h/?t=${shown}`, headers: [{ name: 'Cookie', value: shown }] }, id },
      };
    });
    await click(all('browser-row')[1]);
    await click(one('browser-body'));
    expect(one('browser-request').textContent).toContain('Cookies, keys and tokens are masked.');
    await click(one('browser-reveal'));
    const detail = one('browser-request');
    expect(detail.dataset.revealed).toBe('true');
    expect(detail.textContent).toContain('Secrets are shown here.');
    expect(detail.textContent).toContain('http://h/?t=S3CRET');
    expect(one('browser-body-text').textContent).toBe('body S3CRET');
    await click(one('browser-add'));
    expect(JSON.stringify(added())).not.toContain('S3CRET');
    await click(one('browser-reveal'));
    expect(one('browser-request').textContent).not.toContain('S3CRET');
    await click(one('browser-reveal'));
    await click(all('browser-row')[2]);
    expect(one('browser-request').dataset.revealed).toBe('false');
    expect(one('browser-request').textContent).not.toContain('S3CRET');
  });

  it('stay masked where the user may not see secrets; a late answer shows none', async () => {
    const late: ((answer: unknown) => void)[] = [];
    rpc.ready.set('Browser.request', (_id, _wanted, _expr, reveal) => {
      const entry = { request: { headers: [{ name: 'Cookie', value: reveal ? 'S3CRET' : '***' }] } };
      return reveal ? new Promise((resolve) => late.push(() => resolve({ entry }))) : { entry };
    });
    await click(all('browser-row')[1]);
    await click(one('browser-reveal'));
    await click(one('browser-reveal'));
    late[0]?.(null);
    await drawn();
    expect(one('browser-request').textContent).not.toContain('S3CRET');
    rpc.ready.set('Browser.request', (_id, _wanted, _expr, reveal) =>
      reveal ? Promise.reject(new Error('reveal needs execute access.')) : { entry: { request: {} } },
    );
    await click(one('browser-reveal'));
    expect(one('browser-request').dataset.revealed).toBe('false');
    expect(one('browser-request').textContent).toContain('reveal needs execute access.');
  });

  it('are answered by hand while they are paused', async () => {
    await click(all('browser-row')[1]);
    expect(all('browser-answer')).toEqual([]);
    await click(all('browser-row')[0]);
    one<HTMLInputElement>('browser-answer-status').value = '418';
    one<HTMLTextAreaElement>('browser-answer-body').value = '{"tea": true}';
    browser.requests = [fakeRequest(3, { status: 418 })];
    await click(one('browser-answer-send'));
    expect(rpc.last('Browser.fetch_fulfill').args).toEqual([3, 418, null, '{"tea": true}', null, 'A']);
    expect(all('browser-answer')).toEqual([]);
    expect(focused()).toBe(list());
  });

  it('are all paused, with consent, until all are let go', async () => {
    browser.targets = [watchedTarget('A', { paused_count: 2 })];
    browser.needConsent('Browser.fetch_enable', 'fetch');
    const choose = async (value: string) => {
      const select = one<HTMLSelectElement>('browser-pausing');
      select.value = value;
      select.dispatchEvent(new Event('change'));
      await drawn();
    };
    await choose('both');
    await click(one('browser-refuse'));
    expect(one<HTMLSelectElement>('browser-pausing').value).toBe('nothing');
    await choose('requests');
    await click(one('browser-allow'));
    expect(rpc.last('Browser.fetch_enable').args).toEqual([true, false, 'A']);
    expect(one<HTMLSelectElement>('browser-pausing').value).toBe('requests');
    await browser.tell();
    await new Promise((resolve) => setTimeout(resolve, 520));
    await drawn();
    expect(words()).toContain('2 requests paused');
    await click(one('browser-let-go'));
    expect(rpc.last('Browser.fetch_disable').args).toEqual(['A']);
    expect(one<HTMLSelectElement>('browser-pausing').value).toBe('nothing');
  });

  it('are saved as a HAR file without secrets', async () => {
    const saved: [string, Blob][] = [];
    const makeUrl = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(['', blob as Blob]);
      return 'blob:x';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
    const press = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      const last = saved.at(-1);
      if (last) last[0] = this.download;
    });
    rpc.ready.set('Browser.get_har', () => ({ log: { version: '1.2', entries: [] } }));
    await click(one('browser-har'));
    expect(rpc.last('Browser.get_har').args).toEqual([false, 'A']);
    expect(saved.map(([name]) => name)).toEqual(['localhost-8000.har']);
    rpc.ready.set('Browser.get_har', () => Promise.reject(new Error('The page is gone.')));
    await click(one('browser-har'));
    expect(saved).toHaveLength(1);
    expect(one('browser-problem').textContent).toContain('The page is gone.');
    makeUrl.mockRestore();
    press.mockRestore();
  });

  it('have groups of filters that are added, changed and removed in place', async () => {
    await click(one('browser-groups-edit'));
    expect(one('browser-group').textContent).toContain('Image, *.gif');
    await fill(one<HTMLInputElement>('browser-group-name'), ' maps ');
    await fill(one<HTMLInputElement>('browser-group-urls'), '*.map  */stats/*');
    await click(all('browser-group-type').find(({ dataset }) => dataset.type === 'Font'));
    await click(one('browser-group-save'));
    const hide = { types: ['Font'], urls: ['*.map', '*/stats/*'] };
    expect(rpc.last('Browser.filters_add').args).toEqual(['maps', hide]);
    expect(rpc.last('Browser.filters_enable').args).toEqual(['maps', 'A']);
    expect(one<HTMLInputElement>('browser-group-name').value).toBe('');
    await click(one('browser-group-change'));
    expect(one<HTMLInputElement>('browser-group-urls').value).toBe('*.gif');
    expect(one('browser-group-save').textContent).toContain('Replace the group');
    rpc.ready.set('Browser.filters_add', () => Promise.reject(new Error('The file is broken.')));
    await click(one('browser-group-save'));
    expect(one('browser-groups').textContent).toContain('The file is broken.');
    expect(one<HTMLInputElement>('browser-group-name').value).toBe('images');
    await click(one('browser-group-remove'));
    expect(rpc.last('Browser.filters_remove').args).toEqual(['images']);
  });
});
