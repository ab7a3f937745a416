import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BreakdownStore, parseBreakdown } from '../../src/model/breakdown.ts';
import { FakeRpc } from '../support/fake-rpc.ts';

const METHOD = 'LLMService.get_context_breakdown';

const ANSWER = {
  total_tokens: 1018,
  max_input_tokens: 128_000,
  tokenizer: 'o200k_base',
  estimate: false,
  message_overhead: 4,
  messages: 2,
  cost_usd: 0.001,
  breakdown: {
    system: 600,
    files: 400,
    file_count: 2,
    file_details: [
      { name: 'b.py', path: 'src/b.py', tokens: 100 },
      { name: 'a.py', path: 'src/a.py', tokens: 300 },
    ],
    history: 0,
    question: 10,
    overhead: 8,
  },
  session_totals: { total: 50, cost_usd: 0.2, priced_request_count: 1 },
};

describe('the breakdown', () => {
  it('has shares that sum up to the total, the largest file first', () => {
    const { shares, total } = parseBreakdown(ANSWER);
    expect(shares.reduce((sum, share) => sum + share.tokens, 0)).toBe(total);
    expect(shares.find(({ category }) => category === 'files')?.items.map(({ path }) => path)).toEqual([
      'src/a.py',
      'src/b.py',
    ]);
  });

  it('has a share of the web pages, and says which are still sent though they are left out', () => {
    const urls = [
      { url: 'http://a.b/', path: 'http://a.b/', name: 'Pumps', tokens: 5, in_log: true, included: true },
      { url: 'http://c.d/', path: 'http://c.d/', name: '', tokens: 9, in_log: true, included: false },
    ];
    const { shares } = parseBreakdown({ breakdown: { urls: 14, url_details: urls } });
    expect(shares.find(({ category }) => category === 'urls')).toEqual({
      category: 'urls',
      tokens: 14,
      count: 2,
      items: [
        { path: 'http://c.d/', name: 'http://c.d/', tokens: 9, isLeftOver: true },
        { path: 'http://a.b/', name: 'Pumps', tokens: 5, isLeftOver: false },
      ],
    });
  });

  it('has a share of the tools, in the order in which they are sent', () => {
    const parts = [
      { name: 'tools', path: 'tools', tokens: 30, in_log: true },
      { name: 'read_file', path: 'tool://read_file/c1', tokens: 900, in_log: true },
    ];
    const { shares } = parseBreakdown({ breakdown: { tools: 930, tool_details: parts } });
    expect(shares.find(({ category }) => category === 'tools')).toEqual({
      category: 'tools',
      tokens: 930,
      count: 2,
      items: parts.map(({ in_log: _, ...part }) => ({ ...part, isLeftOver: false })),
    });
  });

  it('knows no cost where the price is unknown', () => {
    const unpriced = { ...ANSWER, cost_usd: null, session_totals: { cost_usd: 0, priced_request_count: 0 } };
    expect(parseBreakdown(unpriced)).toMatchObject({ cost: null, session: { cost: null } });
  });

  it('reckons the overhead when the server does not', () => {
    const without = { ...ANSWER, breakdown: { ...ANSWER.breakdown, overhead: undefined } };
    expect(parseBreakdown(without).shares.at(-1)?.tokens).toBe(8);
  });
});

describe('its store', () => {
  let rpc: FakeRpc;
  let store: BreakdownStore;

  beforeEach(async () => {
    vi.useFakeTimers();
    rpc = new FakeRpc();
    await rpc.become({ state: 'open', first: true });
    store = new BreakdownStore(rpc);
  });
  afterEach(() => {
    store.dispose();
    vi.useRealTimers();
  });

  it.each(['filesChanged', 'streamComplete', 'sessionChanged'] as const)(
    'asks again on %s',
    async (event) => {
      await rpc.emit(event);
      expect(rpc.count(METHOD)).toBe(1);
    },
  );

  it('makes one request of all wishes that come while one is under way', async () => {
    void store.refresh();
    void store.refresh();
    await rpc.emit('filesChanged');
    expect(rpc.count(METHOD)).toBe(1);
    await rpc.last(METHOD).answer(ANSWER);
    expect(rpc.count(METHOD)).toBe(2);
    await rpc.last(METHOD).answer(ANSWER);
    expect(rpc.count(METHOD)).toBe(2);
    expect(store.breakdown?.total).toBe(1018);
  });

  it('counts the question being typed, after a pause', () => {
    store.setQuestion('W');
    store.setQuestion('Why');
    vi.advanceTimersByTime(399);
    expect(rpc.count(METHOD)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(rpc.last(METHOD).args).toEqual([null, 'Why']);
  });

  it('keeps the last breakdown beside an error', async () => {
    void store.refresh();
    await rpc.last(METHOD).answer(ANSWER);
    void store.refresh();
    await rpc.last(METHOD).fail('timeout', 'Too slow.');
    expect(store.breakdown?.total).toBe(1018);
    expect(store.error).toBe('Too slow.');
  });

  it('asks nobody without a connection', async () => {
    await rpc.become({ state: 'connecting' });
    void store.refresh();
    expect(rpc.count(METHOD)).toBe(0);
  });
});
