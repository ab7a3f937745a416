import './support/jsdom.ts';
import { expect, it, vi } from 'vitest';
import { loadInsistently, mathsLoader, viewerLoader } from '../src/load-chunk.ts';

const BLOB = 'blob:http://h/1';

it('runs the text of the viewer where the UI was run from its text, once', async () => {
  const source = vi.fn(async () => 'export const openViewer = 1;');
  URL.createObjectURL = () => 'data:text/javascript,export const openViewer = 1;';
  URL.revokeObjectURL = () => {};
  const load = viewerLoader(source, BLOB);
  const [first, second] = await Promise.all([load(), load()]);
  expect(first.openViewer).toBe(1);
  expect(second).toBe(first);
  expect(source).toHaveBeenCalledTimes(1);
});

it('says what to do when there is none, and looks again the next time', async () => {
  await expect(viewerLoader(undefined, BLOB)()).rejects.toThrow('reload the page');
  let isThere = false;
  const load = viewerLoader(async () => {
    if (!isThere) throw new Error('The kernel is busy.');
    return 'export const openViewer = 1;';
  }, BLOB);
  await expect(load()).rejects.toThrow('The kernel is busy.');
  isThere = true;
  await expect(load()).resolves.toBeTruthy();
});

it('asks for the part that is wanted', async () => {
  URL.createObjectURL = () => 'data:text/javascript,export const formula = 1;';
  const source = vi.fn(async () => '');
  await mathsLoader(source, BLOB)();
  expect(source.mock.calls).toEqual([['maths']]);
  await expect(mathsLoader(undefined, BLOB)()).rejects.toThrow('What sets formulas');
});

it('loads what must be there again until it is, and no more once nobody waits', async () => {
  vi.useFakeTimers();
  const load = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue(1);
  const loaded = loadInsistently(load, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(loaded).resolves.toBe(1);
  expect(load).toHaveBeenCalledTimes(2);
  const closing = new AbortController();
  const never = loadInsistently(vi.fn().mockRejectedValue(new Error('offline')), closing.signal);
  closing.abort();
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(never).resolves.toBeNull();
  vi.useRealTimers();
});
