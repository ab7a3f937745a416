import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inSlices } from '../../src/model/time-slicing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that takes this much time. */
const takes = (ms: number) => () => void vi.setSystemTime(Date.now() + ms);

it('does little work at once', () => {
  const done = vi.fn();
  inSlices([1, 2, 3], takes(1), done);
  expect(done).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it('lets the page have its turn in longer work, and leaves out nothing', () => {
  const seen: number[] = [];
  const done = vi.fn();
  const each = (item: number): void => {
    seen.push(item);
    takes(5)();
  };
  inSlices([1, 2, 3, 4, 5], each, done);
  expect([seen, done.mock.calls.length]).toEqual([[1, 2], 0]);
  vi.runOnlyPendingTimers();
  expect(seen).toEqual([1, 2, 3, 4]);
  vi.runAllTimers();
  expect([seen, done.mock.calls.length]).toEqual([[1, 2, 3, 4, 5], 1]);
});

it('stops when it is told to', () => {
  const done = vi.fn();
  const stop = inSlices([1, 2, 3], takes(9), done);
  stop();
  vi.runAllTimers();
  expect(done).not.toHaveBeenCalled();
});
