/** What the person decides about edits: which are applied, whether they wait for a word, taking them back; and how they stand. */

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
import { NO_STANDINGS, STANDINGS, type Standing, type Standings } from './edit-tally.ts';
import { plural } from './format.ts';
import { type Dispose, Store } from './store.ts';
import type { ToastKind } from './toasts.ts';
import { told } from './told.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

/** As many answers are looked at, the last ones. */
const MOST_LOOKED_AT = 100;

/** Before edits are taken back. */
export interface UndoQuestion {
  readonly requestId: string;
  /** Which blocks; none for all that stand. */
  readonly indices: readonly number[];
  /** Files that run by themselves and would change. */
  readonly files: readonly ProtectedFile[];
  /** Why not all can be taken back; '' when they can. */
  readonly reason: string;
}

export class EditsStore extends Store {
  /** The server can have edits wait; stays while the connection is away. */
  isReviewOffered = false;
  /** Edits wait until they are accepted. */
  isReviewOn = false;
  /** Edits of any answer can be taken back. */
  isUndoOffered = false;
  /** What the person is asked before edits are taken back; null for nothing. */
  question: UndoQuestion | null = null;
  /** Something has been decided and the server hasn't answered. */
  isBusy = false;
  readonly #stopListening: Dispose[];
  /** Files that an edit was applied to and that could not be staged then, but are staged by now. */
  staged: ReadonlySet<string> = new Set();
  #standings = new Map<string, Standings>();
  #isLooking = false;
  #lookAgain: readonly string[] | null = null;

  constructor(
    private readonly rpc: Rpc,
    private readonly tell: (kind: ToastKind, message: string) => void,
  ) {
    super();
    this.#stopListening = [
      rpc.on('editsChanged', (id) => this.#forget(text(id))),
      rpc.on('settingsChanged', (change) => this.#reviews(fields<SettingsChange>(change).edits_review)),
    ];
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  adopt(state: Fields<CurrentState>): void {
    this.question = null;
    this.isUndoOffered = this.rpc.offers('LLMService.undo_edits');
    this.isReviewOffered = this.rpc.offers('LLMService.set_edits_review');
    this.#reviews(state.edits_review);
  }

  /** How the applied edits of an answer stand in the files, as far as it is known; others are as they were. */
  standingsOf(requestId: string): Standings {
    return this.#standings.get(requestId) ?? NO_STANDINGS;
  }

  /** Asks how the edits of answers stand: somebody may have reset or changed the files. */
  async look(requestIds: readonly string[]): Promise<void> {
    if (!requestIds.length || !this.rpc.offers('LLMService.get_edit_standings')) return;
    if (this.#isLooking) {
      this.#lookAgain = requestIds;
      return;
    }
    this.#isLooking = true;
    const call = this.rpc.rpcExtract('LLMService.get_edit_standings', requestIds.slice(-MOST_LOOKED_AT));
    const { value } = await told(call);
    this.#isLooking = false;
    const again = this.#lookAgain;
    this.#lookAgain = null;
    if (again) return await this.look(again);
    if (Array.isArray(value) && this.#stand(value)) this.changed();
  }

  /** Takes over which files are staged by now. */
  noteStaged(paths: readonly string[]): void {
    if (paths.length === this.staged.size && paths.every((path) => this.staged.has(path))) return;
    this.staged = new Set(paths);
    this.changed();
  }

  /** Applies edits that wait, or one with another indentation; without `indices` all that wait. */
  async accept(requestId: string, indices: number[]): Promise<void> {
    const value = await this.#decide(this.rpc.rpcExtract('LLMService.apply_edits', requestId, indices));
    const { note } = fields<EditsDecided>(value);
    if (note) this.tell('info', text(note));
  }

  async reject(requestId: string, indices: number[]): Promise<void> {
    await this.#decide(this.rpc.rpcExtract('LLMService.reject_edits', requestId, indices));
  }

  /**
   * @param indices of the blocks; none for all that stand
   * @param confirmed files that run by themselves, which the person has seen
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
    const why = text(reason, 'These edits can’t be taken back.');
    if (status === 'confirm' && files.length) {
      this.question = { requestId, indices, files, reason: '' };
    } else if (status === 'refused' && offered.length) {
      this.question = { requestId, indices: offered, files: [], reason: why };
    } else if (status === 'undone') {
      this.tell('success', `Taken back in ${plural(list(files_restored).length, 'file')}.`);
    } else if (status) this.tell('warning', why);
    this.changed();
  }

  /** Does what was asked about. */
  async confirm(): Promise<void> {
    const { question } = this;
    if (!question) return;
    const files = question.files.map(({ file }) => file);
    await this.undo(question.requestId, question.indices, files);
  }

  /** Leaves the edits as they are. */
  keep(): void {
    this.question = null;
    this.changed();
  }

  async setReview(isOn: boolean): Promise<void> {
    this.#reviews(isOn);
    const { error } = await told(this.rpc.rpcExtract('LLMService.set_edits_review', isOn));
    if (!error) return;
    this.#reviews(!isOn);
    this.tell('error', error);
  }

  async #decide(call: Promise<unknown>): Promise<unknown> {
    this.isBusy = true;
    this.changed();
    const { value, error } = await told(call);
    this.isBusy = false;
    if (error) this.tell('error', error);
    this.changed();
    return value;
  }

  #forget(id: string): void {
    this.question = null;
    this.#standings.delete(id);
    this.changed();
  }

  /** Takes over what was told; says whether it is news. */
  #stand(rows: readonly unknown[]): boolean {
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

  #reviews(isOn: unknown): void {
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
