/** What draws diagrams for a panel: the page around it, where that is JupyterLab or Notebook 7, or a frame of ours. */

export interface Diagram {
  /** The text of an SVG. */
  readonly svg: string;
  /** In pixels; null when it doesn't say. */
  readonly width?: number | null;
}

export interface DiagramRenderer {
  /**
   * Rejects with what is wrong with the source.
   *
   * @param isDark - for a dark background; a page that has a theme of its own goes by that
   */
  render(source: string, isDark: boolean): Promise<Diagram>;
}

/** What the frame is asked, through the port that it was handed. */
export interface DrawRequest {
  readonly source: string;
  readonly isDark: boolean;
}

export type DrawAnswer = Diagram | { readonly error: string };

/** The frame's page, a file beside the UI's bundle. */
export function diagramsFile(hash: string): string {
  return `diagrams-${hash}.html`;
}

/** Shared by the bundles on a page: the side panel's extension offers, every panel's UI takes. */
const HOOK = Symbol.for('jupyter-ac.diagrams');

type Page = { [HOOK]?: DiagramRenderer };

export function provideDiagramRenderer(diagrams: DiagramRenderer): void {
  (globalThis as Page)[HOOK] = diagrams;
}

/** Null outside of Jupyter's pages, and where they don't have our extension. */
export function pageDiagramRenderer(): DiagramRenderer | null {
  return (globalThis as Page)[HOOK] ?? null;
}
