/** What renders Markdown in a panel: the parser, the sanitizer, and what works on their result. */

import { MarkdownView, markdownNodes } from './markdown-view.ts';
import type { PostProcessor } from './post-processor.ts';

/** One instance per panel. */
export class MarkdownRenderer {
  constructor(private readonly postProcessor: PostProcessor | null = null) {}

  /**
   * Creates a renderer for a text that may be streamed.
   *
   * @param root - an element that nobody else writes into
   */
  newView(root: HTMLElement, isQuestion: boolean): MarkdownView {
    return new MarkdownView(root, isQuestion, this.postProcessor);
  }

  /** Renders a whole text. */
  render(markdown: string): DocumentFragment {
    const nodes = markdownNodes(markdown);
    this.postProcessor?.run(nodes, true);
    return nodes;
  }

  /** @param answer - the element of a complete answer, in the document */
  completeAnswer(answer: ParentNode): void {
    this.postProcessor?.runAnswer(answer);
  }

  /** Sets the theme. */
  setDark(isDark: boolean): void {
    this.postProcessor?.setDark(isDark);
  }

  dispose(): void {
    this.postProcessor?.dispose();
  }
}
