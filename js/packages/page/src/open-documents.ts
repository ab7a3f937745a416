/** The documents that are open in the page around a panel, where the page is JupyterLab. */

export interface OpenDocuments {
  /** Files with changes that are not saved: absolute paths, or below `~`. */
  unsaved(): readonly string[];
  /** Some files have changed on disk; their paths in the repository that a panel shows. */
  changed(paths: readonly string[]): void;
}

/** Shared by the bundles on a page: the side panel's extension offers, every panel's UI takes. */
const HOOK = Symbol.for('jupyter-ac.documents');

type Page = { [HOOK]?: OpenDocuments };

export function provideOpenDocuments(documents: OpenDocuments): void {
  (globalThis as Page)[HOOK] = documents;
}

/** Null outside of JupyterLab, and where it doesn't have our extension. */
export function pageOpenDocuments(): OpenDocuments | null {
  return (globalThis as Page)[HOOK] ?? null;
}
