import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RefreshSchedule } from '../../../src/model/browser/refresh-schedule.ts';
import { settle } from '../../support/fake-rpc.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('refreshes at once, then at most every half second', async () => {
  const work = vi.fn(async () => {});
  const schedule = new RefreshSchedule(work, () => true);
  for (let times = 0; times < 10; times += 1) schedule.request();
  await settle();
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(499);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(2);
});

it('waits for the refresh that runs, and until there is something to see', async () => {
  let finish = () => {};
  let isVisible = true;
  const work = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const schedule = new RefreshSchedule(work, () => isVisible);
  schedule.request();
  schedule.request();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
  isVisible = false;
  finish();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
  isVisible = true;
  schedule.look();
  expect(work).toHaveBeenCalledTimes(2);
  schedule.request();
  schedule.dispose();
  finish();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(2);
});
