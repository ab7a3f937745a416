/** Interface of the diagram renderer, provided by JupyterLab or Notebook 7, or by a sandboxed frame. */

export interface Diagram {
  /** The text of an SVG. */
  readonly svg: string;
  /** In pixels; null when it isn't known. */
  readonly width?: number | null;
}

export interface DiagramRenderer {
  /**
   * Renders Mermaid source; rejects with its syntax error.
   *
   * @param isDark - for a dark background; JupyterLab uses its own theme instead
   */
  render(source: string, isDark: boolean): Promise<Diagram>;
}

/** Request to the frame, sent through its message port. */
export interface DrawRequest {
  readonly source: string;
  readonly isDark: boolean;
}

export type DrawAnswer = Diagram | { readonly error: string };

/** File name of the frame's page, beside the UI's bundle. */
export function diagramsFile(hash: string): string {
  return `diagrams-${hash}.html`;
}

/** Global hook shared by the bundles on a page: the JupyterLab extension provides it, panels use it. */
const HOOK = Symbol.for('jupyter-ac.diagrams');

type Page = { [HOOK]?: DiagramRenderer };

export function provideDiagramRenderer(diagrams: DiagramRenderer): void {
  (globalThis as Page)[HOOK] = diagrams;
}

/** null on other pages, and where the extension isn't installed. */
export function pageDiagramRenderer(): DiagramRenderer | null {
  return (globalThis as Page)[HOOK] ?? null;
}
