/**
 * Store of what can be done with a whole conversation: versions of its questions, what is excluded from it or
 * pinned, branches, export. Loaded on demand.
 */

import type {
  BranchedSession,
  ExcludedTurns,
  ExportedSession,
  MarkedTurn,
  PinnedTurns,
  QuestionVersions,
  VersionRow,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { grouped } from './format.ts';
import type { ContextStanding, Message } from './messages.ts';
import type { Session } from './session.ts';
import { Store } from './store.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

export interface Version {
  readonly sessionId: string;
  readonly requestId: string;
  /** Beginning of the question. */
  readonly preview: string;
  readonly isCurrent: boolean;
}

/** A question with its answer that is excluded from what is sent, or pinned. */
export interface Marked {
  readonly requestId: string;
  readonly name: string;
  readonly tokens: number;
  readonly context: 'excluded' | 'pinned';
}

export interface ExportedFile {
  readonly name: string;
  readonly content: string;
}

export type ExportForm = 'markdown' | 'ipynb' | 'json';

const known = new WeakMap<Session, ConversationStore>();

/** The store of a session, made on first use. */
export function conversationOf(session: Session): ConversationStore {
  const store = known.get(session) ?? new ConversationStore(session);
  known.set(session, store);
  return store;
}

export class ConversationStore extends Store {
  /** Versions of questions, by request id; '' for how other conversations go on behind the last answer. */
  versions: ReadonlyMap<string, readonly Version[]> = new Map();
  marked: readonly Marked[] = [];
  /** A change is being sent. */
  isBusy = false;
  #shownFor = '';
  #marksFor = '';

  constructor(private readonly session: Session) {
    super();
    session.chat.subscribe(() => this.#onChatChanged());
    session.rpc.on('sessionChanged', () => void this.#refreshMarks());
    this.#onChatChanged();
  }

  get canExclude(): boolean {
    return this.session.rpc.offers('LLMService.exclude_turns');
  }

  get canPin(): boolean {
    return this.session.rpc.offers('LLMService.pin_turns');
  }

  get canExport(): boolean {
    return this.session.rpc.offers('LLMService.export_session');
  }

  /** What is sent can't be changed while an answer is running. */
  get isBlocked(): boolean {
    return this.isBusy || this.session.chat.stream !== null || !this.session.rpc.connected;
  }

  /** Excludes a question and its answer from what is sent, or puts them back, and says what that does. */
  async exclude(requestId: string, isExcluded: boolean): Promise<void> {
    const { rpc, toasts } = this.session;
    const value = await this.#change(() =>
      rpc.rpcExtract('LLMService.exclude_turns', [requestId], isExcluded),
    );
    if (!value) return;
    const { tokens_freed, tokens_rewritten } = fields<ExcludedTurns>(value);
    const [freed, rewritten] = [number(tokens_freed), number(tokens_rewritten)];
    const again = rewritten
      ? t(" The next request writes %1 tokens to the provider's cache again.", grouped(rewritten))
      : '';
    const what = isExcluded
      ? t('Not sent any more: each request has %1 tokens less.', grouped(freed))
      : t('Sent again: each request has %1 tokens more.', grouped(-freed));
    toasts.show('info', `${what}${again}`);
    await this.#refreshMarks();
  }

  /** Pins a question and its answer, or releases them. */
  async pin(requestId: string, isPinned: boolean): Promise<void> {
    const { rpc } = this.session;
    const value = await this.#change(() => rpc.rpcExtract('LLMService.pin_turns', [requestId], isPinned));
    if (value && 'pinned' in fields<PinnedTurns>(value)) await this.#refreshMarks();
  }

  /** Goes on behind an answer in a conversation of its own. */
  async branchBehind(requestId: string): Promise<void> {
    const { rpc, chat, toasts } = this.session;
    const value = await this.#change(() => rpc.rpcExtract('LLMService.branch_session', requestId, true));
    if (!value) return;
    chat.show(fields<BranchedSession>(value));
    toasts.show('success', t('This is a new conversation up to here; the other one is kept.'));
    await this.session.sync();
  }

  /** Shows the conversation that has a version of a question. */
  async showVersion({ sessionId }: Version): Promise<void> {
    const { rpc } = this.session;
    const value = await this.#change(() => rpc.rpcExtract('LLMService.load_session_into_context', sessionId));
    if (value) await this.session.sync();
  }

  /** @returns the file to save; null on failure, which is said */
  async export(form: ExportForm): Promise<ExportedFile | null> {
    const { rpc, chat } = this.session;
    const value = await this.#change(() => rpc.rpcExtract('LLMService.export_session', chat.sessionId, form));
    if (!value) return null;
    const { filename, content } = fields<ExportedSession>(value);
    return { name: text(filename, 'conversation.md'), content: text(content) };
  }

  /** Calls a method of the server; a refusal becomes a toast, and null. */
  async #change(call: () => Promise<unknown>): Promise<unknown> {
    if (this.isBusy) return null;
    this.isBusy = true;
    this.changed();
    const { value, error } = await toResult(call());
    this.isBusy = false;
    if (error) this.session.toasts.show('error', error);
    this.changed();
    return error ? null : value;
  }

  #onChatChanged(): void {
    const { chat } = this.session;
    const place = `${chat.sessionId} ${chat.lastAsked} ${chat.stream !== null}`;
    if (place !== this.#shownFor) {
      this.#shownFor = place;
      void this.#refreshVersions();
    }
    const marks = chat.messages.map(({ context }) => context || '-').join('');
    if (marks === this.#marksFor) return;
    this.#marksFor = marks;
    if (chat.messages.some(isMarked) || this.marked.length) void this.#refreshMarks();
  }

  async #refreshVersions(): Promise<void> {
    const { rpc, chat } = this.session;
    const { sessionId } = chat;
    if (!sessionId || !rpc.connected || !rpc.offers('LLMService.get_question_versions')) return;
    const { value, error } = await toResult(rpc.rpcExtract('LLMService.get_question_versions'));
    if (error || chat.sessionId !== sessionId) return;
    this.versions = parseVersions(value);
    this.changed();
  }

  async #refreshMarks(): Promise<void> {
    const { rpc, chat } = this.session;
    const { sessionId } = chat;
    if (!rpc.connected || !rpc.offers('LLMService.list_marked_turns')) return;
    const { value, error } = await toResult(rpc.rpcExtract('LLMService.list_marked_turns'));
    if (error || chat.sessionId !== sessionId) return;
    this.marked = parseMarked(value);
    chat.showMarks(new Map<string, ContextStanding>(this.marked.map((one) => [one.requestId, one.context])));
    this.changed();
  }
}

function isMarked({ context }: Message): boolean {
  return context === 'excluded' || context === 'pinned';
}

export function parseVersions(raw: unknown): ReadonlyMap<string, readonly Version[]> {
  const rows = list(raw).map(fields<QuestionVersions>);
  return new Map(
    rows.map((row) => [
      text(row.request_id),
      list(row.versions).map((version) => parseVersion(fields<VersionRow>(version))),
    ]),
  );
}

function parseVersion(row: Fields<VersionRow>): Version {
  return {
    sessionId: text(row.session_id),
    requestId: text(row.request_id),
    preview: text(row.preview),
    isCurrent: row.current === true,
  };
}

export function parseMarked(raw: unknown): Marked[] {
  return list(raw)
    .map(fields<MarkedTurn>)
    .map((row) => ({
      requestId: text(row.request_id),
      name: text(row.name),
      tokens: number(row.tokens),
      context: row.context === 'pinned' ? 'pinned' : 'excluded',
    }));
}
