/** Access to the kernel of JupyterLab's active notebook or console. */

import { N_, t } from '@jupyter-ac/messages';
import {
  type ErrorReport,
  type HistoryRow,
  type KernelAccess,
  type KernelCompletions,
  KernelError,
  type KernelHello,
  type KernelPanels,
  type KernelState,
  type KernelStatus,
  type VariableDescription,
  type VariableList,
} from '@jupyter-ac/page';
import type { JupyterFrontEnd, KernelConnection as Kernel, Session } from '@jupyterlab/application';
import { bounded, CALL_MS, KernelConnection } from './kernel-connection.ts';

const LOAD_MS = 10_000;
const LOAD = '%load_ext jupyter_ac';
const HISTORY = 20;
const ELSEWHERE = N_('The kernel was started by another document; go there to use its variables.');
const NONE = N_('Open a notebook or a console with a Python kernel to use its variables.');

export class LabKernel implements KernelAccess {
  readonly #app: JupyterFrontEnd;
  readonly #connections = new WeakMap<Kernel, KernelConnection>();
  readonly #watched = new WeakSet<object>();
  /** Kernels that have run something since they said that the extension isn't loaded. */
  readonly #stale = new WeakSet<Kernel>();
  readonly #listeners = new Set<() => void>();
  /** That of the last active document which has one: a text file may be in front of its notebook. */
  #session: Session | null = null;

  constructor(app: JupyterFrontEnd) {
    this.#app = app;
    app.shell.currentChanged?.connect(() => this.#changed());
  }

  async state(): Promise<KernelStatus> {
    const path = this.#current()?.session?.path ?? '';
    try {
      await (await this.#connected()).ready();
      return { state: 'ready', text: '', path };
    } catch (error) {
      const { message, type } = asKernelError(error);
      return { state: STATES.has(type) ? (type as KernelState) : 'busy', text: message, path };
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async hello(): Promise<KernelHello> {
    return (await this.#call('hello')) as KernelHello;
  }

  async listVariables(): Promise<VariableList> {
    return (await this.#call('list_variables')) as VariableList;
  }

  async describeVariable(name: string, withRepr = false): Promise<VariableDescription> {
    return (await this.#call('describe_variable', name, withRepr)) as VariableDescription;
  }

  async lastError(): Promise<ErrorReport | null> {
    return (await this.#call('get_last_error')) as ErrorReport | null;
  }

  async history(count = HISTORY): Promise<readonly HistoryRow[]> {
    return (await this.#call('get_history', count)) as readonly HistoryRow[];
  }

  async complete(code: string, position: number): Promise<KernelCompletions> {
    // The kernel counts characters, a string of JavaScript half of one where a character takes two.
    const cursor = [...code.slice(0, position)].length;
    const found = (await this.#call('complete', code, cursor)) as {
      matches: readonly string[];
      cursor_start: number;
      cursor_end: number;
    };
    const characters = [...code];
    const offset = (count: number): number => characters.slice(0, count).join('').length;
    return { matches: found.matches, start: offset(found.cursor_start), end: offset(found.cursor_end) };
  }

  async loadExtension(): Promise<void> {
    const kernel = await this.#pythonKernel();
    const future = kernel.requestExecute({ code: LOAD, store_history: false, allow_stdin: false });
    const { content } = await bounded(future.done, LOAD_MS);
    if (content.status !== 'ok') {
      const why = content.evalue ?? content.status;
      throw new KernelError(t("The kernel can't load jupyter_ac: %1", why), 'not-loaded');
    }
    this.#forget(kernel);
    this.#changed();
  }

  async panels(): Promise<KernelPanels> {
    const connection = await this.#connected();
    await connection.ready();
    return connection.panels;
  }

  async #call(method: string, ...args: unknown[]): Promise<unknown> {
    return (await this.#connected()).call(method, ...args);
  }

  async #connected(): Promise<KernelConnection> {
    const kernel = await this.#pythonKernel();
    const known = this.#connections.get(kernel);
    // One that has ended tells why, unless that may have changed since then.
    const isOver = known?.ended && (known.ended.type !== 'not-loaded' || this.#stale.has(kernel));
    if (known && !isOver) return known;
    this.#stale.delete(kernel);
    const connection = new KernelConnection(kernel);
    this.#connections.set(kernel, connection);
    // Only now: to open the comm has kept the kernel busy for a moment.
    connection.ready().catch(() => this.#stale.delete(kernel));
    return connection;
  }

  /** The active kernel, if it is Python's; else rejects with the sentence for the user. */
  async #pythonKernel(): Promise<Kernel> {
    const kernel = this.#current()?.session?.kernel;
    if (!kernel || kernel.status === 'dead' || kernel.isDisposed) throw new KernelError(t(NONE), 'none');
    this.#watch(kernel);
    const info = await bounded(kernel.info, CALL_MS);
    const language = info.language_info.name;
    if (language.toLowerCase() !== 'python') {
      const text = t(
        'In a kernel of %1 files, cells and outputs work; variables need a Python kernel.',
        language,
      );
      throw new KernelError(text, 'other-language');
    }
    return this.#withComms(kernel);
  }

  /** The connection to the same kernel that has comms: a console's to the kernel of a notebook has none. */
  #withComms(kernel: Kernel): Kernel {
    if (kernel.handleComms) return kernel;
    for (const { sessionContext } of this.#app.shell.widgets('main')) {
      const other = sessionContext?.session?.kernel;
      if (other?.id === kernel.id && other.handleComms) {
        this.#watch(other);
        return other;
      }
    }
    throw new KernelError(t(ELSEWHERE), 'none');
  }

  #current(): Session | null {
    const active = this.#app.shell.currentWidget?.sessionContext;
    if (active) this.#session = active;
    if (this.#session?.isDisposed) this.#session = null;
    const session = this.#session;
    if (session && !this.#watched.has(session)) {
      this.#watched.add(session);
      session.kernelChanged.connect(() => this.#changed());
    }
    return session;
  }

  #watch(kernel: Kernel): void {
    if (this.#watched.has(kernel)) return;
    this.#watched.add(kernel);
    kernel.statusChanged.connect(() => {
      if (kernel.status === 'busy') this.#stale.add(kernel);
      if (!kernel.status.includes('restarting') && kernel.status !== 'dead') return;
      this.#connections.get(kernel)?.restarted();
      this.#forget(kernel);
      this.#changed();
    });
  }

  #forget(kernel: Kernel): void {
    this.#connections.get(kernel)?.close();
    this.#connections.delete(kernel);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const STATES: ReadonlySet<string> = new Set<KernelState>(['none', 'other-language', 'not-loaded', 'busy']);

function asKernelError(error: unknown): KernelError {
  return error instanceof KernelError ? error : new KernelError(String(error), 'busy');
}
