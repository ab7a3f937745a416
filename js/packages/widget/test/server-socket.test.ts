import { expect, it, vi } from 'vitest';
import { socketWithFallback } from '../src/server-socket.ts';

class FakeWebSocket extends EventTarget {
  close(code: number, reason = '') {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
  open() {
    this.dispatchEvent(new Event('open'));
  }
}

function guarded(isUp: boolean) {
  const sockets: FakeWebSocket[] = [];
  const onRefused = vi.fn();
  const open = socketWithFallback(
    onRefused,
    async () => isUp,
    () => {
      const socket = new FakeWebSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  );
  const next = () => {
    open('ws://x');
    return sockets.at(-1) as FakeWebSocket;
  };
  return { next, onRefused };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

it.each([4401, 4403, 4409])('reports a refusal that the kernel would not meet: %i', async (code) => {
  const { next, onRefused } = guarded(true);
  const socket = next();
  socket.open();
  socket.close(code, 'Not here.');
  expect(onRefused).toHaveBeenCalledWith('Not here.');
});

it.each([1000, 1001, 1006, 1013, 4404])('leaves other ends to the link: %i', async (code) => {
  const { next, onRefused } = guarded(true);
  for (let turn = 0; turn < 3; turn += 1) {
    const socket = next();
    socket.open();
    socket.close(code);
  }
  await settled();
  expect(onRefused).not.toHaveBeenCalled();
});

it('reports a server that answers but takes no socket', async () => {
  const { next, onRefused } = guarded(true);
  next().close(1006);
  await settled();
  expect(onRefused).not.toHaveBeenCalled();
  next().close(1006);
  await settled();
  expect(onRefused.mock.calls).toEqual([['']]);
});

it('forgets failures when the server takes a socket after all', async () => {
  const { next, onRefused } = guarded(true);
  for (let turn = 0; turn < 3; turn += 1) {
    next().close(1006);
    await settled();
    const socket = next();
    socket.open();
    socket.close(1012);
    await settled();
  }
  expect(onRefused).not.toHaveBeenCalled();
});

it('waits for a server that is away', async () => {
  const { next, onRefused } = guarded(false);
  for (let turn = 0; turn < 4; turn += 1) next().close(1006);
  await settled();
  expect(onRefused).not.toHaveBeenCalled();
});
