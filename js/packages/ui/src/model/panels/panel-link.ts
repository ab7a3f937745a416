/** Links that carry several panels, by their ids: the connection to the server, and the one to a notebook's kernel. */

import type { MethodName, Params, Rpc } from '@jupyter-ac/link/rpc';
import type { Dispose } from '../store.ts';
import type { PanelConnection, PluginToHost } from './connection.ts';

/** `args` begin with the panel's id, but for `changed`; they are untrusted. */
export type OnPanelMessage = (method: string, args: readonly unknown[]) => void;

export interface PanelLink {
  readonly isOpen: boolean;
  /** Calls `Panels.<method>`; rejects with an Error when it fails or the link is lost. */
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Passes each notification `Panels.<method>` until disposed. */
  onMessage(listener: OnPanelMessage): Dispose;
  onClose(listener: () => void): Dispose;
  /** Calls `listener` each time the link is back. */
  onOpen(listener: () => void): Dispose;
}

/** The panels of one kernel, as the page gives them: `KernelPanels` of its `KernelAccess`. */
export interface KernelPort {
  readonly id: string;
  readonly isOpen: boolean;
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  onMessage(listener: (method: string, args: readonly unknown[]) => void): Dispose;
  onClose(listener: () => void): Dispose;
}

/** Exposed to the server; it has nothing but the notifications. A peer may treat an undefined result as no answer. */
class PanelsHandler {
  readonly #take: OnPanelMessage;

  constructor(take: OnPanelMessage) {
    this.#take = take;
  }

  updateTree(...args: unknown[]): true {
    this.#take('updateTree', args);
    return true;
  }
  applyMutations(...args: unknown[]): true {
    this.#take('applyMutations', args);
    return true;
  }
  log(...args: unknown[]): true {
    this.#take('log', args);
    return true;
  }
  reportError(...args: unknown[]): true {
    this.#take('reportError', args);
    return true;
  }
  changed(...args: unknown[]): true {
    this.#take('changed', args);
    return true;
  }
}

/** The panels of a server; one for each connection, since it adds to what the page exposes. */
export class ServerPanels implements PanelLink {
  readonly #listeners = new Set<OnPanelMessage>();

  constructor(private readonly rpc: Rpc) {
    const take: OnPanelMessage = (method, args) => {
      for (const listener of [...this.#listeners]) listener(method, args);
    };
    rpc.addClass(new PanelsHandler(take), 'Panels');
  }

  get isOpen(): boolean {
    return this.rpc.connected;
  }

  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    const name = `Panels.${method}` as MethodName;
    return this.rpc.rpcExtract(name, ...(args as unknown as Params<MethodName>));
  }

  onMessage(listener: OnPanelMessage): Dispose {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onClose(listener: () => void): Dispose {
    return this.rpc.onStatus(({ state }) => {
      if (state !== 'open') listener();
    });
  }

  onOpen(listener: () => void): Dispose {
    return this.rpc.onStatus(({ state }) => {
      if (state === 'open') listener();
    });
  }
}

/** The panels of one kernel; a restarted kernel has another link. */
export class KernelPanelLink implements PanelLink {
  constructor(private readonly panels: KernelPort) {}

  get isOpen(): boolean {
    return this.panels.isOpen;
  }

  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.panels.call(`Panels.${method}`, ...args);
  }

  onMessage(listener: OnPanelMessage): Dispose {
    return this.panels.onMessage((method, args) => {
      if (method.startsWith('Panels.')) listener(method.slice('Panels.'.length), args);
    });
  }

  onClose(listener: () => void): Dispose {
    return this.panels.onClose(listener);
  }

  onOpen(): Dispose {
    return () => {};
  }
}

/** Connection to one of the panels of a link. */
export class LinkedPanel implements PanelConnection {
  constructor(
    private readonly link: PanelLink,
    private readonly id: string,
  ) {}

  get connected(): boolean {
    return this.link.isOpen;
  }

  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.link.call(method, this.id, ...args);
  }

  /** Notifications for other panels, and unknown ones, are ignored. */
  serve(host: PluginToHost): Dispose {
    return this.link.onMessage((method, [id, ...args]) => {
      if (id !== this.id) return;
      if (method === 'updateTree') host.updateTree(args[0]);
      else if (method === 'applyMutations') host.applyMutations(args[0]);
      else if (method === 'log') host.log(args[0], args[1]);
      else if (method === 'reportError') host.reportError(args[0]);
    });
  }

  onClose(listener: () => void): Dispose {
    return this.link.onClose(listener);
  }

  onOpen(listener: () => void): Dispose {
    return this.link.onOpen(listener);
  }

  restart(): Promise<unknown> {
    return this.call('restart');
  }
}
