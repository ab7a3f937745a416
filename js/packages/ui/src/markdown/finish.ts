/** What drawn Markdown gets besides: formulas, colours and diagrams. */

import type { Colours } from './colours.ts';
import type { DiagramBlocks } from './diagrams.ts';
import type { Formulas } from './formulas.ts';

/** One for a panel. */
export class Finish {
  constructor(
    private readonly formulas: Formulas,
    private readonly colours: Colours,
    private readonly diagrams: DiagramBlocks,
  ) {}

  draw(nodes: ParentNode, isColoured: boolean): void {
    this.formulas.draw(nodes);
    if (isColoured) this.colours.draw(nodes);
  }

  /** @param nodes - drawn Markdown that will not change */
  drawDiagrams(nodes: ParentNode): void {
    this.diagrams.draw(nodes);
  }

  /** Says how dark the background is. */
  setDark(isDark: boolean): void {
    this.diagrams.setDark(isDark);
  }
}
