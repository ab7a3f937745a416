/** Post-processing of rendered Markdown: formulas, syntax highlighting, diagrams, buttons at code. */

import type { CodeHighlighter } from './code-highlighter.ts';
import type { DiagramBlocks } from './diagrams.ts';
import { connectFootnotes } from './footnotes.ts';
import type { FormulaRenderer } from './formulas.ts';
import type { RepositoryImages } from './images.ts';
import type { NotebookCode } from './notebook-code.ts';

/** One instance per panel. */
export class PostProcessor {
  constructor(
    private readonly formulas: FormulaRenderer,
    private readonly colours: CodeHighlighter,
    private readonly diagrams: DiagramBlocks,
    private readonly notebookCode: NotebookCode | null = null,
    private readonly images: RepositoryImages | null = null,
  ) {}

  run(nodes: ParentNode, isColoured: boolean): void {
    this.formulas.draw(nodes);
    if (isColoured) this.colours.draw(nodes);
  }

  /** @param nodes - rendered Markdown that won't change any more */
  runDiagrams(nodes: ParentNode): void {
    this.diagrams.draw(nodes);
  }

  /** @param answer - the element of a complete answer, in the document */
  runAnswer(answer: ParentNode): void {
    connectFootnotes(answer);
    this.images?.draw(answer);
    this.notebookCode?.draw(answer);
  }

  dispose(): void {
    this.notebookCode?.dispose();
  }

  /** Sets the theme. */
  setDark(isDark: boolean): void {
    this.diagrams.setDark(isDark);
  }
}
