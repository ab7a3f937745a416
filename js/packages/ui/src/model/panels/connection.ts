/** What a host needs of the connection to a plugin, whatever carries it. */

import type { Dispose } from '../store.ts';

/** Methods that a plugin calls; arguments are untrusted. */
export interface PluginToHost {
  updateTree(tree: unknown): void;
  applyMutations(mutations: unknown): void;
  log(level: unknown, args: unknown): void;
  reportError(error: unknown): void;
}

export interface PanelConnection {
  readonly connected: boolean;
  /** Calls a method of the plugin; rejects with an Error when it fails or the connection is lost. */
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Passes what the plugin calls to `host` until disposed. */
  serve(host: PluginToHost): Dispose;
  /** Calls `listener` when the connection is lost, with what to do about it in one sentence, if that is known. */
  onClose(listener: (reason?: string) => void): Dispose;
  /** Calls `listener` when it is back after a loss; without this method, it never comes back. */
  onOpen?(listener: () => void): Dispose;
  /** Ends the plugin and starts it anew for all of its views; without this method, the host ends and starts its own view. */
  restart?(): Promise<unknown>;
}
