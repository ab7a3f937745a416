/** Interface of the kernels of the notebooks that are open in JupyterLab, for cells that the host asks to run. */

/** A cell that the user has approved. */
export interface ApprovedCell {
  readonly run_id: string;
  readonly kernel_id: string;
  readonly code: string;
  /** Of the code in UTF-8, hexadecimal. */
  readonly sha256: string;
  /** Seconds after which the kernel is interrupted. */
  readonly time_limit_s: number;
}

/** What became of a cell; `not_here` and `busy`: it wasn't run. */
export interface CellResult {
  readonly status: 'ok' | 'error' | 'timed_out' | 'interrupted' | 'busy' | 'not_here';
  /** As in a notebook file, bounded. */
  readonly outputs: readonly object[];
}

/** An answer of the active kernel; the error's type is a `KernelState`, or the kernel's own. */
export interface KernelValue {
  readonly value: unknown;
  readonly error: { readonly type: string; readonly message: string } | null;
}

export interface CellRunner {
  /** Rejects when the cell isn't the one that was approved, or when it isn't known what became of it. */
  run(cell: ApprovedCell): Promise<CellResult>;
  /** Interrupts the kernel if it runs this cell. */
  interrupt(runId: string): Promise<void>;
  /** The id of the kernel of an open notebook, of the only one for ''; '' if it isn't open with one. */
  kernelOf(notebook: string): Promise<string>;
  /** The variables of that kernel, as `Kernel.list_variables` gives them; null if there is none. */
  variablesOf(notebook: string): Promise<object | null>;
  /**
   * What the kernel of the active notebook says of its session.
   *
   * @param method - of `Kernel`: `list_variables`, `describe_variable`, `get_last_error`
   * @param name - of a variable
   */
  kernelValue(method: string, name: string): Promise<KernelValue>;
}

/** Global hook shared by the bundles on a page: the JupyterLab extension provides it, panels use it. */
const HOOK = Symbol.for('jupyter-ac.cells');

type Page = { [HOOK]?: CellRunner };

export function provideCellRunner(runner: CellRunner): void {
  (globalThis as Page)[HOOK] = runner;
}

/** null outside JupyterLab, and where the page can't compute hashes: only there are cells run in the page. */
export function pageCellRunner(): CellRunner | null {
  return (globalThis as Page)[HOOK] ?? null;
}
