import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';
import { urlRow as row } from '../support/url-rows.ts';

const FETCH = 'LLMService.fetch_url';
const EXCLUDE = 'LLMService.set_excluded_urls';
const REMOVE = 'LLMService.remove_fetched_url';
const A = 'http://a.b/';
const B = 'http://c.d/';
const C = 'http://e.f/';

let rpc: FakeRpc;
let session: Session;

const chips = () => all('chip');
const facts = () => chips().map(({ dataset }) => [dataset.url, dataset.state, dataset.included]);

async function show(...rows: object[]): Promise<void> {
  await rpc.emit('urlsChanged', rows);
  await drawn();
}

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, urls: [row(A)] }));
  rpc.ready.set('LLMService.detect_urls', () => [{ url: B, display_name: 'c.d' }]);
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('chips', () => {
  it('come from the state and from the text, and lead nowhere', async () => {
    await fill(one<HTMLTextAreaElement>('input'), `see ${B}`);
    await vi.waitFor(() => expect(chips()).toHaveLength(2));
    expect(facts()).toEqual([
      [A, 'ready', 'true'],
      [B, 'found', 'false'],
    ]);
    for (const chip of chips()) {
      expect(chip.dataset.kind).toBe('url');
      expect(chip.querySelector('a, [href]')).toBe(null);
    }
    expect(rpc.count(FETCH)).toBe(0);
    await fill(one<HTMLTextAreaElement>('input'), '');
    expect(chips()).toHaveLength(1);
  });

  it('of a found address fetch by a click anywhere on them', async () => {
    await show();
    await fill(one<HTMLTextAreaElement>('input'), B);
    await vi.waitFor(() => expect(chips()).toHaveLength(1));
    await click(one('chip'));
    expect(rpc.last(FETCH).args).toEqual([B, true]);
    expect(facts()).toEqual([[B, 'fetching', 'false']]);
    expect(focused()).toBe(one('chip'));
  });

  it('show the progress, and can be pressed again only when it is over', async () => {
    await show(row(A, { state: 'fetching', bytes: 12_345 }));
    expect(one('chip').textContent).toContain('12.3 kB');
    for (const name of ['chip-fetch', 'chip-view', 'chip-toggle', 'chip-remove'])
      expect(all(name)).toEqual([]);
    await click(one('chip'));
    one('chip').focus();
    await press('Delete');
    expect([rpc.count(FETCH), rpc.count(REMOVE)]).toEqual([0, 0]);
  });

  it('have buttons to include, to fetch anew and to remove', async () => {
    await click(one('chip-toggle'));
    expect(rpc.last(EXCLUDE).args).toEqual([[A]]);
    expect(facts()).toEqual([[A, 'ready', 'false']]);
    await click(one('chip-fetch'));
    expect(rpc.last(FETCH).args).toEqual([A, false]);
    await show(row(A));
    await rpc.last(FETCH).answer({ url: A, error: null });
    await drawn();
    await click(one('chip-remove'));
    expect(rpc.last(REMOVE).args).toEqual([A]);
    expect(chips()).toEqual([]);
    expect(focused()).toBe(one('input'));
  });

  it('tell screen readers what they are, and what the last fetch came to', async () => {
    await show(row(A), row(B, { state: 'failed', error: 'It is private.' }), row(C, { included: false }));
    expect(chips().map((chip) => chip.getAttribute('aria-label'))).toEqual([
      'a.b/: sent with the next question',
      'c.d/: could not be fetched: It is private.',
      'e.f/: left out',
    ]);
    expect(chips()[1]?.title).toBe(`${B}\ncould not be fetched: It is private.`);
    void session.urls.fetch(A, true);
    await rpc.last(FETCH).answer({ url: A, error: null });
    await drawn();
    expect(chips()[0]?.parentElement?.previousElementSibling?.textContent).toBe('a.b/ is fetched.');
  });

  it('show no invisible characters of an address or a title as they are', async () => {
    await show(row(A, { display_name: 'a\u202eb', title: 'x\u200by' }));
    expect(one('chip').textContent).toContain('a\\u{202e}b');
    expect(one('chip').title).toContain('x\\u{200b}y');
  });
});

describe('the keyboard', () => {
  beforeEach(async () => {
    await show(row(A), row(B, { state: 'failed', error: 'No.' }), row(C));
    chips()[0]?.focus();
    await drawn();
  });

  it('has one stop for all chips, and arrows between them', async () => {
    const stops = () => chips().map((chip) => chip.tabIndex);
    expect(stops()).toEqual([0, -1, -1]);
    await press('ArrowRight');
    expect(focused()).toBe(chips()[1]);
    expect(stops()).toEqual([-1, 0, -1]);
    await press('End');
    expect(focused()).toBe(chips()[2]);
    await press('Home');
    expect(focused()).toBe(chips()[0]);
    expect(
      chips()[0]?.querySelectorAll('button:not([tabindex="-1"]), input:not([tabindex="-1"])'),
    ).toHaveLength(0);
  });

  it('toggles by Space, and leaves chords to others', async () => {
    await press(' ');
    expect(rpc.last(EXCLUDE).args).toEqual([[A]]);
    expect((await press('Delete', { ctrlKey: true })).defaultPrevented).toBe(false);
    expect(rpc.count(REMOVE)).toBe(0);
  });

  it('removes by Delete and goes to the next, at the end to the one before', async () => {
    await press('Delete');
    expect(rpc.last(REMOVE).args).toEqual([A]);
    expect((focused() as HTMLElement).dataset.url).toBe(B);
    await press('End');
    await press('Delete');
    expect(rpc.last(REMOVE).args).toEqual([C]);
    expect((focused() as HTMLElement).dataset.url).toBe(B);
  });

  it('presses a button inside of a chip as such', async () => {
    all('chip-remove')[0]?.focus();
    expect((await press('Enter')).defaultPrevented).toBe(false);
    expect((await press(' ')).defaultPrevented).toBe(false);
    expect([rpc.count(EXCLUDE), all('page-text').length]).toEqual([0, 0]);
  });
});

describe('the text of a page', () => {
  it('is shown as text, and Escape goes back to the chip', async () => {
    rpc.ready.set('LLMService.get_url_content', () => ({
      url: A,
      title: 'Pumps',
      content: '<img src=x onerror=alert(1)>',
      error: null,
      final_url: 'http://a.b/pumps',
      fetched_at: '2026-01-01T00:00:00+00:00',
    }));
    one('chip').focus();
    await press('Enter');
    expect(one('page-text').querySelector('pre')?.textContent).toBe('<img src=x onerror=alert(1)>');
    expect(one('page-text').querySelector('img')).toBe(null);
    expect(one('page-text').textContent).toContain('http://a.b/pumps');
    await press('Escape');
    expect(all('page-text')).toEqual([]);
    expect(focused()).toBe(one('chip'));
  });

  it('is the reason in full where there is none, and can be fetched again there', async () => {
    await show(row(A, { state: 'failed', error: 'It is down.' }));
    rpc.ready.set('LLMService.get_url_content', () => ({ url: A, error: 'It is down.' }));
    await click(one('chip-view'));
    expect(one('page-text').querySelector('[role="alert"]')?.textContent).toContain('It is down.');
    rpc.ready.set('LLMService.get_url_content', () => ({ url: A, content: 'Up again.', error: null }));
    await click(one('page-fetch'));
    expect(rpc.last(FETCH).args).toEqual([A, false]);
    await rpc.last(FETCH).answer({ url: A, error: null });
    await drawn();
    expect(one('page-text').querySelector('pre')?.textContent).toBe('Up again.');
  });
});

describe('the breakdown', () => {
  it('has a row for each page, by which it is left out or taken out', async () => {
    rpc.ready.set('LLMService.get_context_breakdown', () => ({
      total_tokens: 70,
      breakdown: {
        urls: 70,
        url_details: [
          { name: 'Pumps', path: A, url: A, tokens: 50, in_log: false, included: true },
          { name: B, path: B, url: B, tokens: 20, in_log: true, included: false },
        ],
      },
    }));
    await session.breakdown.refresh();
    await drawn();
    const rows = all('breakdown-row').filter(({ dataset }) => dataset.category === 'urls');
    expect(rows.map(({ dataset }) => [dataset.path, dataset.tokens])).toEqual([
      [undefined, '70'],
      [A, '50'],
      [B, '20'],
    ]);
    expect(rows[1]?.title).toContain(`Pumps (${A})`);
    expect(rows[2]?.textContent).toContain('still sent');
    await click(rows[1]?.querySelector('button'));
    expect(rpc.last(EXCLUDE).args).toEqual([[A]]);
    await click(rows[2]?.querySelector('button'));
    expect(rpc.last('LLMService.trim_context').args).toEqual([[B]]);
  });
});

it('tells the progress of a fetch on the chip only', async () => {
  const status = 'LLMService.get_history_status';
  const before = rpc.count(status);
  await rpc.emit('compactionEvent', '', { stage: 'url_fetch', message: '', url: A, display_name: 'a.b' });
  await rpc.emit('compactionEvent', '', {
    stage: 'url_ready',
    message: 'It is down.',
    url: A,
    error: 'It is down.',
  });
  await drawn();
  expect(all('toast')).toEqual([]);
  expect(rpc.count(status)).toBe(before);
});
