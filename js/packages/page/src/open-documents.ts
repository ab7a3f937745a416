/** Interface of the documents that are open in JupyterLab, around the panel. */

import type { NotebookEdit, NotebookEdited, OpenNotebookRow } from '@jupyter-ac/link/rpc';

export interface OpenDocuments {
  /** Paths of the files with unsaved changes: absolute, starting with `~`, or `server:/` and relative to its root. */
  unsaved(): readonly string[];
  /**
   * The open notebooks with names of these files, which are in the panel's repository.
   * @param outputs - ids of the cells that are wanted with their outputs
   */
  notebooks(paths: readonly string[], outputs: readonly string[]): readonly OpenNotebookRow[];
  /** Edits an open notebook; `saved` is called with `edit.file` when the user has saved it. */
  edit(edit: NotebookEdit, saved: (file: string) => void): NotebookEdited;
  /** Called when files have changed on disk, with their paths in the panel's repository. */
  changed(paths: readonly string[]): void;
}

/** Global hook shared by the bundles on a page: the JupyterLab extension provides it, panels use it. */
const HOOK = Symbol.for('jupyter-ac.documents');

type Page = { [HOOK]?: OpenDocuments };

export function provideOpenDocuments(documents: OpenDocuments): void {
  (globalThis as Page)[HOOK] = documents;
}

/** null outside JupyterLab, and where the extension isn't installed. */
export function pageOpenDocuments(): OpenDocuments | null {
  return (globalThis as Page)[HOOK] ?? null;
}
