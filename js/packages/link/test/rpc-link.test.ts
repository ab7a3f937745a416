import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KERNEL_LOST } from '../src/close-codes.ts';
import { type DocumentRequests, EVENT_NAMES, type EventName } from '../src/events.ts';
import {
  define,
  type Events,
  HANDSHAKE_MS,
  type LinkStatus,
  RETRY_DELAYS_MS,
  RpcError,
  RpcLink,
  tagOf,
} from '../src/index.ts';
import { FakeSocket } from './fake-socket.ts';

define('ac-link', RpcLink);

const METHODS = ['Repo.is_clean', 'Repo.get_file_content'];

let link: RpcLink;
let sockets: FakeSocket[];
let statuses: LinkStatus[];

function latest(): FakeSocket {
  const socket = sockets.at(-1);
  if (!socket) throw new Error('no socket was opened');
  return socket;
}

declare function setImmediate(run: (value: unknown) => void): void;

/** Lets jrpc's queued callbacks and our promises run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resume) => setImmediate(resume));
}

async function connect(): Promise<void> {
  latest().accept();
  await settle();
  latest().answerHandshake(METHODS);
  await settle();
}

async function openAndConnect(): Promise<void> {
  link.open('ws://host/rpc', (uri) => {
    const socket = new FakeSocket(uri);
    sockets.push(socket);
    return socket;
  });
  await connect();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  link = document.createElement(tagOf('ac-link')) as RpcLink;
  sockets = [];
  statuses = [];
  link.onStatus((status) => statuses.push(status));
});

afterEach(() => {
  link.close();
  vi.useRealTimers();
});

describe('a connection', () => {
  it('is open once the handshake is answered, and shows nothing', async () => {
    await openAndConnect();
    expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'open']);
    expect(link.connected).toBe(true);
    expect(link.textContent).toBe('');
  });

  it('lists the AcApp events and the handshake itself, nothing else', async () => {
    await openAndConnect();
    const [upgrade] = latest().requests('system.listComponents');
    const listed = Object.keys(upgrade?.params as object).filter((name) => !name.startsWith('system.'));
    expect(listed.sort()).toEqual(EVENT_NAMES.map((name) => `AcApp.${name}`).sort());
  });

  it('exposes a class that is added later too, in this connection and in the next, in the order of the frames', async () => {
    await openAndConnect();
    const got: unknown[] = [];
    class Later {
      show(...args: unknown[]): true {
        got.push(args);
        return true;
      }
    }
    link.addClass(new Later(), 'Later');
    const push = async () => {
      await settle();
      const listed = latest()
        .requests('system.listComponents')
        .map(({ params }) => Object.keys(params as object));
      expect(listed.some((names) => names.includes('Later.show'))).toBe(true);
      for (const number of [1, 2, 3])
        latest().receive({ jsonrpc: '2.0', method: 'Later.show', params: { args: ['a', number] } });
      await settle();
    };
    await push();
    latest().drop(1006);
    vi.advanceTimersByTime(RETRY_DELAYS_MS[0] as number);
    await connect();
    await push();
    expect(got).toEqual([1, 2, 3, 1, 2, 3].map((number) => ['a', number]));
  });

  it('hears every event that the server pushes', () => {
    // What is checked is the type: the generated names that are missing from ours.
    const unheard: [Exclude<keyof Events, EventName>] extends [never] ? 'none' : 'some' = 'none';
    expect(unheard).toBe('none');
  });

  it('calls and unwraps', async () => {
    await openAndConnect();
    const answer = link.rpcExtract('Repo.get_file_content', 'a.py', 'HEAD');
    await settle();
    const [request] = latest().requests('Repo.get_file_content');
    expect(request?.params).toEqual({ args: ['a.py', 'HEAD'] });
    latest().receive({ jsonrpc: '2.0', id: request?.id, result: 'print(1)' });
    await settle();
    expect(await answer).toBe('print(1)');
  });

  it('keeps the envelope of upstream for rpcCall: one remote, one value', async () => {
    await openAndConnect();
    const answer = link.rpcCall('Repo.is_clean');
    await settle();
    latest().receive({ jsonrpc: '2.0', id: latest().requests('Repo.is_clean')[0]?.id, result: true });
    await settle();
    expect(Object.values(await answer)).toEqual([true]);
  });

  it("turns the server's plain error object into an RpcError with its type", async () => {
    await openAndConnect();
    const failure = link.rpcExtract('Repo.get_file_content', 'a').catch((error: unknown) => error);
    await settle();
    const error = { code: -32000, message: 'no such file', data: { type: 'not_found', path: 'a' } };
    latest().receive({ jsonrpc: '2.0', id: latest().requests('Repo.get_file_content')[0]?.id, error });
    await settle();
    const caught = await failure;
    expect(caught).toBeInstanceOf(RpcError);
    expect(caught).toMatchObject({
      message: 'no such file',
      type: 'not_found',
      code: -32000,
      data: { path: 'a' },
    });
  });

  it('knows what the server offers, as long as there is one', async () => {
    expect(link.offers('Repo.is_clean')).toBe(false);
    await openAndConnect();
    expect(link.offers('Repo.is_clean')).toBe(true);
    expect(link.offers('Repo.get_file_tree')).toBe(false);
    link.close();
    expect(link.offers('Repo.is_clean')).toBe(false);
  });

  it('rejects a method that the server does not have', async () => {
    await openAndConnect();
    const failure = link.rpcExtract('Repo.get_file_tree').catch((error: unknown) => error);
    await settle();
    expect(await failure).toMatchObject({ type: 'unsupported' });
  });

  it('rejects a call that is never answered, with the method in the sentence', async () => {
    await openAndConnect();
    const failure = link.rpcExtract('Repo.is_clean').catch((error: unknown) => error);
    await settle();
    await vi.advanceTimersByTimeAsync(61_000);
    await settle();
    expect(await failure).toMatchObject({
      type: 'timeout',
      message: expect.stringContaining('Repo.is_clean'),
    });
  });

  it('rejects calls before the handshake instead of throwing', async () => {
    await expect(link.rpcExtract('Repo.is_clean')).rejects.toMatchObject({ type: 'closed' });
  });
});

describe('events', () => {
  it('reach their listeners, and each is answered with true', async () => {
    await openAndConnect();
    const heard: unknown[][] = [];
    link.on('streamDelta', (...args) => heard.push(args));
    latest().receive({
      jsonrpc: '2.0',
      id: 's1',
      method: 'AcApp.streamDelta',
      params: { args: ['id', 0, 'Hi'] },
    });
    await settle();
    expect(heard).toEqual([['id', 0, 'Hi']]);
    expect(latest().sent.find((frame) => frame.id === 's1')).toMatchObject({ result: true });
  });

  it('go on when one listener throws', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    await openAndConnect();
    const heard: unknown[] = [];
    link.on('filesChanged', () => {
      throw new Error('listener');
    });
    link.on('filesChanged', (paths) => heard.push(paths));
    latest().receive({ jsonrpc: '2.0', method: 'AcApp.filesChanged', params: { args: [['a']] } });
    await settle();
    expect(heard).toEqual([['a']]);
    expect(report).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  it('stop after disposal', async () => {
    await openAndConnect();
    const heard: unknown[] = [];
    link.on('filesChanged', (paths) => heard.push(paths))();
    latest().receive({ jsonrpc: '2.0', method: 'AcApp.filesChanged', params: { args: [[]] } });
    await settle();
    expect(heard).toEqual([]);
  });

  it.each(['null', '[null]', 'not json', '7', '{"jsonrpc":"2.0","method":"AcApp.filesChanged","id":"x"}'])(
    'survive the frame %s',
    async (frame) => {
      await openAndConnect();
      latest().receive(frame);
      await settle();
      expect(link.connected).toBe(true);
    },
  );
});

describe('requests for open documents', () => {
  const documents = (unsaved: readonly string[]): DocumentRequests => ({
    getUnsavedFiles: () => unsaved,
    getOpenNotebooks: (paths) =>
      paths.map((path) => ({ path, language: '', nbformat_minor: 5, cells: [], unsaved: true, idle_ms: 1 })),
    applyNotebookEdit: ({ path }) => ({ status: 'refused', reason: path }),
  });
  const question = { jsonrpc: '2.0', id: 7, method: 'AcApp.getUnsavedFiles', params: { args: [] } };

  it('are listed as a question where there is an answer', async () => {
    link.answerDocumentRequests(documents([]));
    await openAndConnect();
    const [upgrade] = latest().requests('system.listComponents');
    expect(upgrade?.params).toHaveProperty(['AcApp.getUnsavedFiles']);
    expect(upgrade?.params).toHaveProperty(['AcApp.filesChanged']);
  });

  it('are told at once, so that a hidden page waits for no timer', async () => {
    link.answerDocumentRequests(documents(['~/work/a.py']));
    await openAndConnect();
    latest().receive(question);
    const answers = () => latest().sent.filter((frame) => frame.id === 7);
    expect(answers()).toEqual([{ jsonrpc: '2.0', id: 7, result: ['~/work/a.py'] }]);
    await settle();
    expect(answers()).toHaveLength(1);
  });

  it('carry their arguments', async () => {
    link.answerDocumentRequests(documents([]));
    await openAndConnect();
    latest().receive({ jsonrpc: '2.0', id: 8, method: 'AcApp.getOpenNotebooks', params: { args: [['a']] } });
    const edit = { path: 'b', file: 'b', operations: [] };
    latest().receive({ jsonrpc: '2.0', id: 9, method: 'AcApp.applyNotebookEdit', params: { args: [edit] } });
    expect(latest().sent.find((frame) => frame.id === 8)).toHaveProperty('result.0.path', 'a');
    expect(latest().sent.find((frame) => frame.id === 9)).toHaveProperty('result.reason', 'b');
  });

  it('are no question for a page that has none', async () => {
    await openAndConnect();
    latest().receive(question);
    await settle();
    expect(latest().sent.find((frame) => frame.id === 7)).toHaveProperty('error.code', -32601);
  });
});

describe('cells to run', () => {
  const cell = { run_id: 'r1', kernel_id: 'k', code: '1', sha256: 'x', time_limit_s: 60 };
  const asked = (method: string, ...args: unknown[]) => ({ jsonrpc: '2.0', id: 8, method, params: { args } });
  const answer = () => latest().sent.find((frame) => frame.id === 8);

  it('are listed where a page can run them, and answered with their result', async () => {
    const result = { status: 'ok', outputs: [] };
    const run = vi.fn(async () => result);
    const interrupt = vi.fn(async () => {});
    const [kernelOf, variablesOf] = [async () => 'k', async () => ({ variables: [] })];
    const kernelValue = async () => ({ value: null, error: null });
    link.answerCellRuns({ run, interrupt, kernelOf, variablesOf, kernelValue });
    await openAndConnect();
    const [upgrade] = latest().requests('system.listComponents');
    expect(upgrade?.params).toHaveProperty(['AcApp.runCell']);
    latest().receive(asked('AcApp.runCell', cell));
    await settle();
    expect(answer()).toEqual({ jsonrpc: '2.0', id: 8, result });
    expect(run).toHaveBeenCalledExactlyOnceWith(cell);
    latest().receive(asked('AcApp.interruptCell', 'r1'));
    await settle();
    expect(interrupt).toHaveBeenCalledExactlyOnceWith('r1');
    latest().receive({ ...asked('AcApp.notebookKernel', 'a.ipynb'), id: 9 });
    latest().receive({ ...asked('AcApp.listVariables', 'a.ipynb'), id: 10 });
    latest().receive({ ...asked('AcApp.kernelValue', 'describe_variable', 'n'), id: 11 });
    await settle();
    const results = [9, 10, 11].map((id) => latest().sent.find((frame) => frame.id === id)?.result);
    expect(results).toEqual(['k', { variables: [] }, { value: null, error: null }]);
  });

  it('that fail are answered with the reason', async () => {
    const run = () => Promise.reject(new Error('not the code that was approved'));
    const [kernelOf, variablesOf] = [async () => '', async () => null];
    const kernelValue = async () => ({ value: null, error: null });
    link.answerCellRuns({ run, interrupt: async () => {}, kernelOf, variablesOf, kernelValue });
    await openAndConnect();
    latest().receive(asked('AcApp.runCell', cell));
    await settle();
    const result = { status: 'failed', reason: 'not the code that was approved', outputs: [] };
    expect(answer()).toEqual({ jsonrpc: '2.0', id: 8, result });
  });

  it('are no request for a page that has no notebooks', async () => {
    await openAndConnect();
    const [upgrade] = latest().requests('system.listComponents');
    expect(upgrade?.params).not.toHaveProperty(['AcApp.runCell']);
  });
});

describe('a lost connection', () => {
  it('settles all pending calls at once', async () => {
    await openAndConnect();
    const failures = [link.rpcExtract('Repo.is_clean'), link.rpcExtract('Repo.is_clean')].map((call) =>
      call.catch((error: unknown) => error),
    );
    await settle();
    latest().drop(1006);
    for (const failure of await Promise.all(failures)) expect(failure).toMatchObject({ type: 'closed' });
  });

  it('comes back after 1, 2, 4, 8, 15, 15 s, and after 1 s again once it has worked', async () => {
    await openAndConnect();
    for (const delay of [...RETRY_DELAYS_MS, 15_000]) {
      latest().drop(1006);
      expect(link.status).toMatchObject({ state: 'waiting', delayMs: delay });
      const opened = sockets.length;
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(sockets).toHaveLength(opened);
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets).toHaveLength(opened + 1);
    }
    await connect();
    expect(link.status).toEqual({ state: 'open', first: false });
    latest().drop(1006);
    expect(link.status).toMatchObject({ delayMs: 1000 });
  });

  it.each([4401, 4403, 4404, 4409])('stays away after %i and says why', async (code) => {
    await openAndConnect();
    latest().drop(code, 'Because.');
    expect(link.status).toEqual({ state: 'refused', code, reason: 'Because.' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    link.retry();
    expect(sockets).toHaveLength(2);
  });

  it('waits for a word when it led through a kernel that is gone', async () => {
    await openAndConnect();
    latest().drop(KERNEL_LOST, 'The kernel is gone.');
    const delayMs = Number.POSITIVE_INFINITY;
    expect(link.status).toEqual({
      state: 'waiting',
      code: KERNEL_LOST,
      reason: 'The kernel is gone.',
      delayMs,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    link.retry();
    expect(sockets).toHaveLength(2);
  });

  it('has a sentence of its own when the server gives none', async () => {
    await openAndConnect();
    latest().drop(4404);
    expect(link.status).toMatchObject({ reason: 'There is no git repository here.' });
  });

  it('includes a handshake that is never answered', async () => {
    link.open('ws://host/rpc', (uri) => {
      const socket = new FakeSocket(uri);
      sockets.push(socket);
      return socket;
    });
    latest().accept();
    await vi.advanceTimersByTimeAsync(HANDSHAKE_MS);
    expect(link.status.state).toBe('waiting');
    expect(sockets[0]?.isClosed).toBe(true);
  });

  it('includes an address that is none', () => {
    link.open('not a url');
    expect(link.status.state).toBe('waiting');
  });
});

describe('generations', () => {
  it('has the old socket closed before a new one is opened', async () => {
    await openAndConnect();
    const [old] = sockets;
    let wasClosed: boolean | undefined;
    link.open('ws://other/rpc', (uri) => {
      wasClosed = old?.isClosed;
      const socket = new FakeSocket(uri);
      sockets.push(socket);
      return socket;
    });
    expect(wasClosed).toBe(true);
  });

  it('hears nothing from a socket that has been replaced', async () => {
    await openAndConnect();
    const [old] = sockets;
    const { onmessage, onclose } = old ?? {};
    const heard: unknown[] = [];
    link.on('filesChanged', (paths) => heard.push(paths));
    link.serverChanged();
    const frame = { jsonrpc: '2.0', method: 'AcApp.filesChanged', params: { args: [['old']] } };
    onmessage?.({ data: JSON.stringify(frame) });
    onclose?.({ code: 4403, reason: 'old' });
    await settle();
    expect(heard).toEqual([]);
    expect(link.status.state).toBe('connecting');
  });

  it('never has more than one remote, so that calls are not doubled', async () => {
    await openAndConnect();
    link.serverChanged();
    await connect();
    latest().drop(1006);
    await vi.advanceTimersByTimeAsync(1000);
    await connect();
    expect(Object.keys(link.remotes ?? {})).toHaveLength(1);
    void link.rpcExtract('Repo.is_clean').catch(() => {});
    await settle();
    expect(sockets.flatMap((socket) => socket.requests('Repo.is_clean'))).toHaveLength(1);
  });

  it('ignores a handshake that was under way when its socket went', async () => {
    await openAndConnect();
    const [first] = sockets;
    link.serverChanged();
    first?.answerHandshake(METHODS);
    await settle();
    expect(link.connected).toBe(false);
  });

  it('stays closed after close', async () => {
    await openAndConnect();
    const { onclose } = latest();
    link.close();
    onclose?.({ code: 1006, reason: '' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    expect(link.status).toEqual({ state: 'idle' });
  });
});
