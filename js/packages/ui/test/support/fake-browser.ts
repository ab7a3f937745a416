/** A browser with pages as the server reports them, in the hands of the test. */

import { RpcError } from '@jupyter-ac/link/rpc';
import type { FakeRpc } from './fake-rpc.ts';

export interface FakeTarget {
  id: string;
  type: string;
  title: string;
  url: string;
  browser: string;
  launched: boolean;
  watched: boolean;
  state: string;
  epoch: number;
  granted: string[];
  events: number;
  errors: number;
  [more: string]: unknown;
}

export function fakeTarget(id: string, more: Partial<FakeTarget> = {}): FakeTarget {
  const plain = {
    type: 'page',
    title: `Page ${id}`,
    url: `http://localhost:8000/${id}`,
    browser: '127.0.0.1:9222',
  };
  const unwatched = {
    launched: false,
    watched: false,
    state: 'disconnected',
    epoch: 0,
    granted: [],
    events: 0,
    errors: 0,
  };
  return { id, ...plain, ...unwatched, ...more };
}

export function watchedTarget(id: string, more: Partial<FakeTarget> = {}): FakeTarget {
  return fakeTarget(id, { watched: true, state: 'connected', epoch: 1, ...more });
}

export function fakeRequest(id: number, more: object = {}): object {
  const plain = {
    method: 'GET',
    status: 200,
    url: `http://localhost:8000/api/items/${id}`,
    type: 'Fetch',
    size: 1200,
  };
  return { id, ...plain, time_ms: 12.4, state: 'complete', ...more };
}

export function fakeMessage(id: number, level: string, message: string, more: object = {}): object {
  return { id, level, source: 'console-api', message, timestamp: 1_780_000_000 + id, ...more };
}

/** Refusal of a method that needs the user's consent. */
export function consentError(...consent: string[]): RpcError {
  return new RpcError('It needs your consent.', 'invalid_state', -32000, { consent });
}

export class FakeBrowser {
  targets: FakeTarget[] = [];
  messages: object[] = [];
  requests: object[] = [];
  news: object[] = [];
  rules: object = {};
  groups: Record<string, { enabled: boolean; hide?: object }> = {};
  /** Whole elements, for `get_selection`. */
  selections: Record<string, object> = {};
  error: object | null = null;
  page: object | null = null;
  /** State of the connection to it. */
  connected = 'connected';

  constructor(private readonly rpc: FakeRpc) {
    const { ready } = rpc;
    ready.set('Browser.status', () => this.state());
    ready.set('Browser.targets', () => ({ targets: this.targets }));
    ready.set('Browser.console', (limit, level) => {
      const found = this.messages.filter(
        (message) => !level || (message as { level: string }).level === level,
      );
      return { messages: found.slice(0, Number(limit)) };
    });
    ready.set('Browser.network', (limit) => ({ requests: this.requests.slice(0, Number(limit)) }));
    ready.set('Browser.request', (_id, wanted) => ({ entry: this.#entry(wanted) }));
    ready.set('Browser.filters_status', () => this.groups);
    ready.set('Browser.get_fetch_rules', () => this.rules);
    ready.set('Browser.get_news', () => ({ items: this.news }));
    ready.set('Browser.take_news', () => {
      const items = this.news;
      this.news = [];
      return { items };
    });
    ready.set('Browser.watch', (id) => this.#watch(String(id), true));
    ready.set('Browser.unwatch', (id) => this.#watch(String(id), false));
    ready.set('Browser.get_selection', (id) => this.selections[String(id)]);
    ready.set('Browser.grant', (id, actions) => {
      const granted = actions as string[];
      this.targets = this.targets.map((target) => (target.id === id ? { ...target, granted } : target));
      return { granted };
    });
    for (const name of [
      'start_inspect',
      'stop_inspect',
      'reload',
      'quit',
      'dismiss_errors',
      'clear',
      'connect',
      'clear_selections',
      'handle_dialog',
      'navigate',
    ]) {
      ready.set(`Browser.${name}`, () => ({ success: true }));
    }
    for (const name of [
      'set_fetch_rules',
      'fetch_resume',
      'fetch_fail',
      'fetch_fulfill',
      'fetch_enable',
      'fetch_disable',
      'filters_enable',
      'filters_add',
      'filters_remove',
      'filters_disable',
    ]) {
      ready.set(`Browser.${name}`, () => ({}));
    }
  }

  state(): object {
    const isConnected = this.page !== null;
    return {
      connectionState: isConnected ? this.connected : 'disconnected',
      epoch: 1,
      connected: isConnected,
      page: this.page,
      browser: { inspect_active: false, selections: {}, prompt: '', pending_count: 0 },
      error: this.error,
    };
  }

  /** Tells the panel that something has changed. */
  async tell(): Promise<void> {
    await this.rpc.emit('browserChanged', this.state());
  }

  /** A method that is refused until the actions are granted. */
  needConsent(method: string, ...actions: string[]): void {
    this.rpc.ready.set(method, (...args) => {
      const target = this.targets.find(({ id }) => args.includes(id));
      if (actions.every((action) => target?.granted.includes(action))) return {};
      return Promise.reject(consentError(...actions));
    });
  }

  #watch(id: string, watched: boolean): FakeTarget | undefined {
    const change = watched ? { watched, state: 'connected', epoch: 1 } : { watched, state: 'disconnected' };
    this.targets = this.targets.map((target) => (target.id === id ? { ...target, ...change } : target));
    return this.targets.find((target) => target.id === id);
  }

  #entry(wanted: unknown): object {
    if (String(wanted) === 'response.content')
      return { response: { content: { text: '{"error": "no such item"}', mimeType: 'application/json' } } };
    return {
      request: {
        method: 'GET',
        headers: [
          { name: 'Accept', value: 'application/json' },
          { name: 'Cookie', value: '[masked]' },
        ],
      },
      response: { status: 200, headers: [{ name: 'content-type', value: 'application/json' }] },
    };
  }
}
