/** Runs approved cells in the kernels of notebooks that are open in JupyterLab or Notebook 7. */

import { t } from '@jupyter-ac/messages';
import {
  type ApprovedCell,
  type CellResult,
  type CellRunner,
  type KernelAccess,
  KernelError,
  type KernelValue,
} from '@jupyter-ac/page';

/** What is used of JupyterLab's `Kernel.IKernelConnection`. */
export interface KernelConnection {
  readonly id: string;
  readonly status: string;
  readonly statusChanged: { connect(slot: () => void): void; disconnect(slot: () => void): void };
  requestExecute(content: {
    code: string;
    allow_stdin: boolean;
    store_history: boolean;
    stop_on_error: boolean;
  }): KernelFuture;
  interrupt(): Promise<void>;
}

interface KernelFuture {
  onIOPub: (message: KernelMessage) => void;
  /** Rejects when the kernel has ended or was restarted. */
  readonly done: Promise<
    { readonly content: { readonly status: string; readonly ename?: string } } | undefined
  >;
  dispose(): void;
}

export interface KernelMessage {
  readonly header: { readonly msg_type: string };
  readonly content: Readonly<Record<string, unknown>>;
}

/** What is used of a `NotebookPanel`. */
export interface KernelHolder {
  /** Of its file, from the server's root, which the repository lies in or under. */
  readonly context: { readonly path: string };
  readonly sessionContext: { readonly session: { readonly kernel: KernelConnection | null } | null };
}

export type ActiveKernel = Pick<KernelAccess, 'listVariables' | 'describeVariable' | 'lastError'>;

const MAX_OUTPUTS = 10_000;
/** The host's frames hold 16 MiB; images come in base64. */
const MAX_CHARS = 8 * 1024 * 1024;
/** A kernel may take so long to end a cell after an interrupt. */
const GRACE_MS = 10_000;

const OUTPUTS: ReadonlySet<string> = new Set([
  'stream',
  'display_data',
  'execute_result',
  'error',
  'clear_output',
]);

export class LabCellRunner implements CellRunner {
  readonly #visitPanels: (visit: (panel: KernelHolder) => void) => void;
  readonly #listVariables: (kernel: KernelConnection) => Promise<object>;
  readonly #active: ActiveKernel;
  readonly #running = new Map<string, () => Promise<void>>();

  /**
   * @param visitPanels - calls back for each open notebook
   * @param listVariables - asks a kernel for its variables
   * @param active - the kernel of the active notebook
   */
  constructor(
    visitPanels: (visit: (panel: KernelHolder) => void) => void,
    listVariables: (kernel: KernelConnection) => Promise<object>,
    active: ActiveKernel,
  ) {
    this.#active = active;
    this.#visitPanels = visitPanels;
    this.#listVariables = listVariables;
  }

  async run(cell: ApprovedCell): Promise<CellResult> {
    const kernel = this.#kernel(cell.kernel_id);
    if (!kernel) return { status: 'not_here', outputs: [] };
    const stop = new AbortController();
    this.#running.set(cell.run_id, async () => stop.abort());
    try {
      if ((await sha256(cell.code)) !== cell.sha256) {
        throw new Error(t('This is not the code that was approved; nothing was run.'));
      }
      const limitMs = cell.time_limit_s * 1000;
      // Then an interrupt never hits another cell.
      const isIdle = await isIdleWithin(kernel, limitMs, stop.signal);
      if (stop.signal.aborted) return { status: 'interrupted', outputs: [] };
      if (!isIdle) return { status: 'busy', outputs: [] };
      return await this.#execute(kernel, cell, limitMs);
    } finally {
      this.#running.delete(cell.run_id);
    }
  }

  async interrupt(runId: string): Promise<void> {
    await this.#running.get(runId)?.();
  }

  async kernelOf(notebook: string): Promise<string> {
    return this.#kernelOf(notebook)?.id ?? '';
  }

  async variablesOf(notebook: string): Promise<object | null> {
    const kernel = this.#kernelOf(notebook);
    return kernel ? await this.#listVariables(kernel) : null;
  }

  async kernelValue(method: string, name: string): Promise<KernelValue> {
    try {
      return { value: await this.#valueOf(method, name), error: null };
    } catch (error) {
      const { message, type } =
        error instanceof KernelError ? error : { message: String(error), type: 'failed' };
      return { value: null, error: { type, message } };
    }
  }

  #valueOf(method: string, name: string): Promise<unknown> {
    switch (method) {
      case 'list_variables':
        return this.#active.listVariables();
      case 'describe_variable':
        return this.#active.describeVariable(name);
      case 'get_last_error':
        return this.#active.lastError();
      default:
        throw new KernelError(t("A panel can't ask a kernel for %1.", method), 'failed');
    }
  }

  async #execute(kernel: KernelConnection, cell: ApprovedCell, limitMs: number): Promise<CellResult> {
    const collected = new BoundedOutputs();
    let stopped: 'timed_out' | 'interrupted' | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let giveUp: (error: Error) => void = () => {};
    const stuck = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    const stop = async (why: 'timed_out' | 'interrupted'): Promise<void> => {
      stopped ??= why;
      clearTimeout(timer);
      timer = setTimeout(
        () => giveUp(new Error(t('The kernel did not stop after an interrupt; restart it if it goes on.'))),
        GRACE_MS,
      );
      await kernel.interrupt();
    };
    const future = kernel.requestExecute({
      code: cell.code,
      allow_stdin: false,
      store_history: true,
      stop_on_error: true,
    });
    future.onIOPub = (message) => collected.add(message);
    timer = setTimeout(() => void stop('timed_out').catch(giveUp), limitMs);
    this.#running.set(cell.run_id, () => stop('interrupted'));
    try {
      const reply = await Promise.race([future.done, stuck]);
      const content = reply?.content;
      const status =
        stopped ?? (content?.status === 'ok' ? 'ok' : isInterrupt(content) ? 'interrupted' : 'error');
      return { status, outputs: collected.outputs };
    } finally {
      clearTimeout(timer);
      future.dispose();
    }
  }

  /** The kernel of the one open notebook whose path ends so; null if there is none, or several. */
  #kernelOf(notebook: string): KernelConnection | null {
    const found: KernelConnection[] = [];
    this.#visitPanels(({ context, sessionContext }) => {
      const kernel = sessionContext.session?.kernel;
      // A drive's name may stand before the path.
      const path = `/${context.path.replace(/^[^/:]*:/, '')}`;
      if (kernel && (!notebook || path.endsWith(`/${notebook}`))) found.push(kernel);
    });
    const ids = new Set(found.map(({ id }) => id));
    return ids.size === 1 ? (found[0] ?? null) : null;
  }

  #kernel(id: string): KernelConnection | null {
    let found: KernelConnection | null = null;
    this.#visitPanels(({ sessionContext }) => {
      const kernel = sessionContext.session?.kernel;
      if (kernel?.id === id) found = kernel;
    });
    return found;
  }
}

/** Outputs as in a notebook file; those over the limits are dropped. */
class BoundedOutputs {
  readonly outputs: object[] = [];
  #chars = 0;

  add({ header, content }: KernelMessage): void {
    if (!OUTPUTS.has(header.msg_type) || this.outputs.length >= MAX_OUTPUTS) return;
    const { transient: _, ...kept } = content;
    const chars = JSON.stringify(kept).length;
    if (this.#chars + chars > MAX_CHARS) return;
    this.#chars += chars;
    this.outputs.push({ ...kept, output_type: header.msg_type });
  }
}

function isInterrupt(content: { readonly status: string; readonly ename?: string } | undefined): boolean {
  return content?.status === 'aborted' || content?.ename === 'KeyboardInterrupt';
}

/** Whether a kernel is or becomes idle in this time, unless the wait is ended before. */
function isIdleWithin(kernel: KernelConnection, limitMs: number, stop: AbortSignal): Promise<boolean> {
  if (stop.aborted || kernel.status === 'idle') return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (isIdle: boolean): void => {
      clearTimeout(timer);
      kernel.statusChanged.disconnect(look);
      stop.removeEventListener('abort', end);
      resolve(isIdle);
    };
    const look = (): void => {
      if (kernel.status === 'idle') finish(true);
    };
    const end = (): void => finish(false);
    const timer = setTimeout(end, limitMs);
    stop.addEventListener('abort', end);
    kernel.statusChanged.connect(look);
  });
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
