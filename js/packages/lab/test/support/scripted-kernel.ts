/** A kernel that answers as its script says, and the application around it. */

import type { Comm, JupyterFrontEnd, KernelConnection, Session } from '@jupyterlab/application';

/** The methods of `Kernel.*` by name, those of `Panels.*` with it; a kernel without any hasn't loaded the extension. */
export type Script = Readonly<Record<string, (...args: unknown[]) => unknown>>;

class Signal {
  readonly slots: (() => void)[] = [];

  connect(slot: () => void): void {
    this.slots.push(slot);
  }

  emit(): void {
    for (const slot of this.slots) slot();
  }
}

export class ScriptedComm implements Comm {
  isDisposed = false;
  onMsg: Comm['onMsg'] = () => {};
  onClose = (): void => {};
  readonly sent: string[] = [];

  constructor(private readonly kernel: ScriptedKernel) {}

  get subshellStarted(): Promise<void> {
    return this.kernel.subshell;
  }

  open(): void {
    this.kernel.opened += 1;
    this.kernel.later(() => {
      if (!this.kernel.script) this.closeByKernel();
    });
  }

  send(data: object): void {
    const { frame } = data as { frame: string };
    this.sent.push(frame);
    this.kernel.later(() => this.#answer(frame));
  }

  close(): void {
    this.isDisposed = true;
  }

  dispose(): void {
    this.isDisposed = true;
  }

  closeByKernel(): void {
    this.onClose();
    this.isDisposed = true;
  }

  receive(frame: string): void {
    this.onMsg({ content: { data: { frame } } });
  }

  #answer(frame: string): void {
    const { id, method, params } = JSON.parse(frame);
    const run = this.kernel.script?.[method.replace('Kernel.', '')];
    if (!run || this.isDisposed) return;
    try {
      this.receive(JSON.stringify({ jsonrpc: '2.0', id, result: run(...params) }));
    } catch (error) {
      this.receive(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
  }
}

export class ScriptedKernel implements KernelConnection {
  id = 'k1';
  handleComms = true;
  status = 'idle';
  isDisposed = false;
  supportsSubshells = true;
  subshell: Promise<void> = Promise.resolve();
  info: KernelConnection['info'];
  readonly statusChanged = new Signal();
  readonly comms: ScriptedComm[] = [];
  readonly executed: object[] = [];
  reply: { status: string; evalue?: string } = { status: 'ok' };
  opened = 0;
  /** Nothing is answered while it is busy; afterwards everything is. */
  #waiting: (() => void)[] | null = null;

  /** @param script null: the extension isn't loaded */
  constructor(
    public script: Script | null,
    language = 'python',
  ) {
    this.info = Promise.resolve({ language_info: { name: language } });
  }

  get comm(): ScriptedComm {
    const last = this.comms.at(-1);
    if (!last) throw new Error('no comm');
    return last;
  }

  createComm(): ScriptedComm {
    const comm = new ScriptedComm(this);
    this.comms.push(comm);
    return comm;
  }

  requestExecute(content: object): { done: Promise<{ content: { status: string; evalue?: string } }> } {
    this.executed.push(content);
    return { done: new Promise((resolve) => this.later(() => resolve({ content: this.reply }))) };
  }

  later(action: () => void): void {
    if (this.#waiting) this.#waiting.push(action);
    else queueMicrotask(action);
  }

  setStatus(status: string): void {
    this.status = status;
    this.statusChanged.emit();
  }

  begin(): void {
    this.#waiting = [];
    this.setStatus('busy');
  }

  end(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.setStatus('idle');
    for (const action of waiting) action();
  }

  restart(): void {
    for (const comm of this.comms) comm.isDisposed = true;
    this.#waiting = null;
    this.setStatus('restarting');
    this.setStatus('idle');
  }
}

export class ScriptedSession implements Session {
  isDisposed = false;
  session: { path: string; kernel: KernelConnection | null } | null;
  readonly kernelChanged = new Signal();

  constructor(kernel: KernelConnection | null, path = 'a.ipynb') {
    this.session = { path, kernel };
  }
}

export class ScriptedShell {
  currentWidget: { sessionContext?: Session } | null = null;
  /** Of all documents that are open. */
  sessions: Session[] = [];
  readonly currentChanged = new Signal();

  activate(session: Session | null): void {
    this.currentWidget = session ? { sessionContext: session } : {};
    this.currentChanged.emit();
  }

  widgets(): { sessionContext?: Session }[] {
    return this.sessions.map((sessionContext) => ({ sessionContext }));
  }

  get app(): JupyterFrontEnd {
    return { shell: this } as unknown as JupyterFrontEnd;
  }
}
