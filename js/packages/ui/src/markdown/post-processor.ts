/** Post-processing of rendered Markdown: formulas, syntax highlighting, diagrams. */

import type { CodeHighlighter } from './code-highlighter.ts';
import type { DiagramBlocks } from './diagrams.ts';
import type { FormulaRenderer } from './formulas.ts';

/** One instance per panel. */
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

  /** @param nodes - rendered Markdown that won't change any more */
  runDiagrams(nodes: ParentNode): void {
    this.diagrams.draw(nodes);
  }

  /** Sets the theme. */
  setDark(isDark: boolean): void {
    this.diagrams.setDark(isDark);
  }
}
