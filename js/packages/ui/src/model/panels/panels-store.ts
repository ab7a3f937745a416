/**
 * The panels that a page can show: those of its server, and those of the active notebook's kernel. Only the shown one
 * is started; one that was shown a moment ago is kept, and told that nobody sees it.
 */

import { t } from '@jupyter-ac/messages';
import type { Session } from '../session.ts';
import { type Dispose, Store } from '../store.ts';
import { HostController } from './host-controller.ts';
import { KernelPanelLink, type KernelPort, LinkedPanel, type PanelLink, ServerPanels } from './panel-link.ts';
import { PanelLog } from './panel-log.ts';
import { type ListedPanel, parsePanels } from './panel-rows.ts';
import type { PanelEnvironment } from './protocol.ts';

export interface ShownPanel extends ListedPanel {
  /** Unique among all panels of the page. */
  readonly key: string;
}

export interface PanelsPorts {
  /** Finds the active notebook's kernel; null outside of JupyterLab and Notebook. */
  readonly kernel: {
    /** Rejects when there is none, or it has not loaded the package; an older extension can't tell. */
    panels?(): Promise<KernelPort>;
    onChange(listener: () => void): Dispose;
  } | null;
  /** Makes what schedules one update for all changes until then. */
  readonly schedule: () => (update: () => void) => void;
  /** Where the key of the last shown panel is kept. */
  readonly memory: { get(): string; set(key: string): void };
}

interface Source {
  /** Of its panels' keys. */
  readonly name: string;
  readonly link: PanelLink;
  rows: readonly ListedPanel[];
  readonly stopListening: Dispose;
}

interface Opened {
  readonly controller: HostController;
  isShown: boolean;
  /** Grows each time that it is shown. */
  turn: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** How long a panel that isn't seen is kept as it is: a plugin whose pages have all gone may be ended. */
export const KEEP_MS = 30 * 60_000;
/** Panels that are kept; beyond that, the one that was shown longest ago is ended. */
export const MAX_KEPT = 8;
const KERNEL_WAIT_MS = 1000;
const KERNEL_BUSY = t("The notebook's kernel is busy; its panels are listed when the cell has ended.");

export class PanelsStore extends Store {
  /** The server has told its panels. */
  isLoaded = false;
  /** One sentence on why its panels can't be listed; '' otherwise. */
  problem = '';
  /** One sentence on the kernel's panels; '' for none. */
  kernelNote = '';
  readonly #server: Source;
  #kernel: Source | null = null;
  #kernelId = '';
  #lookups = 0;
  #turn = 0;
  /** The kernel hasn't told its panels yet, and may do so at once. */
  #isAwaitingKernel = false;
  #stopKernel: Dispose = () => {};
  readonly #opened = new Map<string, Opened>();
  readonly #logs = new Map<string, PanelLog>();
  /** What the page says of itself; null while the view is closed. */
  #environment: PanelEnvironment | null = null;
  #wanted: string;

  constructor(
    session: Pick<Session, 'rpc'>,
    private readonly ports: PanelsPorts,
  ) {
    super();
    this.#wanted = ports.memory.get();
    this.#server = this.#source('server', new ServerPanels(session.rpc));
    this.#server.link.onOpen(() => {
      if (this.isLoaded) void this.#listServer();
    });
    this.#server.link.onClose(() => this.changed());
  }

  /** The server's first. */
  get panels(): readonly ShownPanel[] {
    const sources = this.#kernel ? [this.#server, this.#kernel] : [this.#server];
    return sources.flatMap(({ name, rows }) => rows.map((row) => ({ ...row, key: keyOf(name, row) })));
  }

  /** The chosen one; the first when it isn't there. */
  get shown(): ShownPanel | null {
    const { panels } = this;
    const wanted = panels.find(({ key }) => key === this.#wanted);
    if (!wanted && this.#wanted && (!this.isLoaded || this.#isAwaitingKernel)) return null;
    return wanted ?? panels[0] ?? null;
  }

  /** Panels that are kept, the shown one among them. */
  get opened(): ReadonlyMap<string, { readonly controller: HostController }> {
    return this.#opened;
  }

  /** The lines of a panel; they stay when it is ended. */
  logOf(key: string): PanelLog {
    let log = this.#logs.get(key);
    if (!log) {
      log = new PanelLog(this.ports.schedule());
      this.#logs.set(key, log);
    }
    return log;
  }

  /** The view is open: starts the shown panel. */
  open(environment: PanelEnvironment): void {
    this.#environment = environment;
    this.#stopKernel = this.ports.kernel?.onChange(() => void this.#findKernel()) ?? (() => {});
    void this.#findKernel();
    this.#arrange();
    void this.#listServer();
  }

  /** The view is closed. */
  close(): void {
    this.#environment = null;
    this.#stopKernel();
    this.#arrange();
  }

  /** The page has become visible, or hidden. */
  setActive(isActive: boolean): void {
    if (this.#environment) this.#environment = { ...this.#environment, active: isActive };
    this.#arrange();
  }

  show(key: string): void {
    this.#wanted = key;
    this.ports.memory.set(key);
    this.#arrange();
  }

  /** Ends the shown panel's program, and starts it anew, for all that show it. */
  async restart(): Promise<void> {
    const { shown } = this;
    const opened = shown && this.#opened.get(shown.key);
    await opened?.controller.restart();
  }

  async #listServer(): Promise<void> {
    const { link } = this.#server;
    try {
      const rows = parsePanels(await link.call('list'));
      this.problem = '';
      this.isLoaded = true;
      this.#adopt(this.#server, rows);
    } catch (error) {
      // A lost link is said by the panel around; the list comes when it is back.
      this.problem = link.isOpen && error instanceof Error ? error.message : '';
      this.isLoaded ||= link.isOpen;
      this.changed();
    }
  }

  /** The active notebook may be another one, or its kernel. */
  async #findKernel(): Promise<void> {
    const { kernel } = this.ports;
    if (!kernel?.panels) return;
    this.#lookups += 1;
    const lookup = this.#lookups;
    this.#isAwaitingKernel = true;
    const timer = setTimeout(() => this.#onKernelLate(lookup), KERNEL_WAIT_MS);
    const panels = await kernel.panels().catch(() => null);
    if (lookup === this.#lookups) {
      if (panels?.id !== this.#kernelId) this.#replaceKernel(panels);
      // A kernel with an older version of the package has none.
      const known = this.#kernel?.rows ?? [];
      const rows = await this.#kernel?.link.call('list').catch(() => known);
      if (lookup === this.#lookups) this.#onKernelRows(parsePanels(rows));
    }
    clearTimeout(timer);
  }

  #replaceKernel(panels: KernelPort | null): void {
    const before = this.#kernel;
    before?.stopListening();
    if (before) this.#adopt(before, []);
    this.#kernelId = panels?.id ?? '';
    this.#kernel = panels && this.#source('kernel', new KernelPanelLink(panels));
  }

  #onKernelRows(rows: readonly ListedPanel[]): void {
    this.kernelNote = '';
    this.#isAwaitingKernel = false;
    if (this.#kernel) this.#adopt(this.#kernel, rows);
    else this.#arrange();
  }

  #onKernelLate(lookup: number): void {
    if (lookup !== this.#lookups) return;
    this.kernelNote = this.#kernel ? KERNEL_BUSY : '';
    this.#isAwaitingKernel = false;
    this.#arrange();
  }

  #source(name: string, link: PanelLink): Source {
    const stopListening = link.onMessage((method, [rows]) => {
      if (method === 'changed') this.#adopt(source, parsePanels(rows));
    });
    const source: Source = { name, link, rows: [], stopListening };
    return source;
  }

  #sourceOf(key: string): Source | undefined {
    return [this.#server, this.#kernel].find(
      (source): source is Source => source?.rows.some((row) => keyOf(source.name, row) === key) ?? false,
    );
  }

  #adopt(source: Source, rows: readonly ListedPanel[]): void {
    const before = new Map(source.rows.map((row) => [row.id, row]));
    source.rows = rows;
    for (const row of rows) {
      const known = before.get(row.id);
      const isOver = known && (known.state === 'failed' || known.loads !== row.loads);
      if (isOver && row.state !== 'failed')
        this.#opened.get(keyOf(source.name, row))?.controller.forgetError();
      before.delete(row.id);
    }
    for (const row of before.values()) this.#forget(keyOf(source.name, row));
    this.#arrange();
  }

  #forget(key: string): void {
    this.#end(key);
    this.#logs.delete(key);
  }

  /** Starts the panel that is shown, and lets the others rest. */
  #arrange(): void {
    const { shown } = this;
    const isSeen = this.#environment !== null;
    if (shown && isSeen && !this.#opened.has(shown.key)) {
      const source = this.#sourceOf(shown.key);
      if (source) this.#open(shown.key, source.link, shown.id);
    }
    for (const [key, opened] of [...this.#opened]) this.#setShown(key, opened, isSeen && key === shown?.key);
    const byTurn = [...this.#opened].sort(([, a], [, b]) => b.turn - a.turn);
    for (const [key] of byTurn.slice(MAX_KEPT)) this.#end(key);
    this.changed();
  }

  #open(key: string, link: PanelLink, id: string): void {
    if (!this.#environment) return;
    const log = this.logOf(key);
    const controller = new HostController(new LinkedPanel(link, id), {
      mode: link instanceof KernelPanelLink ? 'kernel' : 'server',
      schedule: this.ports.schedule(),
      onLog: (level, args) => log.add(level, args),
    });
    controller.subscribeErrors(({ message }) => log.add('error', [message]));
    this.#opened.set(key, { controller, isShown: false, turn: 0, timer: undefined });
    void controller.initialize(null, this.#environment);
  }

  #setShown(key: string, opened: Opened, isShown: boolean): void {
    void opened.controller.setEnvironment({ active: isShown && this.#environment?.active !== false });
    if (isShown === opened.isShown) return;
    opened.isShown = isShown;
    clearTimeout(opened.timer);
    if (isShown) {
      this.#turn += 1;
      opened.turn = this.#turn;
      return;
    }
    opened.timer = setTimeout(() => {
      this.#end(key);
      this.changed();
    }, KEEP_MS);
  }

  #end(key: string): void {
    const opened = this.#opened.get(key);
    if (!opened) return;
    clearTimeout(opened.timer);
    this.#opened.delete(key);
    void opened.controller.destroy();
  }
}

function keyOf(source: string, { id }: ListedPanel): string {
  return `${source}: ${id}`;
}
