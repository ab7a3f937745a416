/** Sends questions: at once, queued after the running answer, or again in a branched conversation. */

import type { BranchedSession, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { AskedFilesStore } from './asked-files.ts';
import type { AttachmentStore } from './attachments.ts';
import { toResult } from './call-result.ts';
import type { ChatStore } from './chat.ts';
import type { DraftStore } from './draft.ts';
import type { ImageCache } from './images.ts';
import type { Message } from './messages.ts';
import { fields, strings, text } from './wire.ts';

const FILES = 'LLMService.get_question_files';

export interface QuestionStores {
  readonly chat: ChatStore;
  readonly draft: DraftStore;
  readonly attachments: AttachmentStore;
  readonly imageCache: ImageCache;
  readonly askedFiles: AskedFilesStore;
}

export interface QuestionPorts {
  say(kind: 'info' | 'error', message: string): void;
  /** Fetches the state from the server and shows it. */
  resync(): Promise<void>;
}

export class QuestionQueue {
  /** Of the last question. */
  #lastImages: readonly string[] = [];
  /** Of the question that waits. */
  #queuedImages: readonly string[] = [];
  /** The answer that it waits for. */
  #awaitedRequest = '';
  /** It was asked after Stop was pressed. */
  #isAfterStop = false;
  /** What this page has told running agents. */
  readonly #told = new Set<string>();

  constructor(
    private readonly rpc: Rpc,
    private readonly parts: QuestionStores,
    private readonly ports: QuestionPorts,
  ) {}

  get canBranch(): boolean {
    return this.rpc.offers('LLMService.branch_session');
  }

  /** Sends the draft, or queues it while an answer is running; the draft stays when neither is possible. */
  async ask(): Promise<void> {
    const { draft, attachments, chat } = this.parts;
    const question = draft.text.trim();
    if (!question || !this.rpc.connected) return;
    if (chat.stream) {
      if (!(await this.#tellRun(chat.stream.requestId, question))) this.#queue();
      return;
    }
    draft.set('');
    await this.send(question, attachments.take());
  }

  /** Sends a question that isn't the draft; call it only while no answer is running. */
  async send(question: string, images: readonly string[] = []): Promise<void> {
    this.#lastImages = images;
    this.parts.askedFiles.set(null);
    await this.parts.chat.send(question, images);
  }

  /** Sends the queued question after a complete answer, or the stop that it was asked after, else restores it. Call it after each change of the conversation. */
  advance(): void {
    // The store notifies several times during one change; only the final state counts.
    void Promise.resolve().then(() => this.#advance());
  }

  /** Moves the queued question back into the input. */
  unqueue(): void {
    this.parts.draft.unqueue();
    this.parts.attachments.restore(this.#takeQueuedImages());
  }

  /** Puts a question that never reached the server back into the input. */
  restore(question: string): void {
    this.parts.draft.prepend(question);
    this.parts.attachments.restore(this.#lastImages);
  }

  /** Puts what a run has ended too early for back into the input. Call it when an answer has ended. */
  takeBack(undelivered: unknown): void {
    const own = strings(undelivered).filter((said) => this.#told.has(said));
    this.#told.clear();
    for (const said of own.reverse()) this.parts.draft.prepend(said);
    if (own.length > 0)
      this.ports.say('info', t('The run ended before the agent was told; the text is in the input.'));
  }

  /** Puts a question with its images into the input. */
  async reuse(content: string, images: Message['images']): Promise<void> {
    const { draft, attachments, imageCache } = this.parts;
    draft.prepend(content);
    const uris = await Promise.all(images.map((image) => imageCache.uri(image)));
    attachments.restore(uris.filter(Boolean));
  }

  /** Branches the conversation before a question, and puts that question into the input. */
  async branch({ requestId, images }: Message): Promise<void> {
    // Afterwards the question is in the other conversation only.
    const files = this.rpc.offers(FILES) ? toResult(this.rpc.rpcExtract(FILES, requestId)) : null;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.branch_session', requestId));
    if (error) return this.ports.say('error', error);
    const branched = fields<BranchedSession>(value);
    this.parts.chat.show(branched);
    void this.ports.resync();
    await this.reuse(text(branched.question), images);
    const sessionId = text(branched.session_id);
    void files?.then(({ value }) => value && this.parts.askedFiles.set({ sessionId, raw: value }));
  }

  /** Tells a running agent, which hears it with its next step; false where no run takes it. */
  async #tellRun(requestId: string, said: string): Promise<boolean> {
    const { chat, draft } = this.parts;
    const isRun = chat.messages.some((message) => message.requestId === requestId && message.run);
    if (!isRun || !this.rpc.offers('LLMService.add_to_run')) return false;
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.add_to_run', requestId, said));
    if (error) return false;
    this.#told.add(said);
    draft.set('');
    this.ports.say('info', t('The agent is told with its next step.'));
    return true;
  }

  #queue(): void {
    const { draft, attachments, chat } = this.parts;
    if (draft.queued) {
      this.ports.say('info', t('One question waits already; this one stays in the input.'));
      return;
    }
    this.#queuedImages = attachments.take();
    this.#isAfterStop = chat.stream?.phase === 'stopping';
    draft.queue();
    this.advance();
  }

  #advance(): void {
    const { draft, chat } = this.parts;
    if (chat.stream) {
      this.#awaitedRequest = chat.stream.requestId;
      return;
    }
    const answer = chat.messages.find(
      ({ role, requestId }) => role === 'assistant' && requestId === this.#awaitedRequest,
    );
    const isDue = answer?.state === 'done' || (this.#isAfterStop && answer?.state === 'cancelled');
    if (draft.queued && isDue && this.rpc.connected) {
      void this.send(draft.takeQueued(), this.#takeQueuedImages());
    } else this.unqueue();
  }

  #takeQueuedImages(): readonly string[] {
    const images = this.#queuedImages;
    this.#queuedImages = [];
    return images;
  }
}
