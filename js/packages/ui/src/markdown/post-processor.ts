/** What drawn Markdown gets besides: formulas, colours and diagrams. */

import type { CodeHighlighter } from './code-highlighter.ts';
import type { DiagramBlocks } from './diagrams.ts';
import type { FormulaRenderer } from './formulas.ts';

/** One for a panel. */
export class PostProcessor {
  constructor(
    private readonly formulas: FormulaRenderer,
    private readonly colours: CodeHighlighter,
    private readonly diagrams: DiagramBlocks,
  ) {}

  run(nodes: ParentNode, isColoured: boolean): void {
    this.formulas.draw(nodes);
    if (isColoured) this.colours.draw(nodes);
  }

  /** @param nodes - drawn Markdown that will not change */
  runDiagrams(nodes: ParentNode): void {
    this.diagrams.draw(nodes);
  }

  /** Says how dark the background is. */
  setDark(isDark: boolean): void {
    this.diagrams.setDark(isDark);
  }
}
