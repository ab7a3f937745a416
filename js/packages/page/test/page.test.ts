import { describe, expect, it, vi } from 'vitest';
import { diagnose } from '../src/http-requests.ts';
import {
  type CellRunner,
  clientId,
  type Fetch,
  findNearbyRepositories,
  initRepository,
  type JupyterTarget,
  type KernelAccess,
  type OpenDocuments,
  openPlainFolder,
  type PageConfig,
  pageCellRunner,
  pageConfig,
  pageKernelAccess,
  pageOpenDocuments,
  parseNearbyRepositories,
  postCall,
  provideCellRunner,
  provideKernelAccess,
  provideOpenDocuments,
  serverRoot,
  socketUrl,
  staticUrl,
  targetKey,
} from '../src/index.ts';

const HREF = 'https://hub.example/user/ann/lab/tree/a.ipynb?token=t';

function config(data: object, href = HREF): PageConfig {
  const page = pageConfig(JSON.stringify(data), href);
  if (!page) throw new Error('not a Jupyter page');
  return page;
}

describe("the page's configuration", () => {
  it('has absolute addresses under the base URL of a hub', () => {
    expect(config({ baseUrl: '/user/ann/', wsUrl: '', token: 't' })).toEqual({
      baseUrl: 'https://hub.example/user/ann/',
      wsUrl: 'wss://hub.example/user/ann/',
      token: 't',
      appendToken: false,
    });
  });

  it('takes a socket address of its own, and then needs the token', () => {
    const page = config({ baseUrl: '/', wsUrl: 'wss://other.example/base', token: 't' });
    expect(page.wsUrl).toBe('wss://other.example/base/');
    expect(page.appendToken).toBe(true);
  });

  it('adds a missing slash', () => {
    expect(config({ baseUrl: '/lab-server' }).baseUrl).toBe('https://hub.example/lab-server/');
  });

  it.each(['', null, 'not json', '[]', '{}', '{"baseUrl":3}'])('is none when the page says %j', (json) => {
    expect(pageConfig(json, HREF)).toBeNull();
  });
});

describe("the server's folder", () => {
  it.each([
    ['{"serverRoot":"~/work"}', '~/work'],
    ['{"serverRoot":"/srv/"}', '/srv'],
    ['{"serverRoot":"/"}', ''],
    ['{"serverRoot":3}', null],
    ['', null],
  ])('of %j is %j', (json, root) => {
    expect(serverRoot(json)).toBe(root);
  });
});

it('finds the documents that another bundle on the page offers', () => {
  expect(pageOpenDocuments()).toBeNull();
  const documents: OpenDocuments = {
    unsaved: () => ['~/a.py'],
    notebooks: () => [],
    edit: () => ({ status: 'refused' }),
    changed: () => {},
  };
  provideOpenDocuments(documents);
  expect(pageOpenDocuments()).toBe(documents);
});

it('finds what runs cells in the notebooks of the page', () => {
  expect(pageCellRunner()).toBeNull();
  const runner: CellRunner = {
    run: async () => ({ status: 'ok', outputs: [] }),
    interrupt: async () => {},
    kernelOf: async () => '',
    variablesOf: async () => null,
    kernelValue: async () => ({ value: null, error: null }),
  };
  provideCellRunner(runner);
  expect(pageCellRunner()).toBe(runner);
});

it('finds the kernel that another bundle on the page offers', () => {
  expect(pageKernelAccess()).toBeNull();
  const access = {} as KernelAccess;
  provideKernelAccess(access);
  expect(pageKernelAccess()).toBe(access);
});

describe('addresses', () => {
  const page = config({ baseUrl: '/user/ann/', token: 'secret' });
  const place: JupyterTarget = {
    kind: 'jupyter',
    page,
    client: 'abc',
    repo: '/home/ann/my repo&x=1',
    nonce: 'n0',
  };

  it('name repository, client and nonce, and leave the token to the cookie', () => {
    const url = new URL(socketUrl(place));
    expect(url.origin + url.pathname).toBe('wss://hub.example/user/ann/jupyter-ac/rpc');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      repo: '/home/ann/my repo&x=1',
      client: 'abc',
      nonce: 'n0',
    });
  });

  it('have no repository when the server root is meant, and the token where it is needed', () => {
    const url = new URL(
      socketUrl({ ...place, repo: null, nonce: null, page: { ...page, appendToken: true } }),
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({ client: 'abc', token: 'secret' });
  });

  it('keep an empty repository: the root folder of the side panel', () => {
    expect(new URL(socketUrl({ ...place, repo: '' })).searchParams.get('repo')).toBe('');
  });

  it('keep the token of a stand-alone server, and add the client', () => {
    const own = { kind: 'page', url: 'ws://127.0.0.1:18080/?token=secret', client: 'abc' } as const;
    expect(socketUrl(own)).toBe('ws://127.0.0.1:18080/?token=secret&client=abc');
    expect(targetKey(own)).toBe('ws://127.0.0.1:18080');
  });

  it('tell the kernel which page it is', () => {
    expect(socketUrl({ kind: 'relay', key: '/home/ann', client: 'a b' })).toBe('relay:?client=a+b');
  });

  it('find the static files under the base URL', () => {
    expect(staticUrl(page, 'ui-1a2b3c.js')).toBe(
      'https://hub.example/user/ann/jupyter-ac/static/ui-1a2b3c.js',
    );
  });
});

describe('the client id', () => {
  it('stays the same for a page and is another for the next', () => {
    const store = new Map<string, string>();
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    };
    const first = clientId(storage);
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    expect(clientId(storage)).toBe(first);
    expect(clientId(null)).not.toBe(first);
  });

  it('does without storage where that is forbidden', () => {
    const forbidden = () => {
      throw new Error('forbidden');
    };
    expect(clientId({ getItem: forbidden, setItem: forbidden })).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('a call by POST', () => {
  const place: JupyterTarget = {
    kind: 'jupyter',
    page: config({ baseUrl: '/user/ann/' }),
    client: 'c',
    repo: 'work',
    nonce: null,
  };
  const { signal } = new AbortController();

  it('names the repository and the page, and gives the result', async () => {
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response('{"jsonrpc": "2.0", "id": 1, "result": [7]}'));
    expect(await postCall(place, 'Repo.x', ['a'], { signal, cookies: '_xsrf=2|ab', ask })).toEqual([7]);
    const [url, request] = ask.mock.calls[0] ?? [];
    expect(String(url)).toBe('https://hub.example/user/ann/jupyter-ac/rpc?repo=work&client=c');
    expect(new Headers(request?.headers).get('X-XSRFToken')).toBe('2|ab');
    expect(JSON.parse(String(request?.body))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'Repo.x',
      params: ['a'],
    });
    expect(request?.signal).toBe(signal);
  });

  it('rejects with the sentence of the server, or with the status', async () => {
    const refusal = '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "Too many."}}';
    const ask = vi.fn<Fetch>().mockResolvedValueOnce(new Response(refusal));
    await expect(postCall(place, 'Repo.x', [], { signal, cookies: '', ask })).rejects.toThrow('Too many.');
    ask.mockResolvedValueOnce(new Response('<html>', { status: 403 }));
    await expect(postCall(place, 'Repo.x', [], { signal, cookies: '', ask })).rejects.toThrow('403');
  });
});

describe('git init', () => {
  const page = config({ baseUrl: '/user/ann/' });
  const place: JupyterTarget = { kind: 'jupyter', page, client: 'c', repo: 'work', nonce: null };

  it('is a POST with the XSRF token of the cookie', async () => {
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response('{}', { status: 201 }));
    await initRepository(place, '/home/ann/work', 'a=1; _xsrf=2|ab%7Ccd; b=2', ask);
    const [url, request] = ask.mock.calls[0] ?? [];
    expect(String(url)).toBe('https://hub.example/user/ann/jupyter-ac/repository');
    expect(request?.method).toBe('POST');
    expect(new Headers(request?.headers).get('X-XSRFToken')).toBe('2|ab|cd');
    expect(JSON.parse(String(request?.body))).toEqual({ path: 'work', confirm: '/home/ann/work' });
  });

  it('is not run where the folder is opened without a repository', async () => {
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response('{}', { status: 201 }));
    await openPlainFolder(place, '/home/ann/work', '', ask);
    expect(JSON.parse(String(ask.mock.calls[0]?.[1]?.body))).toEqual({
      path: 'work',
      confirm: '/home/ann/work',
      git: false,
    });
    ask.mockResolvedValue(new Response('<html>', { status: 500 }));
    await expect(openPlainFolder(place, '/w', '', ask)).rejects.toThrow('500');
  });

  it('rejects with the sentence of the server', async () => {
    const body = JSON.stringify({ message: 'The folder is not writable.' });
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response(body, { status: 403 }));
    await expect(initRepository(place, '/w', '', ask)).rejects.toThrow('The folder is not writable.');
  });

  it.each([
    { kind: 'page', url: 'ws://127.0.0.1:1/', client: 'c' } as const,
    { kind: 'relay', key: '', client: 'c' } as const,
  ])('is left to the person where there is no Jupyter server: $kind', async (other) => {
    await expect(initRepository(other, '/w', '')).rejects.toThrow('Run `git init`');
    await expect(findNearbyRepositories(other)).rejects.toThrow('Run `git init`');
  });

  it('rejects with the status when there is no sentence', async () => {
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response('<html>', { status: 500 }));
    await expect(initRepository(place, '/w', '', ask)).rejects.toThrow('500');
  });
});

describe('what is near a folder', () => {
  const page = config({ baseUrl: '/user/ann/', token: 't', appendToken: 'true' });
  const place: JupyterTarget = { kind: 'jupyter', page, client: 'c', repo: 'a b', nonce: null };
  const told = {
    folder: '/home/ann/a b',
    above: [{ path: '/home/ann', name: '/home/ann' }],
    below: [{ path: '/home/ann/a b/c', name: 'c' }],
    complete: false,
    refusal: 'Too large.',
  };

  it('is asked of the server, for the folder of the place', async () => {
    const ask = vi.fn<Fetch>().mockResolvedValue(Response.json(told));
    const { complete: isComplete, ...more } = told;
    expect(await findNearbyRepositories(place, ask)).toEqual({ ...more, isComplete, plainRefusal: null });
    const [url, request] = ask.mock.calls[0] ?? [];
    expect(String(url)).toBe('https://hub.example/user/ann/jupyter-ac/repository?path=a+b');
    expect(request?.method).toBeUndefined();
    expect(new Headers(request?.headers).get('Authorization')).toBe('token t');
  });

  it.each([
    [JSON.stringify({ message: 'The server sees no such folder.' }), 404, 'no such folder'],
    ['<html>', 405, '405'],
    ['{}', 200, 'did not say which folder'],
  ])('rejects with a sentence: %s', async (body, status, words) => {
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response(body, { status }));
    await expect(findNearbyRepositories(place, ask)).rejects.toThrow(words);
  });

  it('is nothing when the folder lies in a repository by now', async () => {
    const ask = vi.fn<Fetch>().mockResolvedValue(Response.json({ message: 'It is.' }, { status: 409 }));
    expect(await findNearbyRepositories(place, ask)).toBeNull();
  });

  it('is read as far as it can be', () => {
    expect(parseNearbyRepositories({ folder: '/w', above: [1, { path: '/' }], below: 'x' })).toEqual({
      folder: '/w',
      above: [],
      below: [],
      isComplete: true,
      refusal: '',
      plainRefusal: null,
    });
    expect(parseNearbyRepositories({ folder: '/w', plain_refusal: '' }).plainRefusal).toBe('');
  });
});

describe('a socket that fails', () => {
  const page = config({ baseUrl: '/' });
  const place: JupyterTarget = { kind: 'jupyter', page, client: 'c', repo: null, nonce: null };

  it.each([
    [404, 'does not run jupyter_ac'],
    [502, '502'],
    [200, 'log in again'],
  ])('with health at status %i: %s', async (status, words) => {
    const ask = vi.fn<Fetch>().mockResolvedValue(new Response('', { status }));
    expect(await diagnose(place, ask)).toContain(words);
  });

  it.each([
    ['?token=old', { allowed: false }, "refuses this page's token"],
    ['', { allowed: false }, 'this page has none'],
    ['?token=right', { allowed: true }, 'It is tried again'],
    ['', { allowed: 'yes' }, 'refused the connection'],
    ['', null, 'refused the connection'],
  ])('with a stand-alone server that is up, %s %o: %s', async (query, access, words) => {
    const ask = vi.fn<Fetch>(async (url) =>
      String(url).includes('/access') ? Response.json(access) : new Response('{}'),
    );
    const own = { kind: 'page', url: `ws://127.0.0.1:18080/rpc${query}`, client: 'c' } as const;
    expect(await diagnose(own, ask)).toContain(words);
    expect(ask.mock.calls.map(([url]) => String(url))).toEqual([
      'http://127.0.0.1:18080/health',
      `http://127.0.0.1:18080/access${query}`,
    ]);
  });

  it.each([
    [200, 'open the address that it printed'],
    [500, 'status 500'],
  ])('with a stand-alone health at status %i: %s', async (status, words) => {
    const ask = vi.fn<Fetch>(async () => new Response('', { status }));
    const own = { kind: 'page', url: 'ws://127.0.0.1:18080/?token=secret', client: 'c' } as const;
    expect(await diagnose(own, ask)).toContain(words);
    expect(String(ask.mock.calls[0]?.[0])).toBe('http://127.0.0.1:18080/health');
  });

  it('with a stand-alone server that is gone: how to start it', async () => {
    const ask = vi.fn<Fetch>().mockRejectedValue(new TypeError('network'));
    const own = { kind: 'page', url: 'ws://127.0.0.1:18081/', client: 'c' } as const;
    expect(await diagnose(own, ask)).toContain('port 18081: start `jupyter ac serve`');
  });

  it('with no health at all: not reached', async () => {
    const ask = vi.fn<Fetch>().mockRejectedValue(new TypeError('network'));
    expect(await diagnose(place, ask)).toBe("The Jupyter server can't be reached.");
  });
});
