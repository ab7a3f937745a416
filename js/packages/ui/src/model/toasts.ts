/** Store of the toasts: short notices that close by themselves; errors stay longer. */

import { Store } from './store.ts';
import { peersOfWindow, type ToastPeer } from './toast-peers.ts';

export type ToastKind = 'info' | 'success' | 'warning' | 'error';

export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly message: string;
  /** Progress of its task; null for a notice that closes by itself. */
  readonly percent: number | null;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const SHOWN_MS: Readonly<Record<ToastKind, number>> = {
  info: 4000,
  success: 3000,
  warning: 7000,
  error: 9000,
};
const MAX_TOASTS = 4;
/** The same message in two panels within this time has the same cause. */
const SAME_CAUSE_MS = 2000;

export class ToastStore extends Store implements ToastPeer {
  toasts: readonly Toast[] = [];
  #last = 0;
  readonly #timers = new Map<number, number>();
  /** Toasts of running tasks, by the task's name. */
  readonly #running = new Map<string, number>();

  /** Whether the user can see what is shown here. */
  isVisible: () => boolean = () => true;

  /** Shows each message once among the panels of this window from here on. */
  join(): void {
    peersOfWindow().add(this);
  }

  /** Hands what is shown here to another panel of this window; without one it stays. */
  leave(): void {
    const peers = this.#peers;
    peersOfWindow().delete(this);
    const heir = peers.find((peer) => peer.isVisible()) ?? peers[0];
    if (!heir) return;
    for (const { id, kind, message, percent } of this.toasts) {
      if (percent === null) heir.show(kind, message);
      this.dismiss(id);
    }
    this.#running.clear();
  }

  /** Shows a notice, unless another panel of this window has just begun to. */
  show(kind: ToastKind, message: string): void {
    const since = Date.now();
    const other = this.#peers.find((peer) => peer.shows(message, since - SAME_CAUSE_MS));
    if (other && (other.isVisible() || !this.isVisible())) return;
    other?.withdraw(message);
    this.#last += 1;
    const id = this.#last;
    const others = this.toasts.filter((toast) => toast.message !== message);
    this.toasts = [...others, { id, kind, message, percent: null, since }].slice(-MAX_TOASTS);
    this.#timers.set(
      id,
      setTimeout(() => this.dismiss(id), SHOWN_MS[kind]),
    );
    this.changed();
  }

  /** Shows the progress of a task until it ends (null) or the toast is closed; a closed one isn't shown again. */
  progress(what: string, advance: { readonly message: string; readonly percent: number } | null): void {
    const id = this.#running.get(what);
    if (!advance) {
      this.#running.delete(what);
      if (id !== undefined) this.dismiss(id);
      return;
    }
    if (id !== undefined) {
      this.toasts = this.toasts.map((toast) => (toast.id === id ? { ...toast, ...advance } : toast));
    } else {
      if (this.#peers.some((peer) => peer.isRunning(what))) return;
      this.#last += 1;
      this.#running.set(what, this.#last);
      this.toasts = [...this.toasts, { id: this.#last, kind: 'info', since: Date.now(), ...advance }];
    }
    this.changed();
  }

  shows(message: string, since: number): boolean {
    return this.toasts.some((toast) => toast.message === message && toast.since >= since);
  }

  isRunning(what: string): boolean {
    return this.#running.has(what);
  }

  withdraw(message: string): void {
    for (const toast of this.toasts) if (toast.message === message) this.dismiss(toast.id);
  }

  /** The other panels; none before this one has joined them. */
  get #peers(): ToastPeer[] {
    const peers = peersOfWindow();
    return peers.has(this) ? [...peers].filter((peer) => peer !== this) : [];
  }

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    if (!this.toasts.some((toast) => toast.id === id)) return;
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
    this.changed();
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
