/** Renders an answer incrementally: prose as Markdown, edit blocks as cards; finished parts stay unchanged. */

import { MarkdownView } from '../markdown/markdown-view.ts';
import type { PostProcessor } from '../markdown/post-processor.ts';
import { type AnswerSegment, splitAnswer } from '../model/answer-segments.ts';
import type { Message } from '../model/messages.ts';
import { EditCard, type EditContext } from './edit-card.ts';

interface Part {
  readonly element: HTMLElement;
  show(piece: AnswerSegment, around: EditContext): void;
}

export class AnswerView {
  #parts = new Map<string, Part>();

  /** @param root an element whose content only this class changes */
  constructor(
    private readonly root: HTMLElement,
    private readonly isQuestion: boolean,
    private readonly postProcessor: PostProcessor | null,
  ) {}

  show(
    { content, edits, state, requestId }: Message,
    known: Omit<EditContext, 'requestId' | 'isRunning'>,
  ): void {
    const isRunning = state === 'streaming';
    const { isBusy, canUndo, standings, staged } = known;
    const around = { requestId, isRunning, isBusy, canUndo, standings, staged };
    const shown = new Map<string, Part>();
    let key = 'text';
    for (const piece of splitAnswer(content, edits.list, isRunning)) {
      if (piece.kind === 'card') key = `card ${piece.edit.index}`;
      const part = this.#parts.get(key) ?? (piece.kind === 'card' ? cardPart() : this.#prosePart());
      shown.set(key, part);
      // Move elements only if necessary: a moved element loses focus and scroll position.
      const { element } = part;
      const place = this.root.children[shown.size - 1];
      if (place !== element) this.root.insertBefore(element, place ?? null);
      part.show(piece, around);
      if (piece.kind === 'card') key = `text behind ${piece.edit.index}`;
    }
    for (const [old, { element }] of this.#parts) if (!shown.has(old)) element.remove();
    this.#parts = shown;
  }

  #prosePart(): Part {
    const element = document.createElement('div');
    element.className = 'prose';
    const view = new MarkdownView(element, this.isQuestion, this.postProcessor);
    return {
      element,
      show: (piece) => {
        if (piece.kind === 'prose') view.show(piece.text, !piece.isOpen);
      },
    };
  }
}

function cardPart(): Part {
  const card = new EditCard();
  return {
    element: card.root,
    show: (piece, around) => {
      if (piece.kind === 'card') card.show(piece, around);
    },
  };
}
