import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnPipe, type PipeSocket, REOPEN_DELAYS_MS } from '../../../src/model/panels/own-pipe.ts';

class FakeSocket implements PipeSocket {
  onopen: PipeSocket['onopen'] = null;
  onmessage: PipeSocket['onmessage'] = null;
  onclose: PipeSocket['onclose'] = null;
  readonly sent: Record<string, unknown>[] = [];
  isClosed = false;

  send(frame: string): void {
    this.sent.push(JSON.parse(frame));
  }
  close(): void {
    this.isClosed = true;
  }
  open(): void {
    this.onopen?.(undefined as never);
  }
  say(frame: unknown): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }
  lose(code = 1006, reason = ''): void {
    this.onclose?.({ code, reason });
  }
}

const GONE = 4410;
let sockets: FakeSocket[];
let pipe: OwnPipe;

function socket(): FakeSocket {
  const last = sockets.at(-1);
  if (!last) throw new Error('no socket');
  return last;
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  pipe = new OwnPipe({
    open: () => {
      sockets.push(new FakeSocket());
      return socket();
    },
    finalCodes: new Set([GONE]),
  });
});
afterEach(() => void vi.useRealTimers());

describe('calls', () => {
  it('have bare names, and are settled by their answers', async () => {
    await expect(pipe.call('syncTree')).rejects.toThrow('connection to the panel was lost');
    socket().open();
    const [first, second, third] = [
      pipe.call('initialize', { protocolVersion: 3 }),
      pipe.restart(),
      pipe.call('x'),
    ];
    expect(socket().sent).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: [{ protocolVersion: 3 }] },
      { jsonrpc: '2.0', id: 2, method: 'restart', params: [] },
      { jsonrpc: '2.0', id: 3, method: 'x', params: [] },
    ]);
    socket().say({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32602, message: 'Invalid params', data: { reason: 'No.' } },
    });
    socket().say({ jsonrpc: '2.0', id: 3, error: { code: 1, message: 'Bad' } });
    socket().say({ jsonrpc: '2.0', id: 1, result: null });
    socket().say({ jsonrpc: '2.0', id: 1, result: 'again' });
    for (const nonsense of ['{', 'null', '[]', '3', { id: 'x', result: 1 }, {}]) socket().say(nonsense);
    expect(await first).toBeNull();
    await expect(second).rejects.toThrow('No.');
    await expect(third).rejects.toThrow('Bad');
  });

  it('fail when the connection is lost or closed', async () => {
    socket().open();
    const lost = pipe.call('syncTree');
    socket().lose(1001, 'The kernel has closed this link.');
    await expect(lost).rejects.toThrow('The kernel has closed this link.');
    vi.advanceTimersByTime(REOPEN_DELAYS_MS[0] ?? 0);
    socket().open();
    const closed = pipe.call('syncTree');
    pipe.close();
    await expect(closed).rejects.toThrow('lost');
    expect([socket().isClosed, pipe.connected, vi.getTimerCount()]).toEqual([true, false, 0]);
  });
});

describe('what the plugin calls', () => {
  it('is passed to the host until disposed, and answered when it asks for an answer', () => {
    const host = { updateTree: vi.fn(), applyMutations: vi.fn(), log: vi.fn(), reportError: vi.fn() };
    const dispose = pipe.serve(host);
    socket().open();
    socket().say({ jsonrpc: '2.0', method: 'updateTree', params: [null] });
    socket().say({ jsonrpc: '2.0', method: 'applyMutations', params: [[]] });
    socket().say({ jsonrpc: '2.0', id: 'a', method: 'log', params: ['warn', ['x']] });
    socket().say({ jsonrpc: '2.0', method: 'reportError' });
    socket().say({ jsonrpc: '2.0', method: 'constructor', params: [1] });
    expect(host.updateTree.mock.calls).toEqual([[null]]);
    expect(host.applyMutations.mock.calls).toEqual([[[]]]);
    expect(host.log.mock.calls).toEqual([['warn', ['x']]]);
    expect(host.reportError.mock.calls).toEqual([[undefined]]);
    expect(socket().sent).toEqual([{ jsonrpc: '2.0', id: 'a', result: null }]);
    dispose();
    socket().say({ jsonrpc: '2.0', method: 'updateTree', params: [null] });
    expect(host.updateTree).toHaveBeenCalledTimes(1);
  });
});

describe('the connection', () => {
  it('is opened again, less and less often, and says so', () => {
    const [opened, closed] = [vi.fn(), vi.fn()];
    pipe.onOpen(opened);
    pipe.onClose(closed);
    for (const delay of [...REOPEN_DELAYS_MS, REOPEN_DELAYS_MS.at(-1) ?? 0]) {
      const before = sockets.length;
      socket().lose();
      vi.advanceTimersByTime(delay - 1);
      expect(sockets.length).toBe(before);
      vi.advanceTimersByTime(1);
      expect(sockets.length).toBe(before + 1);
    }
    expect([opened.mock.calls, closed.mock.calls]).toEqual([[], []]);
    socket().open();
    socket().lose(1001, 'Too many views.');
    expect([opened.mock.calls, closed.mock.calls]).toEqual([[[]], [['Too many views.']]]);
    expect(pipe.connected).toBe(false);
    const before = sockets.length;
    vi.advanceTimersByTime(REOPEN_DELAYS_MS[0] ?? 0);
    expect(sockets.length).toBe(before + 1);
  });

  it('is not opened again after a final code', () => {
    const closed = vi.fn();
    const stop = pipe.onClose(closed);
    socket().lose(GONE, 'Run the cell again.');
    expect(closed.mock.calls).toEqual([['Run the cell again.']]);
    expect([sockets.length, vi.getTimerCount()]).toEqual([1, 0]);
    stop();
  });
});
