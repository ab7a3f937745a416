/** What a program in the kernel asks of the panel: questions (`panel.ask`), in one of its views; ticks. */

import type { KernelComm } from './kernel-comm.ts';

const HEARTBEAT_MS = 5000;

/** What the kernel may ask of a panel. */
export interface PanelActions {
  ask(question: string, stop: AbortSignal): Promise<string>;
  select(files: readonly string[]): void;
}

/** Does what the kernel asks through `panel` until the function that it gives is called. */
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
      kernel.send({ type: 'answer', id, text: await panel.ask(question, stopping.signal) });
    } catch (error) {
      kernel.send({ type: 'answer', id, error: error instanceof Error ? error.message : String(error) });
    } finally {
      clearInterval(alive);
      running.delete(id);
    }
  };
  const cancel = (id: string): void => {
    cancelled.add(id);
    running.get(id)?.abort();
  };
  const stop = kernel.listen(({ type, id, question, files }) => {
    if (type === 'select' && isStrings(files)) panel.select(files);
    if (typeof id !== 'string') return;
    if (type === 'ask.cancel') cancel(id);
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

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const claimed = new Set<string>();

/** Whether this view asks the question: every view of the widget hears it, on every page. */
async function claim(id: string): Promise<boolean> {
  const key = `jupyter-ac.ask:${id}`;
  if (claimed.has(key)) return false;
  claimed.add(key);
  // Missing on plain http; then only the views of one page know of each other.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    navigator.locks
      .request(key, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        // Held as long as another page could still hear the question.
        return lock && new Promise((release) => setTimeout(release, 60_000));
      })
      .catch(() => resolve(true));
  });
}
