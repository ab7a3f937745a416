/** Colours the code of answers. */

import type { ColoursModule } from '../load-chunk.ts';
import { Finisher } from './finisher.ts';
import { sanitize } from './sanitize.ts';

/** One for a panel. */
export class Colours extends Finisher<ColoursModule> {
  /** @param nodes - drawn Markdown */
  draw(nodes: ParentNode): void {
    this.finishAll(nodes.querySelectorAll('.code'));
  }

  protected override finish(block: Element, colours: ColoursModule): void {
    colourCode(block, colours);
  }
}

/** @param block - of code, with the name of its language above */
export function colourCode(block: Element, { highlight }: ColoursModule): void {
  const code = block.querySelector('code');
  const language = block.querySelector('.code-head span')?.textContent ?? '';
  const html = highlight(code?.textContent ?? '', language.toLowerCase());
  if (code && html !== null) code.replaceChildren(sanitize(html));
}
