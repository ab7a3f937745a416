/** Sets the formulas of answers: as source until what sets them is loaded, and where it is no TeX. */

import type { MathsModule } from '../load-chunk.ts';
import { Finisher } from './finisher.ts';
import { asMathMlCore } from './mathml-core.ts';
import { sanitizeMaths } from './sanitize.ts';

/** So many are remembered: a growing list is drawn again and again. */
const REMEMBERED = 300;
/** One for a panel. */
export class Formulas extends Finisher<MathsModule> {
  readonly #set = new Map<string, DocumentFragment>();

  /** @param nodes - drawn Markdown */
  draw(nodes: ParentNode): void {
    this.finishAll(nodes.querySelectorAll('.math'));
  }

  protected override finish(place: Element, maths: MathsModule): void {
    const tex = place.textContent ?? '';
    const isDisplay = place.classList.contains('display');
    const key = `${isDisplay ? 'display' : 'inline'} ${tex}`;
    const known = this.#set.get(key) ?? setFormula(tex, isDisplay, maths);
    this.#set.delete(key);
    this.#set.set(key, known);
    const [oldest] = this.#set.keys();
    if (this.#set.size > REMEMBERED && oldest !== undefined) this.#set.delete(oldest);
    place.replaceChildren(known.cloneNode(true));
  }
}

function withoutSigns(tex: string): string {
  const width = /^(?:\$\$|\\)/.test(tex) ? 2 : 1;
  return tex.slice(width, -width);
}

function setFormula(tex: string, isDisplay: boolean, maths: MathsModule): DocumentFragment {
  try {
    const nodes = sanitizeMaths(maths.formula(withoutSigns(tex), isDisplay));
    asMathMlCore(nodes);
    return nodes;
  } catch (error) {
    const nodes = document.createDocumentFragment();
    const code = document.createElement('code');
    code.textContent = tex;
    code.title = error instanceof Error ? error.message : String(error);
    nodes.append(code);
    return nodes;
  }
}
