import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KernelComm } from '../src/kernel-comm.ts';
import { FakeModel } from './fake-kernel.ts';

let model: FakeModel;
let kernel: KernelComm;
let closing: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  model = new FakeModel();
  kernel = new KernelComm(model);
  closing = new AbortController();
});
afterEach(() => void vi.useRealTimers());

it('says hello and learns the place', async () => {
  const hello = kernel.hello(closing.signal);
  expect(model.sent).toEqual([{ type: 'hello' }]);
  model.say({
    type: 'hello',
    directory: '/w/sub',
    root: '/w',
    nonce: 'n',
    versions: { hash: '1a2b3c' },
    status: 'ok',
  });
  expect(await hello).toEqual({ directory: '/w/sub', root: '/w', nonce: 'n', hash: '1a2b3c' });
});

it('takes a folder without a repository', async () => {
  const hello = kernel.hello(closing.signal);
  model.say({ type: 'hello', directory: '/w', root: null, nonce: null, versions: {} });
  expect(await hello).toMatchObject({ directory: '/w', root: null, nonce: null });
});

it('repeats itself until the kernel has time', async () => {
  const hello = kernel.hello(closing.signal);
  vi.advanceTimersByTime(10_000);
  expect(model.sent).toHaveLength(3);
  model.say({ type: 'hello', directory: '/w' });
  await hello;
  vi.advanceTimersByTime(20_000);
  expect(model.sent).toHaveLength(3);
});

it('gets the source of the UI', async () => {
  const source = kernel.source('ui', closing.signal);
  model.say({ type: 'state' });
  model.say('noise');
  model.say({ type: 'ui', hash: 'x', source: 'export {}' });
  expect(await source).toBe('export {}');
});

it('gets the source of the viewer', async () => {
  const source = kernel.source('viewer', closing.signal);
  expect(model.sent).toEqual([{ type: 'viewer' }]);
  model.say({ type: 'ui', hash: 'x', source: 'export {}' });
  model.say({ type: 'viewer', hash: 'x', source: 'export const a = 1' });
  expect(await source).toBe('export const a = 1');
});

it("rejects with the kernel's error", async () => {
  const source = kernel.source('ui', closing.signal);
  model.say({ type: 'error', message: 'The bundle is missing.' });
  await expect(source).rejects.toThrow('The bundle is missing.');
});

it('waits no longer when the view closes', async () => {
  const hello = kernel.hello(closing.signal);
  closing.abort();
  await expect(hello).rejects.toThrow('closed');
  vi.advanceTimersByTime(20_000);
  expect(model.sent).toHaveLength(1);
});

it('outlives a kernel that is gone', () => {
  model.send = () => {
    throw new Error('Cannot send');
  };
  expect(() => kernel.send({ type: 'state' })).not.toThrow();
});

it('hears nothing after disposal', () => {
  kernel.dispose();
  expect(model.count).toBe(0);
});

it('makes a repository of its folder', async () => {
  const made = kernel.initRepository('/w', closing.signal);
  expect(model.sent).toEqual([{ type: 'repository', confirm: '/w' }]);
  vi.advanceTimersByTime(5000);
  expect(model.sent[1]).toEqual(model.sent[0]);
  model.say({ type: 'repository', name: 'work' });
  await expect(made).resolves.toBeUndefined();
});

it('asks what is near its folder, and for another one', async () => {
  const around = kernel.findNearbyRepositories(closing.signal);
  model.say({ type: 'surroundings', folder: '/w', below: [{ path: '/w/a', name: 'a' }] });
  expect(await around).toMatchObject({
    folder: '/w',
    below: [{ path: '/w/a', name: 'a' }],
    isComplete: true,
  });
  const opened = kernel.openRepository('/w/a', closing.signal);
  expect(model.sent.at(-1)).toEqual({ type: 'open', folder: '/w/a' });
  model.say({ type: 'open', folder: '/w/a' });
  await expect(opened).resolves.toBeUndefined();
});

it('knows what the kernel does only where the front end says so', () => {
  expect(kernel.status).toBe('');
  for (const [manager, status] of [
    [{}, ''],
    [{ kernel: null }, ''],
    [{ kernel: { status: 1 } }, ''],
    [{ kernel: { status: 'busy' } }, 'busy'],
  ] as const) {
    model.widget_manager = manager;
    expect(kernel.status).toBe(status);
  }
});

it('passes on a doubt about the comm', () => {
  const check = vi.fn();
  const stop = kernel.onCommEvent(check);
  model.fire('comm_live_update');
  model.fire('comm:close');
  expect(check).toHaveBeenCalledTimes(2);
  stop();
  model.fire('comm:close');
  expect(check).toHaveBeenCalledTimes(2);
});
