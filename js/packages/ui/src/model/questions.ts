/** From the input into the conversation and back: asking now, asking next, asking an earlier one anew. */

import type { BranchedSession, Rpc } from '@jupyter-ac/link/rpc';
import type { AttachmentStore } from './attachments.ts';
import type { ChatStore } from './chat.ts';
import type { DraftStore } from './draft.ts';
import type { Message } from './messages.ts';
import type { Pictures } from './pictures.ts';
import { told } from './told.ts';
import { fields, text } from './wire.ts';

export interface QuestionParts {
  readonly chat: ChatStore;
  readonly draft: DraftStore;
  readonly attachments: AttachmentStore;
  readonly pictures: Pictures;
}

export interface QuestionPorts {
  say(kind: 'info' | 'error', message: string): void;
  /** Shows what the server has on show now. */
  resync(): Promise<void>;
}

export class Questions {
  /** Of the last question. */
  #images: readonly string[] = [];
  /** Of the question that waits. */
  #waiting: readonly string[] = [];
  /** The answer that it waits for. */
  #after = '';

  constructor(
    private readonly rpc: Rpc,
    private readonly parts: QuestionParts,
    private readonly ports: QuestionPorts,
  ) {}

  get canBranch(): boolean {
    return this.rpc.offers('LLMService.branch_session');
  }

  /** Sends the draft, or lets it wait for the end of the answer; it stays when neither can be done. */
  async ask(): Promise<void> {
    const { draft, attachments, chat } = this.parts;
    const question = draft.text.trim();
    if (!question || !this.rpc.connected) return;
    if (chat.stream) {
      this.#queue();
      return;
    }
    draft.set('');
    await this.#send(question, attachments.take());
  }

  /** To be called after each change of the conversation: the question that waits goes out or comes back. */
  advance(): void {
    // The conversation tells of each step of a larger change; only its outcome counts.
    void Promise.resolve().then(() => this.#advance());
  }

  /** Puts the question that waits into the input again. */
  unqueue(): void {
    this.parts.draft.unqueue();
    this.parts.attachments.giveBack(this.#takeWaiting());
  }

  /** Puts a question that never arrived into the input again. */
  giveBack(question: string): void {
    this.parts.draft.putBefore(question);
    this.parts.attachments.giveBack(this.#images);
  }

  /** Puts a question with its images into the input again. */
  async reuse(content: string, images: Message['images']): Promise<void> {
    const { draft, attachments, pictures } = this.parts;
    draft.putBefore(content);
    const uris = await Promise.all(images.map((image) => pictures.uri(image)));
    attachments.giveBack(uris.filter(Boolean));
  }

  /** Goes on from before a question in a conversation of its own, with the question in the input. */
  async branch({ requestId, images }: Message): Promise<void> {
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.branch_session', requestId));
    if (error) return this.ports.say('error', error);
    const branched = fields<BranchedSession>(value);
    this.parts.chat.show(branched);
    void this.ports.resync();
    await this.reuse(text(branched.question), images);
  }

  #queue(): void {
    const { draft, attachments } = this.parts;
    if (draft.queued) {
      this.ports.say('info', 'One question waits already; this one stays in the input.');
      return;
    }
    this.#waiting = attachments.take();
    draft.queue();
    this.advance();
  }

  #advance(): void {
    const { draft, chat } = this.parts;
    if (chat.stream) {
      this.#after = chat.stream.requestId;
      return;
    }
    const isAnswered = chat.messages.some(
      ({ role, requestId, state }) => role === 'assistant' && requestId === this.#after && state === 'done',
    );
    if (draft.queued && isAnswered && this.rpc.connected) {
      void this.#send(draft.takeQueued(), this.#takeWaiting());
    } else this.unqueue();
  }

  #takeWaiting(): readonly string[] {
    const images = this.#waiting;
    this.#waiting = [];
    return images;
  }

  async #send(question: string, images: readonly string[]): Promise<void> {
    this.#images = images;
    await this.parts.chat.send(question, images);
  }
}
