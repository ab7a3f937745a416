/** A server and a kernel with panels, in the hands of the test. */

import { type KernelAccess, KernelError, type KernelPanels } from '@jupyter-ac/page';
import type { FakeRpc } from './fake-rpc.ts';

export function panelRow(id: string, more: object = {}): object {
  return {
    id,
    title: id,
    origin: 'entry-point',
    state: 'stopped',
    error: null,
    calls: [],
    loads: 0,
    ...more,
  };
}

/** Answers `Panels.*` at once: the list with these rows. */
export function offerPanels(rpc: FakeRpc, rows: readonly object[]): void {
  rpc.ready.set('Panels.list', () => rows);
  for (const name of ['initialize', 'setEnvironment', 'executeHandler', 'syncTree', 'destroy', 'restart']) {
    rpc.ready.set(`Panels.${name}`, () => null);
  }
}

/** Names and ids of the calls on panels, but for the list. */
export function panelCalls(rpc: FakeRpc): string[] {
  return rpc.calls
    .filter(({ method }) => method.startsWith('Panels.') && method !== 'Panels.list')
    .map(({ method, args }) => `${method.slice(7)} ${args[0]}`);
}

type Listener = (method: string, args: readonly unknown[]) => void;

/** Panels of one kernel. */
export class FakeKernelPanels implements KernelPanels {
  isOpen = true;
  readonly calls: { method: string; args: readonly unknown[] }[] = [];
  /** Settles what is asked while it is busy. */
  answer: (() => void) | null = null;
  readonly #listeners = new Set<Listener>();
  readonly #closed = new Set<(reason: KernelError) => void>();

  constructor(
    readonly id: string,
    public rows: readonly object[],
    private readonly isBusy = false,
  ) {}

  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    this.calls.push({ method, args });
    const result = method === 'Panels.list' ? this.rows : null;
    if (!this.isBusy) return Promise.resolve(result);
    return new Promise((resolve) => {
      this.answer = () => resolve(result);
    });
  }

  onMessage(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onClose(listener: (reason: KernelError) => void): () => void {
    this.#closed.add(listener);
    return () => this.#closed.delete(listener);
  }

  push(method: string, ...args: unknown[]): void {
    for (const listener of [...this.#listeners]) listener(method, args);
  }

  close(): void {
    this.isOpen = false;
    for (const listener of [...this.#closed]) listener(new KernelError('restarted', 'closed'));
  }
}

/** The active notebook's kernel; another one can take its place. */
export class FakeKernel implements Pick<KernelAccess, 'panels' | 'onChange'> {
  active: FakeKernelPanels | null = null;
  readonly #listeners = new Set<() => void>();

  panels(): Promise<KernelPanels> {
    return this.active
      ? Promise.resolve(this.active)
      : Promise.reject(new KernelError('There is no kernel.', 'none'));
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  become(panels: FakeKernelPanels | null): void {
    this.active = panels;
    for (const listener of [...this.#listeners]) listener();
  }
}
