/** Interface of the kernel of the active notebook or console, around the panel: variables, errors, completion. */

/**
 * - `none`: no notebook and no console is open, or its kernel is dead
 * - `other-language`: its kernel isn't Python's
 * - `not-loaded`: `%load_ext jupyter_ac` was not run in it
 * - `busy`: it doesn't answer, usually because a cell is running
 */
export type KernelState = 'none' | 'other-language' | 'not-loaded' | 'busy' | 'ready';

export interface KernelStatus {
  readonly state: KernelState;
  /** A sentence for the user: what works, or what to do; '' when ready. */
  readonly text: string;
  /** Path of the notebook or console; '' for none. */
  readonly path: string;
}

/** A variable in a list; `docs/kernel.md` describes the members of these types. */
export interface VariableRow {
  readonly name: string;
  readonly kind: 'value' | 'module' | 'function' | 'class';
  readonly type: string;
  readonly is_known: boolean;
  readonly shape: readonly number[] | null;
  readonly length: number | null;
  readonly dtype: string;
  readonly size_bytes: number;
  readonly line: string;
}

export interface VariableList {
  readonly variables: readonly VariableRow[];
  readonly left_out: number;
}

export interface VariableDescription extends VariableRow {
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly columns: readonly { readonly name: string; readonly dtype: string }[];
  readonly columns_left_out: number;
  readonly head: readonly (readonly string[])[];
  readonly note: string;
  /** All of it as text, for a model. */
  readonly text: string;
  readonly repr: {
    readonly state: 'done' | 'running' | 'failed';
    readonly text: string;
    readonly is_cut: boolean;
  } | null;
}

export interface ErrorFrame {
  readonly kind: 'cell' | 'repository' | 'library';
  readonly file: string;
  readonly cell: number | null;
  readonly line: number;
  readonly function: string;
  readonly source: string;
  readonly locals: readonly { readonly name: string; readonly type: string; readonly line: string }[];
  readonly locals_left_out: number;
}

export interface ErrorReport {
  readonly type: string;
  readonly message: string;
  readonly notes: readonly string[];
  readonly frames: readonly ErrorFrame[];
  readonly frames_left_out: number;
  readonly causes: readonly string[];
}

export interface HistoryRow {
  readonly number: number;
  readonly source: string;
  readonly is_cut: boolean;
}

export interface KernelCompletions {
  readonly matches: readonly string[];
  /** The text to be replaced, by offsets of the string. */
  readonly start: number;
  readonly end: number;
}

export interface KernelHello {
  readonly directory: string;
  readonly nonce: string | null;
  readonly versions: Readonly<Record<string, string>>;
}

/** Rejection of a call; `message` is a sentence for the user. Each bundle has a copy: look at `name`. */
export class KernelError extends Error {
  override readonly name = 'KernelError';

  /** @param type a `KernelState` but `ready`, `closed`, or the kernel's own, such as `not_found` */
  constructor(
    message: string,
    readonly type: string,
  ) {
    super(message);
  }
}

/**
 * Link to the panels of one kernel (`Panels.*`, as the server has them). It ends with the kernel, also by a restart.
 * Messages that the kernel's server has dropped are lost: a batch that doesn't fit is repaired by `Panels.syncTree`.
 */
export interface KernelPanels {
  /** Identifies the kernel; a restarted one is another. */
  readonly id: string;
  readonly isOpen: boolean;
  /**
   * Calls a method by its full name, such as `Panels.list`. Handlers run between cells: the answer may come after the
   * running cell. Rejects with a KernelError when the method fails or the link ends.
   */
  call(method: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Calls back for each notification, such as `Panels.updateTree`; returns how to end that. */
  onMessage(listener: (method: string, args: readonly unknown[]) => void): () => void;
  /** Calls back once when the link ends, with the reason; returns how to end that. */
  onClose(listener: (reason: KernelError) => void): () => void;
}

/** No call but those of `panels` waits longer than 2 s, `loadExtension` 10 s; then it rejects with the type `busy`. */
export interface KernelAccess {
  state(): Promise<KernelStatus>;
  /** Calls back when `state` may have changed; returns how to end that. */
  onChange(listener: () => void): () => void;
  hello(): Promise<KernelHello>;
  listVariables(): Promise<VariableList>;
  /** @param withRepr - run the value's own `__repr__`, which is the user's code */
  describeVariable(name: string, withRepr?: boolean): Promise<VariableDescription>;
  /** null when the session has shown no error. */
  lastError(): Promise<ErrorReport | null>;
  /** The last inputs, the newest last. */
  history(count?: number): Promise<readonly HistoryRow[]>;
  /** @param position - of the cursor, as offset of the string */
  complete(code: string, position: number): Promise<KernelCompletions>;
  /** Runs `%load_ext jupyter_ac`, which the user has clicked for. */
  loadExtension(): Promise<void>;
  /** The panels of the active kernel, by the same object as long as it is the same kernel. */
  panels(): Promise<KernelPanels>;
}

/** Global hook shared by the bundles on a page: the JupyterLab extension provides it, panels use it. */
const HOOK = Symbol.for('jupyter-ac.kernel');

type Page = { [HOOK]?: KernelAccess };

export function provideKernelAccess(access: KernelAccess): void {
  (globalThis as Page)[HOOK] = access;
}

/** null outside JupyterLab and Notebook 7, and where the extension isn't installed. */
export function pageKernelAccess(): KernelAccess | null {
  return (globalThis as Page)[HOOK] ?? null;
}
