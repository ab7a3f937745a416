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

/** A cell of the active notebook. */
export interface ActiveCell {
  readonly id: string;
  /** `code`, `markdown` or `raw`. */
  readonly type: string;
  readonly source: string;
}

/** Which cell was shown: a copy of a notebook has cells of the same ids. */
export interface SeenCell {
  readonly id: string;
  /** Of the notebook, under the server's root. */
  readonly path: string;
}

/** Text that is selected in the active notebook or file. */
export interface SelectedText {
  readonly text: string;
  /** Of the notebook or file, under the server's root. */
  readonly path: string;
  /** Position of the notebook's cell, from 0; null in a file. */
  readonly cell: number | null;
}

/** An output as notebook files hold it, with members that depend on its type. */
export interface NotebookOutput {
  readonly output_type: string;
  readonly [member: string]: unknown;
}

/** The host keeps names of items and paths of this length. */
const MAX_SOURCE = 200;

/**
 * What items of a notebook or file name as their source: secrets are put back only into the cell of this source and id.
 *
 * @param path - under the server's root
 */
export function itemSource(path: string): string {
  return path.slice(-MAX_SOURCE);
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
   * @param seen - what else the user has seen: id of the cell and path of the notebook; without it, any
   * @throws Error with one sentence when the cell can't be replaced or is another one by now
   */
  replaceActive(source: string, expected: string, seen?: SeenCell): void;
  /** Inserts a code cell below and runs it; resolves at its end. Rejects when it can't be run. */
  insertAndRun(source: string): Promise<void>;
  /** Path of the notebook under the server's root; '' when none is open. */
  path(): string;
  /** Its cells; none when no notebook is open. */
  cells(): readonly ActiveCell[];
  /** Position of the active cell, from 0; a cell that shows a panel doesn't count. -1: there is none. */
  activeCellIndex(): number;
  /** Outputs of the cell at a position; none for a cell that isn't code. */
  outputs(index: number): readonly NotebookOutput[];
  /** What is selected in the document in front, be it a notebook or a file; null: nothing. */
  selection(): SelectedText | null;
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
