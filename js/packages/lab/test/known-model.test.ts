import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askForModel } from '../src/known-model.ts';

const ask = vi.fn();
const answer = (body: unknown, ok = true) => ({ ok, json: async () => body });

beforeEach(() => {
  vi.stubGlobal('fetch', ask);
  document.body.innerHTML =
    '<script id="jupyter-config-data" type="application/json">{"baseUrl": "/user/a/", "token": "t", "appendToken": "true"}</script>';
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

it('asks the page’s server', async () => {
  ask.mockResolvedValueOnce(answer({ model: 'openai/gpt-a', demo: false, message: '' }));
  expect(await askForModel()).toEqual({ model: 'openai/gpt-a', message: '' });
  const [url, { headers }] = ask.mock.lastCall as [URL, { headers: unknown }];
  expect([url.pathname, headers]).toEqual(['/user/a/jupyter-ac/model', { Authorization: 'token t' }]);
});

it.each([
  ['an error', () => Promise.resolve(answer({ message: 'no' }, false))],
  ['another answer', () => Promise.resolve(answer({ model: 1 }))],
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])('knows nothing after %s', async (_name, reply) => {
  ask.mockImplementationOnce(reply);
  expect(await askForModel()).toBeNull();
});

it('knows nothing on a page without a server', async () => {
  document.body.replaceChildren();
  expect(await askForModel()).toBeNull();
});
