/** Highlights code blocks in rendered Markdown. */

import type { ColoursModule } from '../load-chunk.ts';
import { LazyProcessor } from './lazy-processor.ts';
import { sanitize } from './sanitize.ts';

/** One instance per panel. */
export class CodeHighlighter extends LazyProcessor<ColoursModule> {
  /** @param nodes - rendered Markdown */
  draw(nodes: ParentNode): void {
    this.processAll(nodes.querySelectorAll('.code'));
  }

  protected override process(block: Element, colours: ColoursModule): void {
    highlightCode(block, colours);
  }
}

/** @param block - element with the code and a head that names its language */
export function highlightCode(block: Element, { highlight }: ColoursModule): void {
  const code = block.querySelector('code');
  const language = block.querySelector('.code-head span')?.textContent ?? '';
  const html = highlight(code?.textContent ?? '', language.toLowerCase());
  if (code && html !== null) code.replaceChildren(sanitize(html));
}
