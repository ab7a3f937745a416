/** The panels of a browser window, so that what the server tells all of them is shown once. */

import type { ToastKind } from './toasts.ts';

/** What shows toasts. Panels of different versions may stand in one window: members are only added. */
export interface ToastPeer {
  /** Whether it shows the message, and has begun to at that time or later (milliseconds since 1970). */
  shows(message: string, since: number): boolean;
  /** Whether it shows the progress of a task. */
  isRunning(what: string): boolean;
  isVisible(): boolean;
  show(kind: ToastKind, message: string): void;
  /** Takes a message away, because another one shows it. */
  withdraw(message: string): void;
}

const KEY = Symbol.for('jupyter-ac.toasts');

type Global = { [KEY]?: Set<ToastPeer> };

/** Those of this window, in the order in which they came. */
export function peersOfWindow(): Set<ToastPeer> {
  const window = globalThis as Global;
  window[KEY] ??= new Set();
  return window[KEY];
}
