/** Store of the tour's recorded example: questions whose answers were written in advance. */

import type { ExampleQuestion, ExampleRemoved, ExampleReset, OfferedExample } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { type Message, RECORDED } from './messages.ts';
import type { Session } from './session.ts';
import { type Dispose, Store } from './store.ts';
import { fields, list, number, strings, text } from './wire.ts';

export interface RecordedQuestion {
  readonly id: string;
  /** What it shows, in a few words. */
  readonly label: string;
  readonly question: string;
  readonly files: readonly string[];
}

/** Something that is asked first. */
export type Intent = 'reset' | 'remove' | '';

function parseQuestion(raw: unknown): RecordedQuestion {
  const row = fields<ExampleQuestion>(raw);
  return {
    id: text(row.id),
    label: text(row.label),
    question: text(row.question),
    files: strings(row.files),
  };
}

export class ExampleStore extends Store {
  questions: readonly RecordedQuestion[] = [];
  /** Files of the example that are no longer as the tour found them. */
  changedFiles: readonly string[] = [];
  /** The user is asked before this is done. */
  intent: Intent = '';
  isBusy = false;
  #asked = 0;
  #wasReady = false;
  readonly #stopListening: Dispose[];

  constructor(private readonly session: Session) {
    super();
    const refresh = () => void this.refresh();
    this.#stopListening = [
      session.rpc.on('filesModified', refresh),
      session.rpc.on('settingsChanged', refresh),
      session.subscribe(() => this.#onSessionChanged()),
    ];
    this.#onSessionChanged();
  }

  dispose(): void {
    this.#asked += 1;
    for (const stop of this.#stopListening) stop();
  }

  /** It is shown in an empty conversation, and behind the last answer of one with recorded answers only. */
  get isShown(): boolean {
    const { messages, stream } = this.session.chat;
    const isOther = ({ role, model }: Message) => role === 'assistant' && model !== RECORDED;
    return this.questions.length > 0 && !stream && !messages.some(isOther);
  }

  /** No question of it has been asked in this conversation. */
  get isFirst(): boolean {
    return this.session.chat.messages.length === 0;
  }

  /** The questions that are offered now. */
  get offered(): readonly RecordedQuestion[] {
    return this.questions.filter((question) => !this.isAnswered(question));
  }

  /** A question can be asked now. */
  get canAsk(): boolean {
    return this.session.status === 'ready' && !this.isBusy;
  }

  /** Name of the model that a question can be put to; '' without one that is good for it. */
  get model(): string {
    const { model } = this.session;
    return model.isAvailable && !model.isDemo ? model.name : '';
  }

  private isAnswered({ question }: RecordedQuestion): boolean {
    return this.session.chat.messages.some(({ role, content }) => role === 'user' && content === question);
  }

  async refresh(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.session.rpc.rpcExtract('LLMService.get_example'));
    if (error || mine !== this.#asked) return;
    const offer = fields<OfferedExample>(value);
    this.questions = list(offer.questions).map(parseQuestion);
    this.changedFiles = strings(offer.changed);
    this.changed();
  }

  /** Plays the recorded answer. */
  async play({ id, question }: RecordedQuestion): Promise<void> {
    if (this.canAsk) await this.session.chat.send(question, [], id);
  }

  /** Puts the question to the real model. */
  async ask({ question, files }: RecordedQuestion): Promise<void> {
    if (!this.canAsk) return;
    const { selection, questions } = this.session;
    selection.mark(files, true);
    await questions.send(question);
  }

  /** Fetches the offer when the panel gets ready, so also after an answer. */
  #onSessionChanged(): void {
    const isReady = this.session.status === 'ready';
    if (isReady && !this.#wasReady) void this.refresh();
    this.#wasReady = isReady;
  }

  intend(intent: Intent): void {
    this.intent = intent;
    this.changed();
  }

  /** Does what the user was asked about. */
  async confirm(): Promise<void> {
    const { intent, session } = this;
    if (!intent || this.isBusy) return;
    this.isBusy = true;
    this.changed();
    const call = intent === 'reset' ? 'LLMService.reset_example' : 'LLMService.remove_example';
    const { value, error } = await toResult(session.rpc.rpcExtract(call));
    this.isBusy = false;
    this.intent = '';
    if (error) session.toasts.show('error', error);
    else if (intent === 'reset') session.toasts.show('success', resetMessage(fields<ExampleReset>(value)));
    else session.toasts.show('success', removedMessage(fields<ExampleRemoved>(value)));
    await this.refresh();
  }
}

function resetMessage({ files }: { files?: unknown }): string {
  const count = strings(files).length;
  return tn(
    'One file of the example is as it was at the start.',
    '%1 files of the example are as they were at the start.',
    count,
  );
}

function removedMessage({ kept }: { kept?: unknown }): string {
  if (!number(kept)) return t('The example is removed; example.offered in app.json brings it back.');
  return t('The example is removed; a conversation of it that another process shows stays in the list.');
}
