/**
 * Store of the conversation and its one streamed answer. All pages of a repository show the same: a question
 * asked on another page appears here too, and its answer is streamed from the first word.
 */

import {
  type AskedQuestion,
  type ChatCancelling,
  type ChatStarted,
  type CompletionResult,
  type CurrentState,
  type EditsChange,
  type MessageText,
  type NewSession,
  type Refusal,
  type RetryRow,
  type Rpc,
  RpcError,
  type RunningStream,
  type SessionSnapshot,
  type ToolUpdate,
  type TurnProgress,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { updatedRun } from './agent/raw-run.ts';
import { AnswerStream, type AnswerText } from './answer-stream.ts';
import { toResult } from './call-result.ts';
import { withBlocks, withResults } from './edits.ts';
import * as say from './messages.ts';
import { type AgentMode, questionArguments } from './question-arguments.ts';
import { type Dispose, Signal, Store } from './store.ts';
import { newStream, type Phase, pausedStream, progressStream, requestId, type Stream } from './stream.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

/** How many earlier messages are fetched at once. */
const PAGE_SIZE = 200;

/** When a Stop has had no effect for this long, the whole state is fetched from the server. */
const STOP_MS = 5000;

export interface ChatPorts {
  /** Resolves when the server has everything that the question depends on (the ticks). */
  beforeSend(): Promise<void>;
  /** The web pages that must not be sent or fetched with a question; null: as the server knows it. */
  excludedUrls(question: string): readonly string[] | null;
  /** How the answer to the next question may act; 'ask': not at all. */
  agentMode(): AgentMode;
  /** Called when a turn has ended, with the server's result; `isOurs`: it was asked on this page. */
  onTurnEnd(id: string, result: Fields<CompletionResult>, isOurs: boolean): void;
  /** Called when the state here may be wrong: fetches all of it from the server. */
  resync(): Promise<void>;
  onError(message: string): void;
}

export class ChatStore extends Store {
  messages: readonly say.Message[] = [];
  /** How many messages the server has before these. */
  earlier = 0;
  isLoadingEarlier = false;
  stream: Stream | null = null;
  sessionId = '';
  /** How many questions were asked on this page. */
  sent = 0;
  /** Request id of the last of them. */
  asked = '';
  /** Settles when the server has accepted the last one; a state fetched before that doesn't contain it. */
  sending: Promise<void> | null = null;
  /**
   * The running answer's text has grown. Listeners of the store aren't told: it comes many times a second,
   * and hardly anything depends on it.
   */
  readonly grown = new Signal();
  /** A new conversation that is being begun; null for none. */
  #starting: Promise<void> | null = null;
  /** A question that the server has not confirmed yet. */
  #unconfirmed: { id: string; content: string } | null = null;
  #stopTimer: number | undefined;
  readonly #answer: AnswerStream;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: ChatPorts,
  ) {
    super();
    this.#answer = new AnswerStream(rpc, {
      answerTo: (id) => (this.stream?.requestId === id ? this.#answerTo(id) : null),
      grow: (id, grown) => this.#grow(id, grown),
      onMissed: (id) => this.#resyncIfCurrent(id),
      onError: ports.onError,
    });
    this.#stopListening = [
      rpc.on('streamDelta', (id, offset, piece) =>
        this.#answer.add(text(id), { offset: number(offset), piece: text(piece) }),
      ),
      rpc.on('streamReasoning', (id, offset, piece) =>
        this.#answer.addReasoning(text(id), { offset: number(offset), piece: text(piece) }),
      ),
      rpc.on('streamChunk', (id, whole) => this.#answer.replace(text(id), text(whole))),
      rpc.on('streamComplete', (id, result) => this.#complete(text(id), fields<CompletionResult>(result))),
      rpc.on('editBlocks', (id, blocks) => this.#blocks(text(id), blocks)),
      rpc.on('editsChanged', (id, change) => this.#edits(text(id), fields<EditsChange>(change))),
      rpc.on('toolUpdated', (update) => this.#onToolUpdate(fields<ToolUpdate>(update))),
      rpc.on('compactionEvent', (id, event) =>
        this.#progress(progressStream(text(id), fields<TurnProgress>(event))),
      ),
      rpc.on('streamRetry', (id, retry) =>
        this.#progress(pausedStream(text(id), fields<RetryRow>(retry), Date.now())),
      ),
      rpc.on('userMessage', (message) => this.#onUserMessage(fields<AskedQuestion>(message))),
      rpc.on('sessionChanged', (session) => this.show(fields<SessionSnapshot>(session))),
    ];
  }

  /** The request id of the last question in the conversation; '' for none. */
  get lastAsked(): string {
    return this.messages.findLast(({ role }) => role === 'user')?.requestId ?? '';
  }

  /** A new conversation is being begun: what the server tells of its state may be that of the one before. */
  get isStarting(): boolean {
    return this.#starting !== null;
  }

  /** The running answer is a recorded one. */
  get isRecorded(): boolean {
    return this.stream !== null && this.messages.at(-1)?.model === say.RECORDED;
  }

  /**
   * Sends a question. Resolves when the server has accepted it, or its refusal is in the conversation.
   *
   * @param recorded - name of its recorded answer, which is played; '' for one by the model
   */
  send(question: string, images: readonly string[] = [], recorded = ''): Promise<void> {
    const sending = this.#send(question, images, recorded).finally(() => {
      if (this.sending === sending) this.sending = null;
    });
    this.sending = sending;
    this.sent += 1;
    return sending;
  }

  async #send(question: string, images: readonly string[], recorded: string): Promise<void> {
    if (this.#starting) await this.#starting;
    const id = requestId(Date.now(), Math.random);
    this.asked = id;
    this.messages = [
      ...this.messages,
      say.userMessage(id, question, say.imagesOf(images)),
      say.awaitedAnswer(id, '', recorded !== ''),
    ];
    this.stream = newStream(id, 'sending');
    this.#unconfirmed = { id, content: question };
    this.changed();
    try {
      await this.ports.beforeSend();
      const { excludedUrls, agentMode } = this.ports;
      const ask = async () =>
        this.rpc.rpcExtract(
          'LLMService.chat_streaming',
          id,
          question,
          ...(await questionArguments(this.rpc, images, excludedUrls(question), agentMode())),
        );
      const play = () => this.rpc.rpcExtract('LLMService.play_example', id, recorded);
      const answer = fields<ChatStarted | Refusal>(await (recorded ? play() : ask()));
      this.#unconfirmed = null;
      if (answer.error)
        this.#refuse(id, 'refused', text(answer.error, t('The server refused the question.')));
      else if (this.stream?.requestId === id && this.stream.phase === 'sending') this.#phase('waiting');
    } catch (error) {
      // After a lost connection the next state shows whether the question had arrived.
      if (error instanceof RpcError && error.type === 'closed') return;
      this.#unconfirmed = null;
      const type = error instanceof RpcError ? error.type : 'internal';
      this.#refuse(id, type, error instanceof Error ? error.message : String(error));
    }
  }

  async stop(): Promise<void> {
    const id = this.stream?.requestId;
    if (!id) return;
    this.#phase('stopping');
    clearTimeout(this.#stopTimer);
    this.#stopTimer = setTimeout(() => {
      if (this.stream?.requestId === id) void this.ports.resync();
    }, STOP_MS);
    try {
      const answer = fields<ChatCancelling | Refusal>(
        await this.rpc.rpcExtract('LLMService.cancel_streaming', id),
      );
      if (answer.error && this.stream?.requestId === id) await this.ports.resync();
    } catch (error) {
      this.ports.onError(t('Stop failed: %1', error instanceof Error ? error.message : String(error)));
    }
  }

  /** Loads the page of messages before the first one that is loaded. */
  async showEarlier(): Promise<void> {
    const { sessionId } = this;
    const first = this.messages[0];
    if (!first || !this.earlier || this.isLoadingEarlier) return;
    this.isLoadingEarlier = true;
    this.changed();
    const { value, error } = await toResult(
      this.rpc.rpcExtract('LLMService.get_session_messages', first.requestId, PAGE_SIZE),
    );
    const page = fields<SessionSnapshot>(value);
    if (error) this.ports.onError(t('Earlier messages could not be fetched: %1', error));
    else if (page.session_id === sessionId && this.messages[0]?.key === first.key) {
      this.messages = [...say.parseMessages(page.messages), ...this.messages];
      this.earlier = number(page.earlier);
    }
    this.isLoadingEarlier = false;
    this.changed();
  }

  /** Fetches more of a message that the server sent only in part because of its length. */
  async showMore({ key, requestId: id, role, content }: say.Message): Promise<void> {
    const { value, error } = await toResult(
      this.rpc.rpcExtract('LLMService.get_message_text', id, role, content.length),
    );
    if (error) return this.ports.onError(t('The rest of the message could not be fetched: %1', error));
    const { text: more, length } = fields<MessageText>(value);
    this.messages = this.messages.map((message) =>
      message.key === key ? say.extended(message, content.length, text(more), number(length)) : message,
    );
    this.changed();
  }

  /** Shows which turns are excluded and pinned, in all messages that are loaded. */
  showMarks(marks: ReadonlyMap<string, say.ContextStanding>): void {
    const marked = say.withMarks(this.messages, marks);
    if (marked.every((message, index) => message === this.messages[index])) return;
    this.messages = marked;
    this.changed();
  }

  /** Begins a new conversation; a question that is sent meanwhile waits, and belongs to it. */
  startNew(): Promise<void> {
    const starting = this.#startNew().finally(() => {
      if (this.#starting === starting) this.#starting = null;
    });
    this.#starting = starting;
    return starting;
  }

  async #startNew(): Promise<void> {
    // What is typed and asked from now on belongs to it, though the server hasn't named it yet.
    this.sessionId = '';
    this.messages = [];
    this.earlier = 0;
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.new_session'));
    const answer = fields<NewSession | Refusal>(value);
    const problem = error || text(answer.error);
    if (problem) this.ports.onError(problem);
    else this.show({ session_id: text(answer.session_id), messages: [] });
    // Not waited for: it waits for questions that are being sent, and these for the conversation.
    void this.ports.resync();
  }

  /**
   * Replaces the state with the server's after a (re)connection or reload, and resumes a running stream.
   *
   * @returns a question of this page that never reached the server, or ''
   */
  restore(state: Fields<CurrentState>): string {
    const lost = this.#unconfirmed;
    this.#unconfirmed = null;
    this.stream = null;
    this.#answer.end();
    this.show(state);
    const running = list(state.active_streams)
      .map(fields<RunningStream>)
      .find((stream) => !stream.agent_id);
    if (running)
      this.#follow(text(running.request_id), text(running.accumulated_content), running.recorded === true);
    const arrived = lost && this.messages.some((message) => message.requestId === lost.id);
    return lost && !arrived ? lost.content : '';
  }

  /** Replaces the messages with those of a session snapshot from the server. */
  show(session: Fields<SessionSnapshot>): void {
    const sessionId = text(session.session_id, this.sessionId);
    const next = this.#withEarlier(say.parseMessages(session.messages), sessionId, number(session.earlier));
    // The running turn belongs to the previous conversation.
    if (this.sessionId && sessionId !== this.sessionId) this.stream = null;
    this.sessionId = sessionId;
    const open =
      this.stream && this.messages.find((message) => say.isAnswerTo(message, this.stream?.requestId));
    const knows = open && next.some((message) => message.key === open.key && message.state !== 'streaming');
    if (!open || knows) this.stream = null;
    else if (!next.some((message) => message.key === open.key))
      next.push(...say.missingIn(next, this.messages, open.requestId));
    this.messages = say.reuseUnchanged(this.messages, next);
    this.changed();
  }

  dispose(): void {
    clearTimeout(this.#stopTimer);
    for (const stop of this.#stopListening) stop();
  }

  /** The newest messages, appended to the earlier ones that have been fetched. */
  #withEarlier(newest: say.Message[], sessionId: string, earlier: number): say.Message[] {
    const known = this.messages.findIndex(({ key }) => key === newest[0]?.key);
    const before = earlier > 0 && known > 0 && sessionId === this.sessionId ? known : 0;
    this.earlier = Math.max(0, earlier - before);
    return [...this.messages.slice(0, before), ...newest];
  }

  /** Shows another page's question at once and streams its answer. */
  #onUserMessage(message: Fields<AskedQuestion>): void {
    const id = text(message.request_id);
    if (this.messages.some((known) => known.requestId === id && id !== '')) return;
    this.messages = [
      ...this.messages,
      say.userMessage(id, text(message.content), say.parseImages(message.images)),
    ];
    if (id) this.#follow(id, '', message.recorded === true);
    this.changed();
  }

  #follow(id: string, content: string, isRecorded: boolean): void {
    this.stream = newStream(id, content ? 'answering' : 'waiting');
    const others = this.messages.filter((message) => !say.isAnswerTo(message, id));
    this.messages = [...others, say.awaitedAnswer(id, content, isRecorded)];
    this.changed();
    void this.#answer.attach(id);
  }

  /** The stream has ended; its result either has arrived by now or is in the server's state. */
  async #resyncIfCurrent(id: string): Promise<void> {
    if (this.stream?.requestId === id) await this.ports.resync();
  }

  #complete(id: string, result: Fields<CompletionResult>): void {
    if (this.stream?.requestId === id) {
      this.stream = null;
      this.#answer.end();
      clearTimeout(this.#stopTimer);
    }
    if (this.#unconfirmed?.id === id) this.#unconfirmed = null;
    this.#change(id, (answer) => say.completed(answer, result));
    this.ports.onTurnEnd(id, result, id === this.asked);
  }

  #blocks(id: string, blocks: unknown): void {
    if (this.stream?.requestId !== id) return;
    this.#change(id, (answer) => ({ ...answer, edits: withBlocks(answer.edits, blocks) }));
  }

  #edits(id: string, change: Fields<EditsChange>): void {
    const { edit_results, files_modified } = change;
    this.#change(id, (answer) => ({
      ...answer,
      edits: withResults(answer.edits, edit_results, files_modified),
    }));
  }

  #onToolUpdate(update: Fields<ToolUpdate>): void {
    if (!update.request_id || update.task || update.panel) return;
    this.#change(text(update.request_id), (answer) => ({ ...answer, run: updatedRun(answer.run, update) }));
  }

  #progress(next: Stream): void {
    if (this.stream?.requestId !== next.requestId || this.stream.phase === 'stopping') return;
    this.stream = next;
    this.changed();
  }

  #refuse(id: string, type: string, message: string): void {
    if (this.stream?.requestId === id) this.stream = null;
    this.#change(id, (answer) => say.failed(answer, { type, message, retryAfter: null }));
  }

  #phase(phase: Phase): void {
    if (this.stream) this.stream = { ...this.stream, phase, pause: null };
    this.changed();
  }

  #answerTo(id: string): AnswerText {
    const answer = this.messages.find((message) => say.isAnswerTo(message, id));
    return answer ?? { content: '', reasoning: '', run: null };
  }

  /** Tells those who listen for more text only, unless something else has changed, too. */
  #grow(id: string, grown: Partial<AnswerText>): void {
    const phase = this.stream && phaseWith(grown, this.stream.phase);
    const isTextOnly = phase === this.stream?.phase && !grown.run;
    if (phase && phase !== this.stream?.phase) this.stream = newStream(id, phase);
    this.#replace(id, (answer) => ({ ...answer, ...grown }));
    if (isTextOnly) this.grown.notify();
    else this.changed();
  }

  #change(id: string, change: (answer: say.Message) => say.Message): void {
    this.#replace(id, change);
    this.changed();
  }

  #replace(id: string, change: (answer: say.Message) => say.Message): void {
    this.messages = this.messages.map((message) => (say.isAnswerTo(message, id) ? change(message) : message));
  }
}

/** What a stream is doing once more of its answer has come. */
function phaseWith({ content, reasoning }: Partial<AnswerText>, phase: Phase): Phase {
  if (phase === 'stopping') return phase;
  if (content) return 'answering';
  return reasoning && (phase === 'waiting' || phase === 'reading') ? 'thinking' : phase;
}
