/**
 * Requests from the kernel to the panel: `panel.ask()` and `panel.attach()`, which exactly one view handles, and the
 * ticked files.
 */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import type { KernelComm } from './kernel-comm.ts';

const HEARTBEAT_MS = 5000;

/** Actions of a panel that the kernel may call. */
export interface PanelActions {
  ask(question: string, stop: AbortSignal): Promise<string>;
  select(files: readonly string[]): void;
  attach(item: ContextItemGiven): Promise<void>;
}

/** Resolves when everything is attached that came before; a question waits for it. Shared by the page's views. */
let attached: Promise<void> = Promise.resolve();

/** Handles the kernel's requests until the returned function is called. */
export function handleKernelRequests(kernel: KernelComm, panel: PanelActions): () => void {
  const running = new Map<string, AbortController>();
  const cancelled = new Set<string>();
  const take = async (id: string, question: string): Promise<void> => {
    kernel.send({ type: 'ask.taken', id });
    const stopping = new AbortController();
    running.set(id, stopping);
    const alive = setInterval(() => kernel.send({ type: 'ask.alive', id }), HEARTBEAT_MS);
    stopping.signal.addEventListener('abort', () => clearInterval(alive));
    try {
      await attached;
      kernel.send({ type: 'answer', id, text: await panel.ask(question, stopping.signal) });
    } catch (error) {
      kernel.send({ type: 'answer', id, error: sentence(error) });
    } finally {
      clearInterval(alive);
      running.delete(id);
    }
  };
  const cancel = (id: string): void => {
    cancelled.add(id);
    running.get(id)?.abort();
  };
  const attach = async (id: string, item: ContextItemGiven): Promise<void> => {
    if (!(await claim(id))) return;
    try {
      await panel.attach(item);
    } catch (error) {
      kernel.send({ type: 'error', message: sentence(error) });
    }
  };
  const stop = kernel.listen(({ type, id, question, files, item }) => {
    if (type === 'select' && isStrings(files)) panel.select(files);
    if (typeof id !== 'string') return;
    if (type === 'ask.cancel') cancel(id);
    // The kernel has made it, and the server checks it.
    if (type === 'attach') attached = attached.then(() => attach(id, item as ContextItemGiven));
    if (type !== 'ask') return;
    void claim(id).then((isMine) =>
      isMine && !cancelled.has(id) ? take(id, String(question ?? '')) : undefined,
    );
  });
  return () => {
    stop();
    for (const stopping of running.values()) stopping.abort();
  };
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const claimed = new Set<string>();

/** Whether this view answers: every view of the widget on every page gets the request, and one claims it by a lock. */
async function claim(id: string): Promise<boolean> {
  const key = `jupyter-ac.ask:${id}`;
  if (claimed.has(key)) return false;
  claimed.add(key);
  // Unavailable on plain http: then only the views of one page are coordinated.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    navigator.locks
      .request(key, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        // Held as long as another page may still receive the request.
        return lock && new Promise((release) => setTimeout(release, 60_000));
      })
      .catch(() => resolve(true));
  });
}
