/** Store of the toasts: short notices that close by themselves; errors stay longer. */

import { Store } from './store.ts';

export type ToastKind = 'info' | 'success' | 'warning' | 'error';

export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly message: string;
  /** Progress of its task; null for a notice that closes by itself. */
  readonly percent: number | null;
}

const SHOWN_MS: Readonly<Record<ToastKind, number>> = {
  info: 4000,
  success: 3000,
  warning: 7000,
  error: 9000,
};
const MAX_TOASTS = 4;

export class ToastStore extends Store {
  toasts: readonly Toast[] = [];
  #last = 0;
  readonly #timers = new Map<number, number>();
  /** Toasts of running tasks, by the task's name. */
  readonly #running = new Map<string, number>();

  show(kind: ToastKind, message: string): void {
    this.#last += 1;
    const id = this.#last;
    const others = this.toasts.filter((toast) => toast.message !== message);
    this.toasts = [...others, { id, kind, message, percent: null }].slice(-MAX_TOASTS);
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
      this.#last += 1;
      this.#running.set(what, this.#last);
      this.toasts = [...this.toasts, { id: this.#last, kind: 'info', ...advance }];
    }
    this.changed();
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
