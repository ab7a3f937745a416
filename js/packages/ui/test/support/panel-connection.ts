/** A connection to a plugin that the test plays. */

import type { PanelConnection, PluginToHost } from '../../src/model/panels/connection.ts';

interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
  answer(value?: unknown): void;
  fail(message: string): void;
}

export class FakeConnection implements PanelConnection {
  connected = true;
  /** Answered at once unless it is here. */
  readonly held = new Set<string>();
  readonly calls: Call[] = [];
  #host: PluginToHost | null = null;
  readonly #closed = new Set<() => void>();

  get plugin(): PluginToHost {
    if (!this.#host) throw new Error('nobody serves');
    return this.#host;
  }

  methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  last(method: string): Call {
    const call = this.calls.findLast((each) => each.method === method);
    if (!call) throw new Error(`${method} was not called`);
    return call;
  }

  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.calls.push({ method, args, answer: resolve, fail: (message) => reject(new Error(message)) });
      if (!this.held.has(method)) resolve(null);
    });
  }

  serve(host: PluginToHost): () => void {
    this.#host = host;
    return () => {
      this.#host = null;
    };
  }

  onClose(listener: () => void): () => void {
    this.#closed.add(listener);
    return () => this.#closed.delete(listener);
  }

  close(): void {
    this.connected = false;
    for (const listener of this.#closed) listener();
  }
}
