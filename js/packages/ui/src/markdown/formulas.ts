/** Renders formulas in answers; shows their source until KaTeX is loaded, and for invalid TeX. */

import type { MathsModule } from '../load-chunk.ts';
import { LazyProcessor } from './lazy-processor.ts';
import { toMathMlCore } from './mathml-core.ts';
import { sanitizeMaths } from './sanitize.ts';

/** Size of the cache: a streamed answer is rendered again and again. */
const MAX_CACHED = 300;
/** One instance per panel. */
export class FormulaRenderer extends LazyProcessor<MathsModule> {
  readonly #cache = new Map<string, DocumentFragment>();

  /** @param nodes - rendered Markdown */
  draw(nodes: ParentNode): void {
    this.processAll(nodes.querySelectorAll('.math'));
  }

  protected override process(place: Element, maths: MathsModule): void {
    const tex = place.textContent ?? '';
    const isDisplay = place.classList.contains('display');
    const key = `${isDisplay ? 'display' : 'inline'} ${tex}`;
    const known = this.#cache.get(key) ?? setFormula(tex, isDisplay, maths);
    this.#cache.delete(key);
    this.#cache.set(key, known);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    place.replaceChildren(known.cloneNode(true));
  }
}

function withoutDelimiters(tex: string): string {
  const width = /^(?:\$\$|\\)/.test(tex) ? 2 : 1;
  return tex.slice(width, -width);
}

function setFormula(tex: string, isDisplay: boolean, maths: MathsModule): DocumentFragment {
  try {
    const nodes = sanitizeMaths(maths.formula(withoutDelimiters(tex), isDisplay));
    toMathMlCore(nodes);
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
