/**
 * Renders an answer incrementally: prose as Markdown, edit blocks and tool calls as cards; finished parts stay
 * unchanged.
 */

import { tagOf } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import type { AcToolCalls } from '../agent/tool-calls.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import type { MarkdownView } from '../markdown/markdown-view.ts';
import type { AgentStore } from '../model/agent/agent-store.ts';
import { stepEnds } from '../model/agent/raw-run.ts';
import { type AnswerSegment, splitAnswer } from '../model/answer-segments.ts';
import type { Message } from '../model/messages.ts';
import { EditCard, type EditContext } from './edit-card.ts';

interface Part {
  readonly element: HTMLElement;
  show(piece: AnswerSegment, around: EditContext): void;
}

/** State from outside the answer. */
interface Surroundings extends Omit<EditContext, 'requestId' | 'isRunning'> {
  readonly agent: AgentStore | null;
}

export class AnswerView {
  #parts = new Map<string, Part>();

  /**
   * @param root - an element whose content only this class changes
   * @param markdown - null until it is loaded: prose is shown as it is written
   */
  constructor(
    private readonly root: HTMLElement,
    private readonly isQuestion: boolean,
    readonly markdown: MarkdownRenderer | null,
  ) {}

  show({ content, edits, state, requestId, run }: Message, known: Surroundings): void {
    const isRunning = state === 'streaming';
    const { isBusy, canUndo, standings, staged } = known;
    const around = { requestId, isRunning, isBusy, canUndo, standings, staged };
    const shown = new Map<string, Part>();
    let key = 'text';
    for (const piece of splitAnswer(content, edits.list, isRunning, stepEnds(run, content.length))) {
      if (piece.kind === 'card') key = `card ${piece.edit.index}`;
      if (piece.kind === 'calls') key = `calls ${piece.step}`;
      const part = this.#parts.get(key) ?? this.#newPart(piece);
      shown.set(key, part);
      // Move elements only if necessary: a moved element loses focus and scroll position.
      const { element } = part;
      const place = this.root.children[shown.size - 1];
      if (place !== element) this.root.insertBefore(element, place ?? null);
      part.show(piece, around);
      if (piece.kind === 'calls') Object.assign(element, { run, step: piece.step, agent: known.agent });
      if (piece.kind !== 'prose') key = t('text behind %1', key);
    }
    for (const [old, { element }] of this.#parts) if (!shown.has(old)) element.remove();
    this.#parts = shown;
  }

  #newPart({ kind }: AnswerSegment): Part {
    if (kind === 'card') return cardPart();
    if (kind === 'prose') return this.#prosePart();
    return { element: document.createElement(tagOf('ac-tool-calls')) as AcToolCalls, show: () => {} };
  }

  #prosePart(): Part {
    const element = document.createElement('div');
    element.className = 'prose';
    const view = this.markdown?.newView(element, this.isQuestion) ?? plainView(element);
    return {
      element,
      show: (piece) => {
        if (piece.kind === 'prose') view.show(piece.text, !piece.isOpen);
      },
    };
  }
}

function plainView(element: HTMLElement): Pick<MarkdownView, 'show'> {
  element.classList.add('plain');
  return {
    show: (text) => {
      element.textContent = text;
    },
  };
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
