/** What the person decides about edits: which are applied, whether they wait for a word, taking them back. */

import type {
  CompletionResult,
  CurrentState,
  EditsChange,
  EditsDecided,
  EditsUndone,
  ProtectedFile,
  Rpc,
  SettingsChange,
  UndoOffer,
} from '@jupyter-ac/link/rpc';
import { plural } from './format.ts';
import { type Dispose, Store } from './store.ts';
import type { ToastKind } from './toasts.ts';
import { told } from './told.ts';
import { type Fields, fields, list, text } from './wire.ts';

export class EditsStore extends Store {
  /** The server can have edits wait; stays while the connection is away. */
  isReviewOffered = false;
  /** Edits wait until they are accepted. */
  isReviewOn = false;
  /** The request whose edits can be taken back; '' for none. */
  undoable = '';
  /** What taking back would change of files that run by themselves; the person is asked. */
  undoAsks: readonly ProtectedFile[] = [];
  /** Something has been decided and the server hasn't answered. */
  isBusy = false;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly tell: (kind: ToastKind, message: string) => void,
  ) {
    super();
    this.#stopListening = [
      rpc.on('editsChanged', (id, change) => this.#undoable(text(id), fields<EditsChange>(change).can_undo)),
      rpc.on('settingsChanged', (change) => this.#reviews(fields<SettingsChange>(change).edits_review)),
    ];
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  adopt(state: Fields<CurrentState>): void {
    this.undoable = text(fields<UndoOffer>(state.undo).request_id);
    this.undoAsks = [];
    this.isReviewOffered = this.rpc.offers('LLMService.set_edits_review');
    this.#reviews(state.edits_review);
  }

  /** A turn has ended. */
  settled(id: string, result: Fields<CompletionResult>): void {
    if (list(result.edit_results).length) this.#undoable(id, result.can_undo);
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

  /** @param isSure the person has seen which files that run by themselves change */
  async undo(isSure = false): Promise<void> {
    const confirmed = isSure ? [this.undoAsks.map(({ file }) => file)] : [];
    const value = await this.#decide(
      this.rpc.rpcExtract('LLMService.undo_last_edits', this.undoable, ...confirmed),
    );
    const { status, files_restored, reason, protected: asked } = fields<EditsUndone>(value);
    this.undoAsks = status === 'confirm' ? list(asked).map(parseProtected) : [];
    if (this.undoAsks.length) this.changed();
    else if (status === 'undone') {
      this.undoable = '';
      this.tell('success', `${plural(list(files_restored).length, 'file')} restored.`);
    } else if (status) this.tell('warning', text(reason, 'These edits can’t be taken back.'));
    this.changed();
  }

  /** Leaves the edits as they are. */
  keep(): void {
    this.undoAsks = [];
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

  #undoable(id: string, canUndo: unknown): void {
    this.undoAsks = [];
    if (canUndo === true) this.undoable = id;
    else if (this.undoable === id) this.undoable = '';
    this.changed();
  }

  #reviews(isOn: unknown): void {
    if (typeof isOn === 'boolean') this.isReviewOn = isOn;
    this.changed();
  }
}

function parseProtected(raw: unknown): ProtectedFile {
  const { file, reason } = fields<ProtectedFile>(raw);
  return { file: text(file), reason: text(reason) };
}
