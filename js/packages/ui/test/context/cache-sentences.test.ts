import { expect, it } from 'vitest';
import { brokenSentence, lastBand, lastSentence, nextSentence } from '../../src/context/cache-sentences.ts';
import { everyDay } from '../../src/context/context-details.ts';
import { parseBreakdown } from '../../src/model/breakdown.ts';

const last = (cached: number, cache: 'hit' | 'miss' | null) =>
  parseBreakdown({
    last_request: { input_tokens: 15_000, cache_read_tokens: cached, cache_write_tokens: 2000, cache },
  }).last;

it('says in plain words what the cache served', () => {
  expect(lastSentence(last(12_400, 'hit'))).toBe(
    '12,400 of the last request’s 15,000 tokens came from the provider’s cache, at about a tenth of the price.',
  );
  expect(lastSentence(last(0, 'miss'))).toContain('read all 15,000 tokens of the last request anew');
  expect(lastSentence(last(0, null))).toContain('didn’t say');
  expect(lastSentence(null)).toContain('Nothing has been sent yet');
  const [request] = [last(12_400, 'hit')];
  expect(request && lastBand(request)).toEqual({ read: 12_400, written: 2000, fresh: 600 });
  expect(nextSentence(parseBreakdown({ total_tokens: 5000, cached_tokens: 4000 }))).toContain(
    'About 4,000 of the next request’s 5,000 tokens',
  );
  expect(nextSentence(parseBreakdown({ total_tokens: 5000 }))).toContain('all 5,000 tokens');
});

it('names the part from which on the cache is lost', () => {
  expect(brokenSentence({ kept_tokens: 900, lost_tokens: 0, lost_from: '' })).toContain('All 900 tokens');
  expect(brokenSentence({ kept_tokens: 900, lost_tokens: 80, lost_from: 'question' })).toBe(
    'The first 900 tokens stay as they were, so the cache can serve them. From “Question” on, 80 tokens of the last request can no longer be served from the cache.',
  );
  expect(brokenSentence({ kept_tokens: 0, lost_tokens: 80, lost_from: 'a.py' })).toContain('“a.py”');
});

it('has an entry for each day, also across the end of a month', () => {
  const known = { day: '2026-02-28', answers: 2, tokens: 7, cached: 1, usd: 0.5 };
  const days = everyDay([known], new Date(2026, 2, 2, 0, 30), 4);
  expect(days.map(({ day, tokens }) => [day, tokens])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 7],
    ['2026-03-01', 0],
    ['2026-03-02', 0],
  ]);
});
