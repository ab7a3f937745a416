import type { PageConfig } from '@jupyter-ac/page';
import { expect, it, vi } from 'vitest';
import { chooseTransport, refusalReason } from '../src/transport.ts';

const page: PageConfig = {
  baseUrl: 'http://localhost:8888/hub/',
  wsUrl: 'ws://localhost:8888/hub/',
  token: '',
  appendToken: false,
};
const HEALTH = JSON.stringify({ status: 'ok', version: '0.1.0', protocol: 1, pid: 1 });

function answers(status: number, body = HEALTH) {
  return vi.fn(async () => new Response(body, { status }));
}

it('goes to the server that answers', async () => {
  const ask = answers(200);
  expect(await chooseTransport(page, null, ask)).toEqual({ kind: 'server', page });
  expect(ask).toHaveBeenCalledWith(new URL('http://localhost:8888/hub/jupyter-ac/health'), expect.anything());
});

it.each([
  ['does not run jupyter_ac', answers(404)],
  ['status 503', answers(503)],
  ["not jupyter_ac's", answers(200, '{"hub": true}')],
  ["can't be reached", answers(200, '<html>log in</html>')],
  ["can't be reached", vi.fn(() => Promise.reject(new TypeError('no network')))],
])('goes through the kernel when the server: %s', async (words, ask) => {
  const transport = await chooseTransport(page, null, ask);
  expect(transport).toMatchObject({ kind: 'relay', reason: expect.stringContaining(words) });
});

it('goes through the kernel at once in a front end without a server', async () => {
  const ask = answers(200);
  expect(await chooseTransport(null, null, ask)).toMatchObject({ kind: 'relay' });
  expect(ask).not.toHaveBeenCalled();
});

it('can be told to, and says so', async () => {
  const storage = { getItem: (key: string) => (key === 'jupyter-ac.door' ? 'relay' : null) };
  expect(await chooseTransport(page, storage, answers(200))).toMatchObject({
    kind: 'relay',
    reason: expect.stringContaining('jupyter-ac.door'),
  });
});

it('does without a storage that is forbidden', async () => {
  const storage = {
    getItem: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  };
  expect((await chooseTransport(page, storage, answers(200))).kind).toBe('server');
});

it("makes one sentence of the server's reason", () => {
  expect(refusalReason('The server and the kernel do not see the same files.')).toBe(
    'The server and the kernel do not see the same files; the panel talks through the kernel instead.',
  );
  expect(refusalReason('')).toContain('refuses the connection; ');
});
