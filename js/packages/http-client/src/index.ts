/** A client of a jupyter_ac host for browsers and node: calls by POST, the state by Server-Sent Events. */

import { HttpClientError, type Json } from './errors.ts';
import { eventData } from './event-data.ts';
import { acts, isStale, mayPass, pauseMs, record } from './retrying.ts';

export { HttpClientError, type Json };

export type State = Json & { readonly epoch: number; readonly connectionState?: string };
export type Params = Json | readonly unknown[];
export type Happening = 'state' | 'progress' | 'error';
type Callback = (value: unknown) => void;

export interface Options {
  token?: string;
  /** Longest time for an answer, and between two parts of a stream. */
  timeoutMs?: number;
  fetch?: typeof fetch;
  sleep?: (ms: number) => Promise<void>;
  /** Returns a number from 0 to 1. */
  random?: () => number;
}

export interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Calls with the same key are done once within ten minutes; the client makes one where it repeats a call. */
  idempotencyKey?: string;
}

const TRIES = 3;
const STATE_MS = 2000;
/** Three times the longest pause between two keep-alive comments of a server. */
const SILENT_MS = 90_000;

export class HttpClient {
  /** What the host told last (seed 003). Epoch 0: none is known, and none is sent with calls. */
  state: State = { epoch: 0 };
  private methods: Json = {};
  private readonly callbacks = new Map<Happening, Set<Callback>>();
  private readonly closing = new AbortController();
  private readonly base: URL;
  private readonly headers: Record<string, string>;
  private readonly options: Required<Omit<Options, 'token'>>;
  private following: Promise<void> | null = null;
  private setSettled = () => {};
  private readonly settled = new Promise<void>((resolve) => {
    this.setSettled = resolve;
  });

  /**
   * @param url of the host, in a browser also relative: `http://127.0.0.1:18080/?token=…` or
   *   `{base_url}jupyter-ac/?repo=…`
   */
  constructor(url: string | URL, { token, ...options }: Options = {}) {
    this.base = new URL(url, globalThis.location?.href);
    this.base.protocol = this.base.protocol.replace('ws', 'http');
    const shown = token ?? this.base.searchParams.get('token');
    this.base.searchParams.delete('token');
    const xsrf = /(?:^|;\s*)_xsrf=([^;]*)/.exec(globalThis.document?.cookie ?? '')?.[1];
    this.headers = {
      ...(shown ? { Authorization: `token ${shown}` } : {}),
      ...(xsrf ? { 'X-XSRFToken': decodeURIComponent(xsrf) } : {}),
    };
    this.options = {
      timeoutMs: 30_000,
      fetch: (address, init) => fetch(address, init),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      random: Math.random,
      ...options,
    };
  }

  /**
   * Follows the state, and asks for the methods. Resolves when both are known or refused; what fails is told
   * to `on('error')`. Calls need no `connect`.
   */
  async connect(): Promise<void> {
    this.following ??= this.follow();
    try {
      this.methods = record(record(await this.call('rpc.discover')).methods);
    } catch (error) {
      // An older host doesn't tell its methods.
      if (!(error instanceof HttpClientError) || error.code !== -32601) this.emit('error', error);
    }
    await this.settled;
  }

  /** Ends the stream of states. */
  close(): void {
    this.closing.abort();
  }

  /** Calls back whenever it happens; returns what ends it. */
  on(happening: Happening, callback: Callback): () => void {
    const callbacks = this.callbacks.get(happening) ?? new Set();
    this.callbacks.set(happening, callbacks.add(callback));
    return () => callbacks.delete(callback);
  }

  /** Whether the host has the method and allows it in its present state. */
  canCall(method: string): boolean {
    if (!Object.hasOwn(this.methods, method)) return false;
    const required = record(this.methods[method]).requires_state;
    return !Array.isArray(required) || !required.length || required.includes(this.state.connectionState);
  }

  /** Calls a method. What failed for a reason that may pass is sent again, at most three times in all. */
  async call(method: string, params?: Params, options: CallOptions = {}): Promise<unknown> {
    const mayRepeat = method === 'rpc.discover' || record(this.methods[method]).access === 'read';
    const key = options.idempotencyKey ?? (mayRepeat ? undefined : newId());
    const message = { ...newMessage(method, params), idempotency_key: key };
    for (let tried = 0; ; tried++) {
      try {
        return await this.attempt(message, record(params), options);
      } catch (error) {
        if (!(error instanceof HttpClientError) || tried === TRIES - 1 || !mayPass(error)) throw error;
        await this.options.sleep(pauseMs(tried, this.options.random(), error.data));
      }
    }
  }

  /** Calls a method that answers with parts of a text: yields these, returns the result. Never sent again. */
  async *stream(method: string, params?: Params, options: CallOptions = {}): AsyncGenerator<string, unknown> {
    const message = newMessage(method, params);
    const limit = this.limit(options);
    const counts = new Map<unknown, number>();
    try {
      const response = await this.post(message, 'text/event-stream', limit.signal);
      for await (const data of eventData(response)) {
        const came = record(JSON.parse(data));
        if (came.method === undefined && came.id === message.id) return this.resultOf(came);
        const text = this.partOf(came, counts, limit.restart);
        if (text) yield text;
      }
    } catch (error) {
      throw translated(error, limit.signal);
    } finally {
      limit.end();
    }
    throw new HttpClientError(`${method}: the answer is missing`, 'CLOSED');
  }

  private async attempt(message: Json, params: Json, options: CallOptions): Promise<unknown> {
    try {
      return await this.send(message, options);
    } catch (error) {
      if (!(error instanceof HttpClientError) || !isStale(error) || acts(String(message.method))) throw error;
      await this.nextState();
      // Another target than the page has an epoch of its own.
      return await this.send(
        params.target ? { ...message, epoch: error.data.current_epoch } : message,
        options,
      );
    }
  }

  private async send(message: Json, options: CallOptions): Promise<unknown> {
    const limit = this.limit(options);
    try {
      const response = await this.post(message, 'application/json', limit.signal);
      return this.resultOf(record(await response.json()));
    } catch (error) {
      throw translated(error, limit.signal);
    } finally {
      limit.end();
    }
  }

  private post(message: Json, accept: string, signal: AbortSignal): Promise<Response> {
    const { epoch } = this.state;
    const headers = { 'Content-Type': 'application/json', Accept: accept };
    const body = JSON.stringify(epoch ? { epoch, ...message } : message);
    return this.request('rpc', { method: 'POST', headers, body, signal });
  }

  private async request(name: string, init: RequestInit): Promise<Response> {
    const address = new URL(this.base);
    address.pathname = `${address.pathname.replace(/\/(rpc)?$/, '')}/${name}`;
    const response = await this.options.fetch(address, {
      ...init,
      headers: { ...this.headers, ...init.headers },
    });
    if (response.ok) return response;
    const { message } = record(await response.json().catch(() => null));
    const sentence = typeof message === 'string' ? message : `The server answered ${response.status}.`;
    const after = Number(response.headers.get('Retry-After')) || 0;
    throw new HttpClientError(sentence, response.status, { retry_after: after });
  }

  private resultOf(answer: Json): unknown {
    if (Number.isInteger(answer.epoch)) this.state = { ...this.state, epoch: Number(answer.epoch) };
    if (answer.error === undefined || answer.error === null) return answer.result;
    const { code, message, data } = record(answer.error);
    const known = typeof code === 'number' || typeof code === 'string' ? code : 0;
    throw new HttpClientError(String(message ?? 'The call failed.'), known, record(data));
  }

  /** Text of a message of a stream; parts must come one after the other. */
  private partOf({ method, params }: Json, counts: Map<unknown, number>, onSign: () => void): string {
    const { stream_id: id, chunk, sequence, total_chunks: total } = record(params);
    const next = (counts.get(id) ?? Number.NaN) + 1;
    if (method === 'stream_start') counts.set(id, 0);
    else if (method === 'stream_data' && sequence === next) counts.set(id, next);
    else if (method === 'stream_data' || (method === 'stream_end' && total !== next - 1))
      throw new HttpClientError('A part of the text is missing; ask again.', 'GAP');
    else if (method === '$/progress') this.emit('progress', params);
    else if (method !== 'stream_end') return '';
    onSign();
    return method === 'stream_data' ? String(chunk) : '';
  }

  private async follow(): Promise<void> {
    const { signal } = this.closing;
    for (let tried = 0; !signal.aborted; ) {
      const limit = this.limit({ timeoutMs: SILENT_MS, signal });
      try {
        const headers = { Accept: 'text/event-stream' };
        const response = await this.request('events', { headers, signal: limit.signal });
        // Another host may have taken the place of the one that counted it.
        this.state = { ...this.state, epoch: 0 };
        for await (const data of eventData(response, limit.restart)) {
          this.state = { epoch: 0, ...record(JSON.parse(data)) };
          tried = 0;
          this.emit('state', this.state);
          this.setSettled();
        }
      } catch (error) {
        const reason = translated(error, limit.signal);
        const isFinal = !(
          reason instanceof HttpClientError &&
          (mayPass(reason) || reason.code === 'NO_ANSWER')
        );
        if (isFinal && !signal.aborted) this.emit('error', reason);
        if (isFinal) this.close();
      } finally {
        limit.end();
      }
      this.setSettled();
      if (!signal.aborted) await this.options.sleep(pauseMs(tried++, this.options.random()));
    }
  }

  private async nextState(): Promise<void> {
    if (!this.following) return;
    let end = () => {};
    const told = new Promise<void>((resolve) => {
      end = this.on('state', () => resolve());
    });
    await Promise.race([told, this.options.sleep(STATE_MS)]);
    end();
  }

  private emit(happening: Happening, value: unknown): void {
    for (const callback of [...(this.callbacks.get(happening) ?? [])]) {
      try {
        callback(value);
      } catch (error) {
        // As the page's own error, which ends nothing here.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  private limit({ timeoutMs = this.options.timeoutMs, signal }: CallOptions) {
    const own = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const restart = () => {
      clearTimeout(timer);
      const error = new HttpClientError(`Nothing came for ${timeoutMs / 1000} s.`, 'NO_ANSWER');
      timer = setTimeout(() => own.abort(error), timeoutMs);
    };
    restart();
    const either = signal ? AbortSignal.any([own.signal, signal]) : own.signal;
    return { restart, end: () => clearTimeout(timer), signal: either };
  }
}

function translated(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof HttpClientError) return error;
  return new HttpClientError(error instanceof Error ? error.message : String(error), 'CLOSED');
}

function newMessage(method: string, params?: Params): Json {
  return { jsonrpc: '2.0', id: newId(), method, params };
}

/** `crypto.randomUUID` is missing on pages of plain http. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
