/** A panel's host: what the page calls on the plugin, and the tree that the plugin sends. */

import { t } from '@jupyter-ac/messages';
import { type Dispose, Store } from '../store.ts';
import type { PanelConnection, PluginToHost } from './connection.ts';
import { PanelTree } from './panel-tree.ts';
import {
  EXTENSIONS,
  type JsonObject,
  type JsonValue,
  type LogLevel,
  type PanelEnvironment,
  type PanelNode,
  PROTOCOL_VERSION,
} from './protocol.ts';
import { PanelMessageError } from './read-message.ts';

/** Where the plugin runs. */
export type PanelMode = 'kernel' | 'server' | 'process';

export interface PanelError {
  readonly message: string;
  /** Trace of the plugin; '' for none. */
  readonly stack: string;
}

export interface PanelStatus {
  readonly mode: PanelMode;
  readonly connected: boolean;
  /** The plugin has answered `initialize`. */
  readonly isReady: boolean;
  /** Since the last start; null: none. */
  readonly lastError: PanelError | null;
  /** Calls of handlers that the plugin has not answered. */
  readonly pendingEvents: number;
}

export interface PanelHostOptions {
  readonly mode?: PanelMode;
  /** Schedules one update for all changes until then, such as by animation frames. */
  readonly schedule: (update: () => void) => void;
  readonly onLog?: (level: LogLevel, args: readonly JsonValue[]) => void;
}

/** Events beyond this number are dropped while the plugin answers none. */
const MAX_PENDING = 64;
const MAX_ERROR_TEXT = 10_000;
/** A plugin that diverges again and again is asked for its tree once in this time. */
const SYNC_PAUSE_MS = 1000;
const NO_TREE: unique symbol = Symbol(t('no tree'));

/** Listeners of `subscribe` run once for all changes of a frame. */
export class HostController extends Store {
  readonly #tree = new PanelTree();
  readonly #errorListeners = new Set<(error: PanelError) => void>();
  readonly #disposers: Dispose[];
  /** A whole tree that nobody has read yet: only the newest is checked. */
  #newest: unknown = NO_TREE;
  /** The tree is the plugin's; else it has been asked for it. */
  #isInStep = true;
  /** It was asked a moment ago. */
  #isResting = false;
  #mustAskAgain = false;
  #isScheduled = false;
  #isDisposed = false;
  #status: PanelStatus;
  #start: { props: JsonObject | null; environment: PanelEnvironment } | null = null;
  /** Errors that the plugin has reported. */
  #reports = 0;
  /** Answers of an earlier start are ignored. */
  #generation = 0;

  constructor(
    private readonly connection: PanelConnection,
    private readonly options: PanelHostOptions,
  ) {
    super();
    const { connected } = connection;
    this.#status = {
      mode: options.mode ?? 'process',
      connected,
      isReady: false,
      lastError: null,
      pendingEvents: 0,
    };
    this.#disposers = [
      connection.serve(this.#served()),
      connection.onClose((reason) => this.#onClose(reason)),
    ];
    const back = connection.onOpen?.(() => this.#onOpen());
    if (back) this.#disposers.push(back);
  }

  getStatus(): PanelStatus {
    return this.#status;
  }

  /** Snapshot of the tree; null: nothing to show. */
  getTree(): PanelNode | null {
    this.#readNewest();
    return this.#tree.root;
  }

  /** Runs `listener` for each error until disposed. */
  subscribeErrors(listener: (error: PanelError) => void): Dispose {
    this.#errorListeners.add(listener);
    return () => this.#errorListeners.delete(listener);
  }

  /** Starts the plugin; its first tree arrives as any other. A failure is an error of the panel. */
  async initialize(props: JsonObject | null, environment: PanelEnvironment): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    this.#start = { props, environment };
    this.#isInStep = true;
    this.#change({ isReady: false, lastError: null, pendingEvents: 0 });
    const request = {
      protocolVersion: PROTOCOL_VERSION,
      ...(props === null ? {} : { props }),
      env: environment,
      extensions: EXTENSIONS,
    };
    const isDone = await this.#call('initialize', request);
    if (isDone && generation === this.#generation) this.#change({ isReady: true });
  }

  /** Ends the plugin and starts it again with the props and the environment of now. */
  async restart(): Promise<void> {
    if (!this.#start) throw new Error(t('The panel has not been started.'));
    const { connection } = this;
    if (connection.restart) {
      this.#generation += 1;
      this.#change({ lastError: null, pendingEvents: 0 });
      const isDone = await this.#attempt(() => connection.restart?.() ?? Promise.resolve());
      // A view that was shown gets the new tree without asking.
      if (!isDone || this.#status.isReady) return;
    } else if (this.#status.isReady) await this.#call('destroy');
    if (!this.#isDisposed) await this.initialize(this.#start.props, this.#start.environment);
  }

  /** The plugin was started anew by somebody else: what was wrong before is over. */
  forgetError(): void {
    if (this.#status.connected && this.#status.lastError) this.#change({ lastError: null });
  }

  async updateProps(props: JsonObject): Promise<void> {
    if (this.#start) this.#start = { ...this.#start, props };
    await this.#call('updateProps', props);
  }

  /**
   * Members that aren't named stay as they are; those that are as they were aren't sent. Before the start nothing is
   * said: `initialize` names them all.
   */
  async setEnvironment(changes: Partial<PanelEnvironment>): Promise<void> {
    if (!this.#start) return;
    const { environment } = this.#start;
    const news = Object.entries(changes).filter(
      ([name, value]) => environment[name as keyof PanelEnvironment] !== value,
    );
    if (!news.length) return;
    this.#start = { ...this.#start, environment: { ...environment, ...changes } };
    if (this.#status.connected) await this.#call('setEnvironment', Object.fromEntries(news));
  }

  /** Resolves when the plugin has answered; to false when it hasn't got the event, or its handler failed. */
  async executeHandler(handlerId: string, args: readonly JsonValue[]): Promise<boolean> {
    if (!this.#status.connected || this.#status.pendingEvents >= MAX_PENDING) return false;
    const generation = this.#generation;
    this.#change({ pendingEvents: this.#status.pendingEvents + 1 });
    const isDone = await this.#call('executeHandler', handlerId, args);
    if (generation === this.#generation) this.#change({ pendingEvents: this.#status.pendingEvents - 1 });
    return isDone;
  }

  /** Asks for the whole tree. */
  async syncTree(): Promise<void> {
    await this.#call('syncTree');
  }

  /** Ends the plugin; the controller is of no use afterwards. */
  async destroy(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const dispose of this.#disposers) dispose();
    if (this.#status.connected) await this.connection.call('destroy').catch(() => undefined);
    this.#status = { ...this.#status, connected: false, isReady: false };
  }

  #served(): PluginToHost {
    return {
      updateTree: (tree) => this.#updateTree(tree),
      applyMutations: (mutations) => this.#applyMutations(mutations),
      log: (level, args) => this.#log(level, args),
      reportError: (error) => {
        this.#reports += 1;
        this.#fail(errorOf(error));
      },
    };
  }

  #updateTree(tree: unknown): void {
    this.#newest = tree;
    this.#later();
  }

  #applyMutations(mutations: unknown): void {
    this.#readNewest();
    if (!this.#isInStep && !beginsAnew(mutations)) return;
    try {
      this.#tree.apply(mutations);
      this.#isInStep = true;
    } catch (error) {
      this.#onMismatch(error);
    }
    this.#later();
  }

  #readNewest(): void {
    const tree = this.#newest;
    if (tree === NO_TREE) return;
    this.#newest = NO_TREE;
    try {
      this.#tree.replace(tree);
      this.#isInStep = true;
    } catch (error) {
      if (!(error instanceof PanelMessageError)) throw error;
      // Asking would bring the same tree again.
      this.#isInStep = false;
      this.#mustAskAgain = false;
      this.#fail({ message: error.message, stack: '' });
    }
  }

  /** The batch is dropped; the plugin is asked for its tree, and what it sends until then is dropped too. */
  #onMismatch(error: unknown): void {
    if (!(error instanceof PanelMessageError)) throw error;
    if (!this.#isInStep) return;
    this.#isInStep = false;
    this.#mustAskAgain = true;
    this.#askForTree();
  }

  #askForTree(): void {
    // Asked a moment ago: again at the end of the pause.
    if (this.#isResting) return;
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      if (!this.#isInStep && this.#mustAskAgain && !this.#isDisposed) this.#askForTree();
    }, SYNC_PAUSE_MS);
    this.#mustAskAgain = false;
    void this.syncTree();
  }

  #log(level: unknown, args: unknown): void {
    const isKnown = level === 'info' || level === 'warn' || level === 'error';
    this.options.onLog?.(isKnown ? level : 'log', Array.isArray(args) ? args : []);
  }

  #onClose(reason?: unknown): void {
    if (!this.#status.connected) return;
    this.#generation += 1;
    this.#change({ connected: false, isReady: false, pendingEvents: 0 });
    this.#fail({ message: shortened(reason) || t('The connection to the panel was lost.'), stack: '' });
  }

  /** The tree stays until the plugin sends another one. */
  #onOpen(): void {
    if (this.#status.connected) return;
    this.#change({ connected: true });
    if (this.#start) void this.initialize(this.#start.props, this.#start.environment);
  }

  #call(method: string, ...args: readonly unknown[]): Promise<boolean> {
    return this.#attempt(() => this.connection.call(method, ...args));
  }

  /** Whether the call succeeded; a failure is an error of the panel, but for a connection that is lost. */
  async #attempt(call: () => Promise<unknown>): Promise<boolean> {
    const [generation, reports] = [this.#generation, this.#reports];
    try {
      await call();
      return true;
    } catch (error) {
      const isOurs = generation === this.#generation && !this.#isDisposed && this.connection.connected;
      // What the plugin said meanwhile tells more, such as why it has ended.
      if (isOurs && reports === this.#reports) this.#fail(errorOf(error));
      return false;
    }
  }

  #fail(error: PanelError): void {
    this.#change({ lastError: error });
    for (const listener of [...this.#errorListeners]) listener(error);
  }

  #change(changes: Partial<PanelStatus>): void {
    this.#status = { ...this.#status, ...changes };
    this.#later();
  }

  #later(): void {
    if (this.#isScheduled || this.#isDisposed) return;
    this.#isScheduled = true;
    this.options.schedule(() => {
      this.#isScheduled = false;
      if (!this.#isDisposed) this.changed();
    });
  }
}

/** Whether a batch needs nothing of the tree before it. */
function beginsAnew(mutations: unknown): boolean {
  const first: unknown = Array.isArray(mutations) ? mutations[0] : null;
  return typeof first === 'object' && first !== null && 'type' in first && first.type === 'setRoot';
}

function errorOf(value: unknown): PanelError {
  const { message, stack } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return {
    message: shortened(message) || t('The plugin failed without a message.'),
    stack: value instanceof Error ? '' : shortened(stack),
  };
}

function shortened(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_ERROR_TEXT) : '';
}
