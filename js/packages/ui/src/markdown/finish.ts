/** What drawn Markdown gets besides: formulas and colours. */

import type { Colours } from './colours.ts';
import type { Formulas } from './formulas.ts';

/** One for a panel. */
export class Finish {
  constructor(
    private readonly formulas: Formulas,
    private readonly colours: Colours,
  ) {}

  draw(nodes: ParentNode, isColoured: boolean): void {
    this.formulas.draw(nodes);
    if (isColoured) this.colours.draw(nodes);
  }
}
