import { describe, expect, it } from 'vitest';
import { HttpClientError } from '../src/errors.ts';
import { isStale, mayPass, pauseMs } from '../src/retrying.ts';

const error = (code: number | string, data = {}) => new HttpClientError('m', code, data);

describe('what may pass', () => {
  it.each([
    error('TIMEOUT'),
    error('RATE_LIMITED', { retry_after_ms: 900 }),
    error('CLOSED'),
    error(-32001),
    error(-32002, { retry_after_ms: 60_000 }),
    error(-32000, { type: 'TIMEOUT' }),
    error(-32000, { type: 'busy' }),
    error(503),
    error(429, { retry_after: 60 }),
  ])('$code $data', (passing) => {
    expect(mayPass(passing)).toBe(true);
  });

  it.each([
    error('INVALID_STATE'),
    error('INTERNAL_ERROR'),
    error('NO_ANSWER'),
    error('GAP'),
    error(-32000, { type: 'conflict' }),
    error(-32603),
    error(403),
    error(-32002, { retry_after_ms: 60_001 }),
    error(429, { retry_after: 61 }),
  ])('is not $code $data', (staying) => {
    expect(mayPass(staying)).toBe(false);
  });

  it('is a stale epoch in each form', () => {
    expect(isStale(error('STALE_EPOCH'))).toBe(true);
    expect(isStale(error(-32010, { type: 'STALE_EPOCH' }))).toBe(true);
    expect(isStale(error(-32000, { type: 'stale_epoch' }))).toBe(true);
    expect(isStale(error('INVALID_STATE'))).toBe(false);
  });
});

describe('a pause', () => {
  it('doubles up to the longest', () => {
    expect([0, 1, 2, 3, 4, 5, 2000].map((tried) => pauseMs(tried, 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
  });

  it('has full jitter, after what the server asks for', () => {
    expect(pauseMs(3, 0)).toBe(0);
    expect(pauseMs(1, 0.5, { retry_after_ms: 2500 })).toBe(3000);
    expect(pauseMs(0, 0, { retry_after: 2 })).toBe(2000);
    expect(pauseMs(0, 0, { retry_after_ms: 'soon' })).toBe(0);
  });
});
