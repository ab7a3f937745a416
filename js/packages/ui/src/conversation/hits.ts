/** Marks hits of a search in the page: with the CSS Custom Highlight API, else with `mark` elements. */

import { matchesIn } from '../model/find.ts';

const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, summary, div';
const SKIPPED = 'button, .code-head, [hidden], style, .katex-mathml';

interface Piece {
  readonly node: Text;
  /** Offset of its text in the whole text. */
  readonly start: number;
}

/** The places of a pattern in an element's text; a hit may go over several text nodes. */
export function rangesIn(element: Element, pattern: RegExp): Range[] {
  const { text, pieces } = textOf(element);
  return matchesIn(text, pattern).flatMap(([start, end]) => rangeOf(pieces, start, end) ?? []);
}

function textOf(element: Element): { text: string; pieces: Piece[] } {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (!parent || !node.data || parent.closest(SKIPPED)) continue;
    const own = parent.closest(BLOCKS);
    if (block && own !== block) text += '\n';
    block = own;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
}

function rangeOf(pieces: readonly Piece[], start: number, end: number): Range | null {
  const first = pieces.findLast((piece) => piece.start <= start);
  const last = pieces.findLast((piece) => piece.start < end);
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(first.node, Math.min(start - first.start, first.node.length));
  range.setEnd(last.node, Math.min(end - last.start, last.node.length));
  return range.collapsed ? null : range;
}

const ALL = 'ac-find';
const CURRENT = 'ac-find-current';

export interface Found {
  readonly all: readonly Range[];
  readonly current: Range | null;
}

const NOTHING: Found = { all: [], current: null };

/** What each panel of the page has marked: the registry of highlights is the page's. */
const shown = new Map<object, Found>();

export class HitMarks {
  #marks: HTMLElement[] = [];

  /**
   * Marks hits, and one of them as the current one.
   *
   * @param find called when the text is as it was: marks that split it are gone
   */
  show(find: () => Found): void {
    this.#unwrap();
    const found = find();
    if (typeof Highlight === 'undefined' || !CSS.highlights) {
      if (found.current) this.#wrap(found.current);
      return;
    }
    if (found.all.length) shown.set(this, found);
    else shown.delete(this);
    const sets = [...shown.values()];
    CSS.highlights.set(ALL, new Highlight(...sets.flatMap((set) => set.all)));
    const currents = new Highlight(...sets.flatMap((set) => set.current ?? []));
    currents.priority = 1;
    CSS.highlights.set(CURRENT, currents);
  }

  clear(): void {
    this.show(() => NOTHING);
  }

  /** Wraps the current hit where highlights are not known. */
  #wrap(range: Range): void {
    const { startContainer, startOffset, endContainer, endOffset } = range;
    if (!(startContainer instanceof Text)) return;
    const end = startContainer === endContainer ? endOffset : startContainer.length;
    const part = startContainer.splitText(startOffset);
    part.splitText(Math.max(0, end - startOffset));
    const mark = document.createElement('mark');
    part.replaceWith(mark);
    mark.append(part);
    this.#marks.push(mark);
  }

  #unwrap(): void {
    for (const mark of this.#marks) {
      const { parentNode } = mark;
      mark.replaceWith(...mark.childNodes);
      parentNode?.normalize();
    }
    this.#marks = [];
  }
}
