// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpClient, HttpClientError, type Options } from '../src/index.ts';
import {
  EdgeServer,
  end,
  events,
  failure,
  lost,
  type Message,
  part,
  result,
  start,
  status,
} from './edge-server.ts';

const METHODS = {
  methods: {
    read: { access: 'read', requires_state: [] },
    clear: { access: 'execute', requires_state: ['connected', 'inspecting'] },
  },
};

let server: EdgeServer;
let url: string;
let pauses: number[];
let clients: HttpClient[];

beforeEach(async () => {
  server = new EdgeServer();
  url = await server.start();
  pauses = [];
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  await server.stop();
});

function client(options: Options = {}, query = ''): HttpClient {
  const sleep = async (ms: number) => {
    pauses.push(ms);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const made = new HttpClient(url + query, { sleep, random: () => 1, ...options });
  clients.push(made);
  return made;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function failing(promise: Promise<unknown>): Promise<HttpClientError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof HttpClientError)) throw new Error(`no error: ${error}`);
  return error;
}

describe('a call', () => {
  it('has its result, and shows the token in a header', async () => {
    server.answers.push(result({ n: 1 }), result(2));
    expect(await client({ token: 'abc' }).call('m', { a: 1 })).toEqual({ n: 1 });
    expect(await client({}, 'rpc?token=xyz&repo=a%20b').call('m', [1])).toBe(2);
    expect(server.headers.map((each) => each.authorization)).toEqual(['token abc', 'token xyz']);
    expect(server.paths).toEqual(['/rpc', '/rpc?repo=a+b']);
    expect(server.sent[0]).toMatchObject({ jsonrpc: '2.0', method: 'm', params: { a: 1 } });
    expect(server.sent[0]).not.toHaveProperty('epoch');
  });

  it('in a page takes its address, and the cookie that Jupyter asks for', async () => {
    vi.stubGlobal('location', { href: `${url}user/ann/lab/tree/a.ipynb` });
    vi.stubGlobal('document', { cookie: 'a=b; _xsrf=2%7Cabc; c=d' });
    const one = new HttpClient('/user/ann/jupyter-ac/?repo=garden');
    vi.unstubAllGlobals();
    await one.call('m');
    expect(server.paths).toEqual(['/user/ann/jupyter-ac/rpc?repo=garden']);
    expect(server.headers[0]).toMatchObject({ 'x-xsrftoken': '2|abc' });
    expect(server.headers[0]).not.toHaveProperty('authorization');
  });

  it('fails with code and data', async () => {
    server.answers.push(failure('INVALID_STATE', { current_state: 'connecting' }));
    const error = await failing(client().call('clear'));
    expect([error.code, error.data, error.message]).toEqual([
      'INVALID_STATE',
      { current_state: 'connecting' },
      'as planned',
    ]);
  });

  it('is refused with the status and the sentence of the server', async () => {
    server.answers.push(status(403));
    expect(await failing(client().call('m'))).toMatchObject({ code: 403, message: 'as planned' });
    expect(pauses).toEqual([]);
  });

  it.each([[lost], [status(503)], [failure(-32001)], [failure('TIMEOUT')]])('is repeated', async (answer) => {
    server.answers.push(answer, answer, result(1));
    expect(await client().call('m')).toBe(1);
    expect(new Set(server.sent.map((each) => each.idempotency_key)).size).toBe(1);
    expect(server.sent[0]?.idempotency_key).toMatch(/^[0-9a-f]{32}$/);
    expect(pauses).toEqual([500, 1000]);
  });

  it('is tried three times', async () => {
    server.answers.push(lost, lost, lost, result(1));
    expect(await failing(client().call('m'))).toMatchObject({ code: 'CLOSED' });
    expect(server.sent).toHaveLength(3);
  });

  it('waits as long as the server asks', async () => {
    server.answers.push(
      failure(-32002, { retry_after_ms: 700 }),
      status(429, { 'Retry-After': '2' }),
      result(1),
    );
    expect(await client().call('m')).toBe(1);
    expect(pauses).toEqual([1200, 3000]);
  });

  it('takes a key', async () => {
    await client().call('m', {}, { idempotencyKey: 'k' });
    expect(server.sent[0]?.idempotency_key).toBe('k');
  });

  it('ends when nothing comes, and is not repeated', async () => {
    server.answers.push(() => {});
    expect(await failing(client().call('m', {}, { timeoutMs: 30 }))).toMatchObject({ code: 'NO_ANSWER' });
    // None where the machine is so busy that the server hasn't heard of it by then.
    expect(server.sent.length).toBeLessThan(2);
  });

  it('can be given up', async () => {
    const controller = new AbortController();
    server.answers.push(() => controller.abort(new Error('enough')));
    await expect(client().call('m', {}, { signal: controller.signal })).rejects.toThrow('enough');
    expect(server.sent).toHaveLength(1);
  });
});

describe('the epoch', () => {
  it('is taken from results and errors, and sent', async () => {
    server.answers.push(result(1, { epoch: 3 }), failure('INTERNAL_ERROR', {}, { epoch: 4 }), result(2));
    const one = client();
    await one.call('connect');
    await failing(one.call('js'));
    await one.call('js');
    expect(server.sent.map((each) => each.epoch)).toEqual([undefined, 3, 4]);
  });

  it('is corrected once', async () => {
    const stale = failure('STALE_EPOCH', { current_epoch: 5 }, { epoch: 5 });
    server.answers.push(result(1, { epoch: 3 }), stale, result('done'), stale, stale, result('never'));
    const one = client();
    await one.call('connect');
    expect(await one.call('clear')).toBe('done');
    expect((await failing(one.call('clear'))).code).toBe('STALE_EPOCH');
    expect(server.sent.map((each) => each.epoch)).toEqual([undefined, 3, 5, 5, 5]);
    expect(pauses).toEqual([]);
  });

  it('is not corrected for what acts in a page', async () => {
    const stale = failure('STALE_EPOCH', { current_epoch: 5 }, { epoch: 5 });
    server.answers.push(result(1, { epoch: 3 }), stale, stale);
    const one = client();
    await one.call('connect');
    expect((await failing(one.call('js', { code: '1' }))).code).toBe('STALE_EPOCH');
    expect((await failing(one.call('fetch.resume', { id: 1 }))).code).toBe('STALE_EPOCH');
    expect(server.sent.map((each) => each.epoch)).toEqual([undefined, 3, 5]);
  });

  it("is another target's own where a call names one", async () => {
    const stale = failure('STALE_EPOCH', { current_epoch: 9 }, { epoch: 3 });
    server.answers.push(result(1, { epoch: 3 }), stale, result('done'));
    const one = client();
    await one.call('connect');
    expect(await one.call('clear', { target: 't' })).toBe('done');
    expect(server.sent.map((each) => each.epoch)).toEqual([undefined, 3, 9]);
    expect(one.state.epoch).toBe(3);
  });

  it('comes with the next state, for which a stale call waits', async () => {
    server.state = { connectionState: 'connected', epoch: 3 };
    server.answers.push(result(METHODS));
    let isWaiting = false;
    const one = client({
      sleep: () => {
        isWaiting = true;
        return new Promise(() => {});
      },
    });
    await one.connect();
    server.answers.push(failure('STALE_EPOCH', {}, { epoch: 4 }), result('done'));
    const call = one.call('clear');
    await until(() => isWaiting);
    expect(server.sent).toHaveLength(2);
    server.tell({ connectionState: 'connected', epoch: 5 });
    expect(await call).toBe('done');
    expect(server.sent.map((each) => each.epoch)).toEqual([undefined, 3, 5]);
  });

  it('is waited for two seconds at most', async () => {
    server.state = { connectionState: 'connected', epoch: 3 };
    server.answers.push(result(METHODS));
    const one = client();
    await one.connect();
    server.answers.push(failure('STALE_EPOCH', {}, { epoch: 4 }), result('done'));
    expect(await one.call('clear')).toBe('done');
    expect(pauses).toEqual([2000]);
  });
});

describe('the state', () => {
  it('decides on what may be called', async () => {
    server.state = { connectionState: 'disconnected', epoch: 0 };
    server.answers.push(result(METHODS));
    const one = client();
    await one.connect();
    expect([one.canCall('read'), one.canCall('clear'), one.canCall('toString')]).toEqual([
      true,
      false,
      false,
    ]);
    server.tell({ connectionState: 'connected', epoch: 1 });
    await until(() => one.canCall('clear'));
    await one.call('read');
    expect(server.sent[1]).not.toHaveProperty('idempotency_key');
  });

  it('is told until one has enough', async () => {
    server.answers.push(result(METHODS));
    server.state = { connectionState: 'disconnected', epoch: 0 };
    const one = client();
    await one.connect();
    const seen: unknown[] = [];
    const stop = one.on('state', (state) => seen.push(state));
    server.tell({ connectionState: 'connecting', epoch: 0 });
    await until(() => seen.length === 1);
    stop();
    server.tell({ connectionState: 'connected', epoch: 1 });
    await until(() => one.state.epoch === 1);
    expect(seen).toEqual([{ connectionState: 'connecting', epoch: 0 }]);
  });

  it('is followed again after a restart, with no epoch', async () => {
    server.answers.push(result(METHODS));
    server.state = { connectionState: 'connected', epoch: 9 };
    const one = client();
    await one.connect();
    server.state = null;
    server.breakStreams();
    await until(() => server.openings === 2 && one.state.epoch === 0);
    await one.call('read');
    expect(server.sent[1]).not.toHaveProperty('epoch');
    server.tell({ connectionState: 'connected', epoch: 1 });
    await until(() => one.state.epoch === 1);
  });

  it('that is refused is told as an error', async () => {
    server.answers.push(failure(-32601));
    server.refusals.push(503, 403);
    const one = client();
    const errors: unknown[] = [];
    one.on('error', (error) => errors.push(error));
    await one.connect();
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ code: 403 }]);
    expect(one.canCall('read')).toBe(false);
    expect(pauses).toEqual([500]);
  });
});

describe('a stream', () => {
  async function read(...messages: Message[]): Promise<[string[], unknown]> {
    server.answers.push(events(...messages));
    const stream = client().stream('write');
    const parts: string[] = [];
    for (;;) {
      const next = await stream.next();
      if (next.done) return [parts, next.value];
      parts.push(next.value);
    }
  }

  it('yields the parts and returns the result', async () => {
    const more = { method: 'AcApp.filesChanged', params: {} };
    const [parts, value] = await read(start(), part(1, 'a'), more, part(2, 'b'), end(2), { result: 'ab' });
    expect([parts, value]).toEqual([['a', 'b'], 'ab']);
    expect(server.headers[0]?.accept).toBe('text/event-stream');
  });

  it('keeps two apart', async () => {
    const two = [start('t'), part(1, 'b', 't'), part(2, 'c'), end(1, 't'), end(2)];
    expect((await read(start(), part(1, 'a'), ...two, { result: 1 }))[0]).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a part', [start(), part(1, 'a'), part(3, 'c')]],
    ['the first part', [start(), part(2, 'b')]],
    ['the start', [part(1, 'a')]],
    ['the last part', [start(), part(1, 'a'), end(2)]],
  ])('notices that %s is missing', async (_, messages) => {
    expect(await failing(read(...messages, { result: 1 }))).toMatchObject({ code: 'GAP' });
  });

  it('fails with the error of the answer', async () => {
    const error = { error: { code: -32800, message: 'cancelled' } };
    expect(await failing(read(start(), part(1, 'a'), error))).toMatchObject({ code: -32800 });
  });

  it('fails when the answer is missing', async () => {
    expect(await failing(read(start(), part(1, 'a')))).toMatchObject({ code: 'CLOSED' });
    expect(server.sent).toHaveLength(1);
  });

  it('tells progress', async () => {
    server.answers.push(events({ method: '$/progress', params: { token: 1, value: 2 } }, { result: 1 }));
    const one = client();
    const seen: unknown[] = [];
    one.on('progress', (params) => seen.push(params));
    expect(await one.stream('write').next()).toEqual({ done: true, value: 1 });
    expect(seen).toEqual([{ token: 1, value: 2 }]);
  });
});
