/** Store of the decisions on edits: review mode, accept, reject and undo; and the standing of applied edits. */

import type {
  CurrentState,
  EditStanding,
  EditsDecided,
  EditsStanding,
  EditsUndone,
  ProtectedFile,
  Rpc,
  SettingsChange,
} from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { NO_STANDINGS, STANDINGS, type Standing, type Standings } from './edit-summary.ts';
import { type Dispose, Store } from './store.ts';
import type { ToastKind } from './toasts.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

/** Standings are fetched for at most this many answers, the last ones. */
const MAX_ANSWERS = 100;

/** A question to the user before edits are undone. */
export interface UndoQuestion {
  readonly requestId: string;
  /** Indices of the blocks; empty for all applied ones. */
  readonly indices: readonly number[];
  /** Files that run automatically and would change. */
  readonly files: readonly ProtectedFile[];
  /** Why not all can be undone; '' when all can. */
  readonly reason: string;
}

export class EditsStore extends Store {
  /** The server supports review mode; stays set while the connection is lost. */
  isReviewOffered = false;
  /** Review mode: edits wait until they are accepted. */
  isReviewOn = false;
  /** The server can undo the edits of any answer. */
  isUndoOffered = false;
  /** Open question before an undo; null for none. */
  question: UndoQuestion | null = null;
  /** A decision has been sent and the server hasn't answered yet. */
  isBusy = false;
  readonly #stopListening: Dispose[];
  /** Edited files that could not be staged with their edit, but are staged by now. */
  staged: ReadonlySet<string> = new Set();
  #standings = new Map<string, Standings>();
  #isRefreshing = false;
  #refreshAgain: readonly string[] | null = null;

  constructor(
    private readonly rpc: Rpc,
    private readonly notify: (kind: ToastKind, message: string) => void,
  ) {
    super();
    this.#stopListening = [
      rpc.on('editsChanged', (id) => this.#forget(text(id))),
      rpc.on('settingsChanged', (change) => this.#setReviewOn(fields<SettingsChange>(change).edits_review)),
    ];
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  adopt(state: Fields<CurrentState>): void {
    this.question = null;
    this.isUndoOffered = this.rpc.offers('LLMService.undo_edits');
    this.isReviewOffered = this.rpc.offers('LLMService.set_edits_review');
    this.#setReviewOn(state.edits_review);
  }

  /** Standings of an answer's applied edits, as far as they are known. */
  standingsOf(requestId: string): Standings {
    return this.#standings.get(requestId) ?? NO_STANDINGS;
  }

  /** Fetches the standings of edits: the files may have been reset or changed. */
  async refreshStandings(requestIds: readonly string[]): Promise<void> {
    if (!requestIds.length || !this.rpc.offers('LLMService.get_edit_standings')) return;
    if (this.#isRefreshing) {
      this.#refreshAgain = requestIds;
      return;
    }
    this.#isRefreshing = true;
    const call = this.rpc.rpcExtract('LLMService.get_edit_standings', requestIds.slice(-MAX_ANSWERS));
    const { value } = await toResult(call);
    this.#isRefreshing = false;
    const again = this.#refreshAgain;
    this.#refreshAgain = null;
    if (again) return await this.refreshStandings(again);
    if (Array.isArray(value) && this.#setStandings(value)) this.changed();
  }

  /** Sets which files are staged by now. */
  setStaged(paths: readonly string[]): void {
    if (paths.length === this.staged.size && paths.every((path) => this.staged.has(path))) return;
    this.staged = new Set(paths);
    this.changed();
  }

  /** Applies pending edits, or one with corrected indentation; empty `indices`: all pending ones. */
  async accept(requestId: string, indices: number[]): Promise<void> {
    const value = await this.#decide(this.rpc.rpcExtract('LLMService.apply_edits', requestId, indices));
    const { note } = fields<EditsDecided>(value);
    if (note) this.notify('info', text(note));
  }

  async reject(requestId: string, indices: number[]): Promise<void> {
    await this.#decide(this.rpc.rpcExtract('LLMService.reject_edits', requestId, indices));
  }

  /**
   * @param indices of the blocks; empty for all applied ones
   * @param confirmed files that run automatically, which the user has confirmed
   */
  async undo(
    requestId: string,
    indices: readonly number[],
    confirmed: readonly string[] = [],
  ): Promise<void> {
    const value = await this.#decide(
      this.rpc.rpcExtract('LLMService.undo_edits', requestId, [...indices], [...confirmed]),
    );
    const {
      status,
      files_restored,
      reason,
      indices: possible,
      protected: asked,
    } = fields<EditsUndone>(value);
    this.question = null;
    const files = list(asked).map(parseProtected);
    const offered = list(possible).map(number);
    const why = text(reason, t('These edits can’t be taken back.'));
    if (status === 'confirm' && files.length) {
      this.question = { requestId, indices, files, reason: '' };
    } else if (status === 'refused' && offered.length) {
      this.question = { requestId, indices: offered, files: [], reason: why };
    } else if (status === 'undone') {
      this.notify('success', t('Taken back in %1.', tn('%1 file', '%1 files', list(files_restored).length)));
    } else if (status) this.notify('warning', why);
    this.changed();
  }

  /** Performs the undo that was asked about. */
  async confirm(): Promise<void> {
    const { question } = this;
    if (!question) return;
    const files = question.files.map(({ file }) => file);
    await this.undo(question.requestId, question.indices, files);
  }

  /** Closes the question and keeps the edits. */
  keep(): void {
    this.question = null;
    this.changed();
  }

  async setReview(isOn: boolean): Promise<void> {
    this.#setReviewOn(isOn);
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.set_edits_review', isOn));
    if (!error) return;
    this.#setReviewOn(!isOn);
    this.notify('error', error);
  }

  async #decide(call: Promise<unknown>): Promise<unknown> {
    this.isBusy = true;
    this.changed();
    const { value, error } = await toResult(call);
    this.isBusy = false;
    if (error) this.notify('error', error);
    this.changed();
    return value;
  }

  #forget(id: string): void {
    this.question = null;
    this.#standings.delete(id);
    this.changed();
  }

  /** Stores standings from the server; returns whether any has changed. */
  #setStandings(rows: readonly unknown[]): boolean {
    let isNews = false;
    for (const raw of rows) {
      const row = fields<EditsStanding>(raw);
      const next = parseStandings(list(row.edits));
      const id = text(row.request_id);
      if (JSON.stringify([...next]) === JSON.stringify([...this.standingsOf(id)])) continue;
      this.#standings.set(id, next);
      isNews = true;
    }
    return isNews;
  }

  #setReviewOn(isOn: unknown): void {
    if (typeof isOn === 'boolean') this.isReviewOn = isOn;
    this.changed();
  }
}

function parseStandings(rows: readonly unknown[]): Standings {
  return new Map(
    rows.map((raw) => {
      const { index, standing } = fields<EditStanding>(raw);
      return [number(index), STANDINGS.has(standing) ? (standing as Standing) : 'applied'];
    }),
  );
}

function parseProtected(raw: unknown): ProtectedFile {
  const { file, reason } = fields<ProtectedFile>(raw);
  return { file: text(file), reason: text(reason) };
}
