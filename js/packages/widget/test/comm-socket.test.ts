import { KERNEL_LOST } from '@jupyter-ac/link/close-codes';
import { BUSY_AFTER_MS, CommSocket, KERNEL_GONE_REASON } from '@jupyter-ac/link/comm-socket';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KernelComm } from '../src/kernel-comm.ts';
import { FakeModel, FakeRelay } from './fake-kernel.ts';

let model: FakeModel;
let relay: FakeRelay;
let waits: number[];
let socket: CommSocket;
let got: unknown[];
let closed: { code: number; reason: string }[];

function open(): CommSocket {
  const kernel = new KernelComm(model);
  const port = { send: kernel.sendOrThrow.bind(kernel), listen: kernel.listen.bind(kernel) };
  const made = new CommSocket(port, {
    client: 'tab',
    onWait: (waited) => waits.push(waited),
    now: () => Date.now(),
  });
  made.onmessage = ({ data }) => got.push(data);
  made.onclose = ({ code, reason }) => closed.push({ code, reason });
  return made;
}

/** Opens it all the way. */
function connect(): void {
  vi.advanceTimersByTime(0);
  relay.listen();
}

/** Lets what is sent together leave. */
async function leave(): Promise<void> {
  await Promise.resolve();
  relay.listen();
}

beforeEach(() => {
  vi.useFakeTimers();
  [waits, got, closed] = [[], [], []];
  model = new FakeModel();
  relay = new FakeRelay(model, () => Date.now());
  socket = open();
});
afterEach(() => void vi.useRealTimers());

it('opens when the kernel has answered, and asks again as long as it has not', () => {
  let opened = 0;
  socket.onopen = () => {
    opened += 1;
  };
  vi.advanceTimersByTime(11_000);
  expect(model.sent.map(({ type }) => type)).toEqual(['relay.open', 'relay.open', 'relay.open']);
  expect(new Set(model.sent.map(({ link }) => link)).size).toBe(1);
  expect(opened).toBe(0);
  relay.listen();
  expect(opened).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(model.sent).toHaveLength(3);
});

it('carries frames both ways, the first at once', async () => {
  connect();
  socket.send('{"a":1}');
  await leave();
  expect(relay.got).toEqual(['{"a":1}']);
  relay.end.push('{"b":2}');
  relay.poll();
  expect(got).toEqual(['{"b":2}']);
});

it('makes one message of what is sent together', async () => {
  connect();
  for (const frame of ['a', 'b', 'c']) socket.send(frame);
  await leave();
  expect(relay.got).toEqual(['a', 'b', 'c']);
  expect(model.sent.filter(({ type }) => type === 'relay')).toHaveLength(1);
});

it('makes few messages of many frames and loses none', async () => {
  connect();
  const sent: string[] = [];
  for (let number = 0; number < 500; number += 1) {
    socket.send(`${number}`);
    sent.push(`${number}`);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1000);
  relay.listen();
  expect(relay.got).toEqual(sent);
  expect(model.sent.length).toBeLessThan(6 * 6 + 10);
});

it('asks for what was lost and gets it once', async () => {
  connect();
  for (let number = 0; number < 10; number += 1) {
    relay.end.push(`${number}`);
    relay.poll(number === 2 || number === 5);
  }
  expect(got).toEqual(['0', '1']);
  await vi.advanceTimersByTimeAsync(400);
  relay.listen();
  relay.poll();
  expect(got).toEqual(Array.from({ length: 10 }, (_, at) => `${at}`));
  expect(socket.stats).toMatchObject({ received: 10, resendRequests: 1 });
});

it('tells how long the kernel keeps it waiting, and when it no longer does', async () => {
  connect();
  socket.send('Stop');
  await vi.advanceTimersByTimeAsync(BUSY_AFTER_MS - 100);
  expect(waits).toEqual([]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(waits[0]).toBeGreaterThanOrEqual(BUSY_AFTER_MS);
  expect(waits.length).toBeGreaterThan(3);
  relay.listen();
  await vi.advanceTimersByTimeAsync(0);
  relay.poll();
  await leave();
  expect(waits.at(-1)).toBe(0);
  const told = waits.length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(waits).toHaveLength(told);
});

it('tells of a kernel that has no time to open the link', async () => {
  vi.advanceTimersByTime(BUSY_AFTER_MS + 10);
  expect(waits).toHaveLength(1);
  relay.listen();
  await leave();
  expect(waits.at(-1)).toBe(0);
});

it('asks into a silence while an answer is awaited', async () => {
  connect();
  socket.expectAnswer(true);
  await vi.advanceTimersByTimeAsync(60_000);
  const questions = model.sent.filter(({ ping }) => ping === true).length;
  expect(questions).toBeGreaterThan(20);
  socket.expectAnswer(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(model.sent.filter(({ ping }) => ping === true).length).toBeLessThan(questions + 12);
});

it('sleeps when there is nothing to do', async () => {
  connect();
  socket.send('a');
  await vi.advanceTimersByTimeAsync(1100);
  relay.listen();
  relay.poll();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(vi.getTimerCount()).toBe(0);
});

it("closes with the kernel's code and sentence, and speaks no more", () => {
  connect();
  model.say({
    type: 'relay.closed',
    link: relay.link,
    code: 4404,
    reason: 'There is no git repository here.',
  });
  expect(closed).toEqual([{ code: 4404, reason: 'There is no git repository here.' }]);
  relay.end.push('late');
  relay.poll();
  socket.send('late');
  expect(got).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('tells the kernel that the view is gone', () => {
  connect();
  socket.close();
  expect(model.sent.at(-1)).toEqual({ type: 'relay.close', link: relay.link });
  expect(closed).toEqual([]);
  socket.close();
  expect(model.sent.filter(({ type }) => type === 'relay.close')).toHaveLength(1);
});

it('tells the kernel that the page is gone', () => {
  connect();
  globalThis.dispatchEvent(new Event('pagehide'));
  expect(model.sent.at(-1)).toEqual({ type: 'relay.close', link: relay.link });
});

it('says what to do when the kernel was restarted', () => {
  connect();
  model.send = () => {
    throw new Error('Cannot send');
  };
  socket.check();
  expect(closed).toEqual([{ code: KERNEL_LOST, reason: KERNEL_GONE_REASON }]);
});

it('says so too when it is opened without a kernel', () => {
  model.send = () => {
    throw new Error('Cannot send');
  };
  vi.advanceTimersByTime(0);
  expect(closed).toEqual([{ code: KERNEL_LOST, reason: KERNEL_GONE_REASON }]);
});

it('lives on when only a doubt was raised', async () => {
  connect();
  socket.check();
  relay.listen();
  socket.send('a');
  await leave();
  expect(relay.got).toEqual(['a']);
  expect(closed).toEqual([]);
});

it('does not hear other views, nor nonsense', () => {
  connect();
  model.say({ type: 'relay', link: 'other', seq: 1, ack: 0, frames: ['x'] });
  for (const wrong of [
    { seq: 0 },
    { seq: 1, ack: 0 },
    { seq: 1, ack: 0, frames: [1] },
    { type: 'relay.else' },
  ])
    relay.say(wrong);
  expect(got).toEqual([]);
});

it('gives each opening a name of its own', () => {
  open();
  vi.advanceTimersByTime(0);
  expect(new Set(model.sent.map(({ link }) => link)).size).toBe(2);
});

it('sends a frame that is longer than a message', async () => {
  connect();
  const frame = 'x'.repeat(3_000_000);
  socket.send(frame);
  await vi.advanceTimersByTimeAsync(1000);
  relay.listen();
  expect(relay.got).toEqual([frame]);
  expect(Math.max(...model.sent.map((message) => JSON.stringify(message).length))).toBeLessThan(1_100_000);
});
