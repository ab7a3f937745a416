import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HistoryStore, parseHits, parseSessions } from '../../src/model/history.ts';
import { FakeRpc } from '../support/fake-rpc.ts';

const LIST = 'LLMService.history_list_sessions';
const SEARCH = 'LLMService.history_search';
const LOAD = 'LLMService.load_session_into_context';

describe('earlier conversations', () => {
  it('are told apart: in the panel, in cells, with or without a date', () => {
    const [one, two] = parseSessions([
      {
        session_id: 'a',
        timestamp: '2026-11-22T10:00:00Z',
        message_count: 2,
        preview: 'Why?',
        title: 'Wind',
      },
      { session_id: 'b', timestamp: 'nonsense', aside: true },
      { preview: 'without an id' },
    ]);
    expect(one).toEqual({
      id: 'a',
      time: Date.UTC(2026, 10, 22, 10),
      count: 2,
      preview: 'Why?',
      title: 'Wind',
      isFromCell: false,
      isTrusted: true,
    });
    expect(two).toMatchObject({ id: 'b', time: 0, isFromCell: true });
  });

  it('go by when they were used last', () => {
    const row = { session_id: 'a', timestamp: '2026-11-01T00:00:00Z', updated: '2026-11-22T00:00:00Z' };
    expect(parseSessions([row])[0]?.time).toBe(Date.UTC(2026, 10, 22));
  });

  it('are found once each, with the number of their messages', () => {
    const newest = { role: 'user', content_preview: '… wind …', timestamp: '2026-11-22T10:00:00Z' };
    const gathered = [{ session_id: 'a', messages: [{}, {}], message_id: 'm', ...newest }];
    const single = [
      { session_id: 'a', ...newest },
      { session_id: 'a', role: 'assistant', content_preview: 'older' },
    ];
    for (const raw of [gathered, single]) {
      expect(parseHits(raw)).toEqual([
        {
          sessionId: 'a',
          isQuestion: true,
          preview: '… wind …',
          time: Date.UTC(2026, 10, 22, 10),
          count: 2,
        },
      ]);
    }
  });
});

describe('the store', () => {
  let rpc: FakeRpc;
  let store: HistoryStore;
  const resync = vi.fn().mockResolvedValue(undefined);

  beforeEach(async () => {
    vi.useFakeTimers();
    resync.mockClear();
    rpc = new FakeRpc();
    await rpc.become({ state: 'open', first: true });
    store = new HistoryStore(rpc, { resync });
  });
  afterEach(() => {
    store.dispose();
    vi.useRealTimers();
  });

  it('searches after a pause in typing, and shows the list again without a query', async () => {
    store.search('w');
    store.search('wind');
    vi.advanceTimersByTime(249);
    expect(rpc.count(SEARCH)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(rpc.last(SEARCH).args).toEqual(['wind', null, 50]);
    await rpc.last(SEARCH).answer([{ session_id: 'a', message_id: 'm', content_preview: 'wind' }]);
    expect(store.hits).toHaveLength(1);
    store.search('');
    expect(store.hits).toBeNull();
  });

  it('drops what was found for an older query', async () => {
    store.search('wind');
    vi.advanceTimersByTime(250);
    const old = rpc.last(SEARCH);
    store.search('rain');
    await old.answer([{ session_id: 'a' }]);
    expect(store.hits).toBeNull();
  });

  it('takes one up and shows what the server has', async () => {
    const done = store.load('a');
    expect(store.loading).toBe('a');
    await rpc.last(LOAD).answer({ session_id: 'a', messages: [], message_count: 0 });
    expect(await done).toBe(true);
    expect(resync).toHaveBeenCalledOnce();
  });

  it('says why one could not be taken up, and changes nothing', async () => {
    const done = store.load('a');
    await rpc.last(LOAD).answer({ error: 'An answer is being made.' });
    expect(await done).toBe(false);
    expect(store).toMatchObject({ error: 'An answer is being made.', loading: '' });
    expect(resync).not.toHaveBeenCalled();
  });

  it('keeps the list it has beside an error', async () => {
    void store.refresh();
    await rpc.last(LIST).answer([{ session_id: 'a' }]);
    void store.refresh();
    await rpc.last(LIST).fail('timeout', 'Too slow.');
    expect(store.sessions).toHaveLength(1);
    expect(store.error).toBe('Too slow.');
  });

  it('is offered only by a server that can do it', () => {
    expect(store.isOffered).toBe(true);
    rpc.lacking.add(LOAD);
    expect(store.isOffered).toBe(false);
  });
});
