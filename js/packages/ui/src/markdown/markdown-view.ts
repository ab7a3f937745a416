/**
 * Incremental Markdown renderer for streamed text: complete blocks are rendered once, only the tail is rendered
 * again.
 */

import { t } from '@jupyter-ac/messages';
import type { MarkdownIt } from 'markdown-it';
import { LinkAddress } from './link-address.ts';
import type { PostProcessor } from './post-processor.ts';
import { newMarkdown, renderMarkdown } from './render.ts';
import { sanitize } from './sanitize.ts';
import { hasLinkDefinitions, stablePrefixLength } from './stable-prefix.ts';
import { addCheckboxes } from './task-lists.ts';
import { addWordBreaks } from './word-breaks.ts';

/** A streamed block longer than this isn't highlighted until it is complete. */
const COLOURED_TAIL = 6000;

/** What scrolls sideways. */
const SCROLLING = 'pre, table';

const answers = newMarkdown(false);
const questions = newMarkdown(true);

/** Renders a short Markdown text from the server. */
export function markdownNodes(markdown: string): DocumentFragment {
  return sanitize(renderMarkdown(answers, markdown));
}

export class MarkdownView {
  readonly #md: MarkdownIt;
  readonly #tail = document.createElement('div');
  #text = '';
  #settled = 0;
  #isFinal = false;

  /**
   * @param root an element that nobody else writes into
   * @param postProcessor renders formulas, highlights code and renders diagrams; null for none
   */
  constructor(
    private readonly root: HTMLElement,
    isQuestion: boolean,
    private readonly postProcessor: PostProcessor | null = null,
  ) {
    this.#md = isQuestion ? questions : answers;
    root.append(this.#tail);
    new LinkAddress(root);
  }

  /** Renders `text`; `isFinal`: it won't change any more. */
  show(text: string, isFinal: boolean): void {
    if (text === this.#text && isFinal === this.#isFinal) return;
    const opened = [...this.root.querySelectorAll('details')].map(({ open }) => open);
    this.#draw(text, isFinal);
    // What the reader has opened or closed stays so, where it is rendered again.
    const shown = [...this.root.querySelectorAll('details')];
    for (const [index, open] of opened.entries()) shown[index]?.toggleAttribute('open', open);
  }

  #draw(text: string, isFinal: boolean): void {
    const isGrown = !this.#isFinal && text.startsWith(this.#text.slice(0, this.#settled));
    if (!isGrown || (isFinal && hasLinkDefinitions(text))) this.#clear();
    this.#text = text;
    this.#isFinal = isFinal;
    if (!isFinal) this.#settle(stablePrefixLength(this.#md, text.slice(this.#settled)));
    const rest = text.slice(this.#settled);
    if (isFinal) this.#settle(rest.length);
    else this.#showTail(rest);
  }

  /** Moves the next `length` characters from the tail to the final part. */
  #settle(length: number): void {
    if (length > 0) {
      const piece = this.#text.slice(this.#settled, this.#settled + length);
      this.root.insertBefore(this.#nodes(piece, true, false), this.#tail);
      this.#settled += length;
    }
    if (this.#isFinal) this.#tail.replaceChildren();
  }

  #showTail(rest: string): void {
    const sideways = [...this.#tail.querySelectorAll(SCROLLING)].map((box) => box.scrollLeft);
    this.#tail.replaceChildren(this.#nodes(rest, rest.length <= COLOURED_TAIL, true));
    // Setting a scroll position forces a synchronous layout: only do it where there is one to restore.
    if (!sideways.some((left) => left > 0)) return;
    [...this.#tail.querySelectorAll(SCROLLING)].forEach((box, index) => {
      box.scrollLeft = sideways[index] ?? 0;
    });
  }

  #nodes(markdown: string, isColoured: boolean, isGrowing: boolean): DocumentFragment {
    const nodes = sanitize(renderMarkdown(this.#md, markdown, isGrowing));
    for (const head of nodes.querySelectorAll('.code-head')) head.append(copyButton());
    // Tables and code scroll by the keyboard, too.
    for (const box of nodes.querySelectorAll<HTMLElement>(SCROLLING)) box.tabIndex = 0;
    addCheckboxes(nodes);
    addWordBreaks(nodes);
    this.postProcessor?.run(nodes, isColoured);
    if (!isGrowing) this.postProcessor?.runDiagrams(nodes);
    return nodes;
  }

  #clear(): void {
    this.root.replaceChildren(this.#tail);
    this.#settled = 0;
  }
}

function copyButton(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = t('Copy');
  button.setAttribute('aria-label', 'Copy this code');
  return button;
}
