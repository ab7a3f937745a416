/** Interface of the notebook that the user works in, beside the panel. */

/** What is done with a code block of an answer. */
export type CodeAction = 'insert' | 'replace' | 'run';

/** Event at a panel's root element: acts on the code block used last. It bubbles out of no element. */
export const CODE_ACTION = 'jupyter-ac-code-action';

export interface CodeActionRequest {
  readonly action: CodeAction;
  /** The panel had a code block for it, and has acted or shown why it can't. */
  isTaken: boolean;
}

export interface ActiveNotebook {
  /** The kernel's language, as the notebook names it, '' when it doesn't; null: no notebook is open. */
  language(): string | null;
  /**
   * Source of the active cell.
   *
   * @throws Error with one sentence when that cell can't be replaced
   */
  activeSource(): string;
  /** Inserts a code cell below the active one and makes it active; throws an Error with one sentence. */
  insertBelow(source: string): void;
  /**
   * Replaces the active cell's source, as one step that can be undone in the cell.
   *
   * @param expected - the source that the user has seen
   * @throws Error with one sentence when the cell can't be replaced or has another source by now
   */
  replaceActive(source: string, expected: string): void;
  /** Inserts a code cell below and runs it; resolves at its end. Rejects when it can't be run. */
  insertAndRun(source: string): Promise<void>;
  /** Calls `listener` when another notebook or language is active; returns a function that ends that. */
  subscribe(listener: () => void): () => void;
}

/** Global hook shared by the bundles on a page: the JupyterLab extension provides it, panels use it. */
const HOOK = Symbol.for('jupyter-ac.notebook');

type Page = { [HOOK]?: ActiveNotebook };

export function provideActiveNotebook(notebook: ActiveNotebook): void {
  (globalThis as Page)[HOOK] = notebook;
}

/** null outside JupyterLab, and where the extension isn't installed. */
export function pageActiveNotebook(): ActiveNotebook | null {
  return (globalThis as Page)[HOOK] ?? null;
}
