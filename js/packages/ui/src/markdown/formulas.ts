/** Renders formulas in answers; shows their source until KaTeX is loaded, and for invalid TeX. */

import type { MathsModule } from '../load-chunk.ts';
import { inSlices } from '../model/time-slicing.ts';
import { LazyProcessor } from './lazy-processor.ts';
import { toMathMlCore } from './mathml-core.ts';
import { sanitizeMaths } from './sanitize.ts';

/** New formulas that are rendered at once; further ones follow in slices of time. */
const MAX_AT_ONCE = 20;
/** Formulas that are rendered in one piece of Markdown; the rest stays source, since layout of a paragraph with thousands takes seconds. */
const MAX_RENDERED = 500;
/** Size of the cache, larger than what is rendered: a streamed answer is rendered again and again. */
const MAX_CACHED = 600;

/** One instance per panel. */
export class FormulaRenderer extends LazyProcessor<MathsModule> {
  readonly #cache = new Map<string, DocumentFragment>();

  constructor(
    load: () => Promise<MathsModule>,
    private readonly maxRendered = MAX_RENDERED,
  ) {
    super(load);
  }

  /** @param nodes - rendered Markdown */
  draw(nodes: ParentNode): void {
    const atOnce: Element[] = [];
    const later: Element[] = [];
    let isNew = 0;
    for (const place of [...nodes.querySelectorAll('.math')].slice(0, this.maxRendered)) {
      if (!this.#cache.has(keyOf(place))) isNew += 1;
      (isNew > MAX_AT_ONCE ? later : atOnce).push(place);
    }
    this.processAll(atOnce);
    if (later.length) setTimeout(() => this.#drawLater(later));
  }

  #drawLater(places: readonly Element[]): void {
    const draw = (place: Element): void => {
      // Rendered again meanwhile: other elements took the place of these.
      if (place.isConnected) this.processAll([place]);
    };
    inSlices(places, draw, () => {});
  }

  protected override process(place: Element, maths: MathsModule): void {
    const tex = place.textContent ?? '';
    const key = keyOf(place);
    const known = this.#cache.get(key) ?? setFormula(tex, isDisplay(place), maths);
    this.#cache.delete(key);
    this.#cache.set(key, known);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    place.replaceChildren(known.cloneNode(true));
  }
}

function isDisplay(place: Element): boolean {
  return place.classList.contains('display');
}

function keyOf(place: Element): string {
  return `${isDisplay(place) ? 'display' : 'inline'} ${place.textContent ?? ''}`;
}

function withoutDelimiters(tex: string): string {
  const width = /^(?:\$\$|\\)/.test(tex) ? 2 : 1;
  return tex.slice(width, -width);
}

function setFormula(tex: string, isOnItsOwn: boolean, maths: MathsModule): DocumentFragment {
  try {
    const nodes = sanitizeMaths(maths.formula(withoutDelimiters(tex), isOnItsOwn));
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
