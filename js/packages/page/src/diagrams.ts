/** What draws diagrams on the page around a panel, where the page is JupyterLab or Notebook 7. */

export interface Diagram {
  /** The text of an SVG. */
  readonly svg: string;
  /** In pixels; null when it doesn't say. */
  readonly width?: number | null;
}

export interface Diagrams {
  /** Rejects with what is wrong with the source. */
  draw(source: string): Promise<Diagram>;
}

/** Shared by the bundles on a page: the side panel's extension offers, every panel's UI takes. */
const HOOK = Symbol.for('jupyter-ac.diagrams');

type Page = { [HOOK]?: Diagrams };

export function offerDiagrams(diagrams: Diagrams): void {
  (globalThis as Page)[HOOK] = diagrams;
}

/** Null outside of Jupyter's pages, and where they don't have our extension. */
export function pageDiagrams(): Diagrams | null {
  return (globalThis as Page)[HOOK] ?? null;
}
