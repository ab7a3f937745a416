import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UrlsStore } from '../../src/model/urls.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { urlRow as row } from '../support/url-rows.ts';

const DETECT = 'LLMService.detect_urls';
const FETCH = 'LLMService.fetch_url';
const EXCLUDE = 'LLMService.set_excluded_urls';
const REMOVE = 'LLMService.remove_fetched_url';
const A = 'http://a.b/';
const B = 'http://c.d/';

let rpc: FakeRpc;
let store: UrlsStore;
const say = vi.fn();
const recount = vi.fn();

const found = (...urls: string[]) => urls.map((url) => ({ url, display_name: url.slice(7) }));
const states = () => store.chips.map(({ url, state, isIncluded }) => [url, state, isIncluded]);

/** Types, waits for the pause, and has the server find these. */
async function type(text: string, ...urls: string[]): Promise<void> {
  store.setText(text);
  vi.advanceTimersByTime(300);
  await rpc.last(DETECT).answer(found(...urls));
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  store = new UrlsStore(rpc, { say, recount });
});
afterEach(() => {
  store.dispose();
  vi.useRealTimers();
});

describe('addresses in the input', () => {
  it('are looked for after a pause, and fetched by nobody', async () => {
    store.setText('see http://a');
    vi.advanceTimersByTime(299);
    store.setText(`see ${A}`);
    vi.advanceTimersByTime(299);
    expect(rpc.count(DETECT)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(rpc.last(DETECT).args).toEqual([A]);
    await rpc.last(DETECT).answer(found(A));
    expect(states()).toEqual([[A, 'found', false]]);
    expect(rpc.count(FETCH)).toBe(0);
  });

  it('are not offered where the setting forbids it', async () => {
    await rpc.emit('settingsChanged', { urls_fetch: 'never' });
    await type(`see ${A} `, A);
    expect(states()).toEqual([]);
    store.adopt([], 'ask');
    expect(states()).toEqual([[A, 'found', false]]);
  });

  it('that were removed stay out of a question that would have them fetched', async () => {
    store.adopt([row(B, { included: false })], 'auto');
    await type(`see ${A}`, A);
    expect(store.excludedFrom(`see ${A}`)).toBeNull();
    await store.remove(A);
    store.setText('');
    expect(store.excludedFrom(`see ${A}`)).toEqual([B, A]);
    expect(store.excludedFrom('something else')).toBeNull();
    await type(`again ${A}`, A);
    expect(store.excludedFrom(`again ${A}`)).toBeNull();
  });

  it('are not asked for again while only other words change', async () => {
    await type(`see ${A} `, A);
    await type(`see ${A} and tell`, A);
    expect(rpc.count(DETECT)).toBe(1);
  });

  it('drop an answer about an older text', async () => {
    store.setText(A);
    vi.advanceTimersByTime(300);
    const older = rpc.last(DETECT);
    await type(`${A} ${B}`, A, B);
    await older.answer(found(A));
    expect(store.chips.map(({ url }) => url)).toEqual([A, B]);
  });

  it('go with the text at once, also while an answer is under way', async () => {
    await type(A, A);
    store.setText(`${A} ${B}`);
    vi.advanceTimersByTime(300);
    store.setText('');
    expect(store.chips).toEqual([]);
    await rpc.last(DETECT).answer(found(A, B));
    expect(store.chips).toEqual([]);
  });

  it('are not offered again for the same text once they were removed', async () => {
    await type(`${A} ${B}`, A, B);
    await store.remove(A);
    expect(rpc.count(REMOVE)).toBe(0);
    await type(`${A} ${B} http://e.f/`, A, B);
    expect(store.chips.map(({ url }) => url)).toEqual([B]);
    store.setText('');
    await type(A, A);
    expect(store.chips.map(({ url }) => url)).toEqual([A]);
  });

  it('are looked for after a lost connection', async () => {
    await rpc.become({ state: 'connecting' });
    store.setText(A);
    vi.advanceTimersByTime(300);
    expect(rpc.count(DETECT)).toBe(0);
    await rpc.become({ state: 'open', first: false });
    store.adopt([]);
    await rpc.last(DETECT).answer(found(A));
    expect(states()).toEqual([[A, 'found', false]]);
    store.adopt([]);
    expect(rpc.count(DETECT)).toBe(1);
  });

  it('are not looked for by a server that is too old', () => {
    rpc.lacking.add(DETECT);
    store.setText(A);
    vi.advanceTimersByTime(300);
    expect(rpc.count(DETECT)).toBe(0);
  });
});

describe('a fetch', () => {
  it('is shown at once, then as the server tells it', async () => {
    await type(A, A);
    void store.fetch(A);
    expect(states()).toEqual([[A, 'fetching', false]]);
    expect(rpc.last(FETCH).args).toEqual([A, true]);
    await rpc.emit('urlsChanged', [row(A, { state: 'fetching', bytes: 500 })]);
    expect(store.chips[0]?.bytes).toBe(500);
    await rpc.emit('urlsChanged', [row(A)]);
    await rpc.last(FETCH).answer({ url: A, error: null });
    expect(states()).toEqual([[A, 'ready', true]]);
    expect(store.announcement).toBe('a.b/ is fetched.');
    expect(say).not.toHaveBeenCalled();
  });

  it('is asked for once, however often it is pressed', async () => {
    await type(A, A);
    void store.fetch(A);
    void store.fetch(A);
    expect(rpc.count(FETCH)).toBe(1);
  });

  it('passes the cache by when it is fetched anew', () => {
    store.adopt([row(A)]);
    void store.fetch(A, true);
    expect(rpc.last(FETCH).args).toEqual([A, false]);
  });

  it('that fails shows its reason on the chip only', async () => {
    await type(A, A);
    void store.fetch(A);
    await rpc.emit('urlsChanged', [row(A, { state: 'failed', error: 'It is private.' })]);
    await rpc.last(FETCH).answer({ url: A, error: 'It is private.' });
    expect(store.chips[0]).toMatchObject({ state: 'failed', error: 'It is private.' });
    expect(say).not.toHaveBeenCalled();
    expect(store.announcement).toContain('It is private.');
  });

  it('that fails anew leaves the earlier text, and says why', async () => {
    store.adopt([row(A)]);
    void store.fetch(A, true);
    await rpc.last(FETCH).answer({ url: A, error: 'It is down.' });
    expect(states()).toEqual([[A, 'ready', true]]);
    expect(say).toHaveBeenCalledWith('error', expect.stringContaining('It is down.'));
  });

  it('that is refused is offered again', async () => {
    await type(A, A);
    void store.fetch(A);
    await rpc.last(FETCH).fail('invalid_params', 'No address.');
    expect(states()).toEqual([[A, 'found', false]]);
    expect(say).toHaveBeenCalledOnce();
  });

  it('goes on when only its call ran out of time', async () => {
    store.adopt([row(A, { state: 'fetching' })]);
    void store.fetch(A);
    await rpc.last(FETCH).fail('timeout');
    expect(states()).toEqual([[A, 'fetching', true]]);
    expect(say).not.toHaveBeenCalled();
  });
});

describe('the pages of the conversation', () => {
  it('stay whatever the text is, and follow the other panels', async () => {
    store.adopt([row(A)]);
    store.setText('');
    await rpc.emit('urlsChanged', [row(A, { included: false }), row(B)]);
    expect(states()).toEqual([
      [A, 'ready', false],
      [B, 'ready', true],
    ]);
  });

  it('are counted again when others are sent, not while one is fetched', async () => {
    await rpc.emit('urlsChanged', [row(A, { state: 'fetching' })]);
    await rpc.emit('urlsChanged', [row(A, { state: 'fetching', bytes: 9 })]);
    expect(recount).not.toHaveBeenCalled();
    await rpc.emit('urlsChanged', [row(A)]);
    expect(recount).toHaveBeenCalledTimes(1);
    await rpc.emit('urlsChanged', [row(A, { included: false })]);
    expect(recount).toHaveBeenCalledTimes(2);
  });

  it('are left out at once; older events do not undo it, and both presses are sent', async () => {
    store.adopt([row(A), row(B)]);
    store.include(A, false);
    store.include(B, false);
    expect(rpc.last(EXCLUDE).args).toEqual([[A]]);
    await rpc.emit('urlsChanged', [row(A, { included: false }), row(B)]);
    expect(store.isIncluded(B)).toBe(false);
    await rpc.last(EXCLUDE).answer([A]);
    expect(rpc.last(EXCLUDE).args).toEqual([[A, B]]);
    let isSettled = false;
    void store.settled().then(() => {
      isSettled = true;
    });
    await settle();
    expect(isSettled).toBe(false);
    await rpc.last(EXCLUDE).answer([A, B]);
    expect(isSettled).toBe(true);
    expect(states().map(([, , isIncluded]) => isIncluded)).toEqual([false, false]);
  });

  it('are included as before when the server refuses', async () => {
    store.adopt([row(A)]);
    store.include(A, false);
    await rpc.last(EXCLUDE).fail('closed', 'Gone.');
    expect(store.isIncluded(A)).toBe(true);
    expect(say).toHaveBeenCalledOnce();
  });

  it('are removed at once, and not offered again for the same text', async () => {
    await type(A, A);
    await rpc.emit('urlsChanged', [row(A)]);
    void store.remove(A);
    expect(store.chips).toEqual([]);
    await rpc.emit('urlsChanged', []);
    await rpc.last(REMOVE).answer({ status: 'ok', success: true });
    expect(store.chips).toEqual([]);
    expect(recount).toHaveBeenCalledTimes(2);
  });

  it('are back when the server refuses to remove them', async () => {
    store.adopt([row(A)]);
    void store.remove(A);
    await rpc.last(REMOVE).fail('closed', 'Gone.');
    expect(states()).toEqual([[A, 'ready', true]]);
    expect(say).toHaveBeenCalledOnce();
  });

  it('are not removed while they are fetched', async () => {
    store.adopt([row(A, { state: 'fetching' })]);
    await store.remove(A);
    expect(rpc.count(REMOVE)).toBe(0);
    expect(store.chips).toHaveLength(1);
  });
});

describe('the text of a page', () => {
  it('is what the model reads', async () => {
    const reading = store.read(A);
    await rpc.last('LLMService.get_url_content').answer({
      title: 'Pumps',
      description: 'About pumps.',
      content: 'all',
      readme: 'Read me',
      symbol_map: 'map',
      summary: null,
      error: null,
    });
    expect(await reading).toMatchObject({
      title: 'Pumps',
      text: 'About pumps.\n\nRead me\n\nmap',
      error: '',
    });
  });

  it('is the reason where there is none', async () => {
    const reading = store.read(A);
    await rpc.last('LLMService.get_url_content').fail('closed', 'Gone.');
    expect(await reading).toMatchObject({ text: '', error: 'Gone.' });
  });
});
