/** Store of the commit form: the ticked files, the message, the commit and the undo of the last commit. */

import type {
  CommitCandidate,
  CommitCandidates,
  CommitChoice,
  CommitOutcome,
  CommitRefusal,
  CommitUndo,
  CommitUndone,
  CompletionResult,
  Rpc,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { RECORDED } from './messages.ts';
import { type Dispose, Store } from './store.ts';
import { requestId, withDelta } from './stream.ts';
import { type Fields, fields, list, number, strings, text } from './wire.ts';

export interface CommitPorts {
  say(kind: 'success' | 'warning' | 'error', message: string): void;
}

/** `part`: only the staged part of a file, without the changes made since. */
export type Tick = 'off' | 'part' | 'on';

export interface CommitFile {
  readonly path: string;
  readonly oldPath: string;
  readonly kind: string;
  readonly isStaged: boolean;
  readonly isPartly: boolean;
  /** Whether it is ticked by default. */
  readonly isTicked: boolean;
  /** Why it isn't ticked by default, or a warning about it. */
  readonly reason: string;
  readonly isSecret: boolean;
  readonly version: string;
  /** Number of new files in a folder that is listed as one row; 0 for a file. */
  readonly files: number;
}

export interface UndoOffer {
  readonly shortSha: string;
  readonly subject: string;
}

const RELIST_MS = 300;

export class CommitStore extends Store {
  isBusy = false;
  isOpen = false;
  /** The list is being fetched. */
  isListing = false;
  files: readonly CommitFile[] = [];
  leftOut = 0;
  /** The merge, rebase or the like under way ('' for none): its commit takes all tracked files. */
  operation = '';
  /** Why nothing can be committed; '' when something can. */
  refusal = '';
  error = '';
  noModel = '';
  undo: UndoOffer | null = null;
  /** New files that look like secrets: the server wants them confirmed. */
  secrets: readonly string[] = [];
  /** Message of the next commit; stays until a commit has used it. */
  message = '';
  /** The user's message that the model's has replaced; '' for none. */
  replacedMessage = '';
  /** Request id while the model writes a message; '' otherwise. */
  writing = '';
  readonly #ticks = new Map<string, Tick>();
  #lists = 0;
  /** The running request for the list: `commit` waits for it. */
  #listing: Promise<void> | null = null;
  #relist: number | undefined;
  #streamed = '';
  /** The recorded message that was written last; '' for one by the model. */
  #recorded = '';
  /** The message that the model wrote last. */
  #written = '';
  /** The commit reported last: the result of the call and the event both report it. */
  #reportedSha = '';
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: CommitPorts,
  ) {
    super();
    this.#stopListening = [
      rpc.on('commitResult', (result) => this.#onOutcome(fields<CommitOutcome>(result))),
      rpc.on('filesModified', () => this.#listSoon()),
      rpc.on('streamDelta', (id, offset, piece) => {
        if (text(id) !== this.writing) return;
        // After a gap, `streamComplete` brings the whole text.
        const whole = withDelta(this.#streamed, { offset: number(offset), piece: text(piece) });
        if (whole !== null) this.#stream(text(id), whole);
      }),
      rpc.on('streamChunk', (id, whole) => this.#stream(text(id), text(whole))),
      rpc.on('streamComplete', (id, result) => this.#finish(text(id), fields<CompletionResult>(result))),
    ];
  }

  get isOffered(): boolean {
    return this.rpc.offers('LLMService.commit_files');
  }

  get chosen(): readonly CommitFile[] {
    return this.files.filter((file) => this.tick(file) !== 'off');
  }

  /** Number of ticked files, including those in ticked folders. */
  get count(): number {
    return this.chosen.reduce((sum, { files }) => sum + (files || 1), 0);
  }

  tick(file: CommitFile): Tick {
    if (this.isRequired(file)) return 'on';
    const own = file.isTicked ? (file.isPartly ? 'part' : 'on') : 'off';
    const said = this.#ticks.get(file.path) ?? own;
    return said === 'part' && !file.isPartly ? 'on' : said;
  }

  /** It is committed in any case: an operation is under way, and git tracks the file. */
  isRequired(file: CommitFile): boolean {
    return this.operation !== '' && (file.isStaged || file.kind !== 'new');
  }

  /** Cycles a file's tick; for a partly staged file: staged part, whole file, nothing. */
  toggle(file: CommitFile): void {
    if (this.isRequired(file)) return;
    const before = this.tick(file);
    const next: Tick = before === 'part' ? 'on' : before === 'on' ? 'off' : file.isPartly ? 'part' : 'on';
    this.#ticks.set(file.path, next);
    this.#changedChoice();
  }

  /** Ticks or unticks all; files that are left out for a reason can only be ticked one by one. */
  toggleAll(files: readonly CommitFile[]): void {
    const free = files.filter((file) => !this.isRequired(file));
    const isAny = free.some((file) => this.tick(file) !== 'off');
    for (const file of free) {
      if (isAny) this.#ticks.set(file.path, 'off');
      else if (!file.reason) this.#ticks.set(file.path, file.isPartly ? 'part' : 'on');
    }
    this.#changedChoice();
  }

  open(isOpen: boolean): void {
    this.isOpen = isOpen;
    if (!isOpen) return;
    this.error = '';
    this.secrets = [];
    // The old list may contain files that are committed by now.
    this.files = [];
    this.undo = null;
    void this.list();
  }

  /** The message is a recorded one, which no model has written. */
  get isRecorded(): boolean {
    return this.#recorded !== '' && this.message === this.#recorded;
  }

  edit(message: string): void {
    this.message = message;
    this.changed();
  }

  /** Lists what can be committed; the user's ticks stay. */
  list(): Promise<void> {
    this.#listing = this.#list();
    return this.#listing;
  }

  async #list(): Promise<void> {
    this.#lists += 1;
    const mine = this.#lists;
    this.isListing = true;
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.list_commit_candidates'));
    if (mine !== this.#lists) return;
    this.isListing = false;
    if (error) this.refusal = error;
    else this.#adopt(fields<CommitCandidates>(value));
    this.changed();
  }

  /** Lets the model write the message; `restore` brings the replaced message back. */
  async write(): Promise<void> {
    if (this.writing || !this.chosen.length) return;
    const id = requestId(Date.now(), Math.random);
    this.writing = id;
    const isOwn = this.message.trim() !== '' && this.message !== this.#written;
    if (isOwn) this.replacedMessage = this.message;
    this.#streamed = '';
    this.error = '';
    this.changed();
    const { error } = await toResult(
      this.rpc.rpcExtract('LLMService.write_commit_message', id, this.#choices()),
    );
    if (error && this.writing === id) this.#onWritingEnd(error);
  }

  async stop(): Promise<void> {
    const id = this.writing;
    if (!id) return;
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.cancel_streaming', id));
    if (error && this.writing === id) this.#onWritingEnd('');
  }

  /** Swaps the model's message and the user's. */
  restore(): void {
    const { message } = this;
    this.message = this.replacedMessage;
    this.replacedMessage = message.trim() ? message : '';
    this.changed();
  }

  /** Commits; busy until `commitResult` arrives or the server refuses. */
  async commit(includeSecrets = false): Promise<void> {
    if (this.isBusy || this.writing) return;
    this.secrets = [];
    this.#busy(true);
    if (!this.files.length) await this.#listing;
    this.error = this.#missingInput();
    if (this.error) return this.#busy(false);
    const { value, error } = await toResult(
      this.rpc.rpcExtract('LLMService.commit_files', this.#choices(), this.message, includeSecrets),
    );
    const outcome = fields<CommitOutcome | CommitRefusal>(value);
    if (error) {
      this.#failed(error, strings(outcome.secrets));
      void this.list();
    } else if (text(fields<CommitOutcome>(value).sha)) this.#onOutcome(fields<CommitOutcome>(value));
  }

  /** Unticks the likely secrets that the server asked about. */
  leaveSecretsOut(): void {
    for (const path of this.secrets) {
      this.#ticks.set(path, 'off');
      for (const { path: folder } of this.files) {
        if (folder.endsWith('/') && path.startsWith(folder)) this.#ticks.set(folder, 'off');
      }
    }
    this.#changedChoice();
  }

  /** Undoes the last commit; its message goes into the field if that is empty. */
  async undoCommit(): Promise<void> {
    if (this.isBusy) return;
    this.#busy(true);
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.undo_commit'));
    this.isBusy = false;
    this.error = error;
    if (!error) {
      const { short_sha, message } = fields<CommitUndone>(value);
      if (!this.message.trim()) this.message = text(message);
      this.#ticks.clear();
      this.ports.say('success', t('Undid the commit %1; its changes are staged.', text(short_sha)));
    }
    await this.list();
  }

  /** The connection was lost: the result of a running commit will be in the conversation. */
  onDisconnect(): void {
    if (this.writing) this.#onWritingEnd('');
    if (this.isBusy) this.#busy(false);
  }

  dispose(): void {
    clearTimeout(this.#relist);
    for (const stop of this.#stopListening) stop();
  }

  #missingInput(): string {
    if (!this.chosen.length) return t('Tick the files that the commit is to hold.');
    return this.message.trim() ? '' : t('Write a message, or have the model write one.');
  }

  #choices(): (string | CommitChoice)[] {
    return this.chosen.map((file) => {
      const { path, version } = file;
      if (!version) return path;
      return { path, version, part: this.tick(file) === 'part' || isStagedOnly(file) ? 'staged' : 'whole' };
    });
  }

  #adopt(answer: Fields<CommitCandidates>): void {
    this.files = list(answer.files).map(parse);
    this.leftOut = number(answer.left_out);
    this.operation = text(answer.operation);
    this.refusal = text(answer.refusal);
    this.noModel = text(answer.no_model);
    const { short_sha, subject } = fields<CommitUndo>(answer.undo);
    this.undo = answer.undo ? { shortSha: text(short_sha), subject: text(subject) } : null;
  }

  #listSoon(): void {
    if (!this.isOpen) return;
    clearTimeout(this.#relist);
    this.#relist = setTimeout(() => void this.list(), RELIST_MS);
  }

  #stream(id: string, whole: string): void {
    if (!id || id !== this.writing) return;
    this.#streamed = whole;
    this.message = whole;
    this.changed();
  }

  #finish(id: string, result: Fields<CompletionResult>): void {
    if (!id || id !== this.writing) return;
    const message = text(result.response);
    this.#recorded = result.model === RECORDED ? message : '';
    if (message) {
      this.message = message;
      this.#streamed = message;
    }
    this.#onWritingEnd(text(result.error));
  }

  /** If the model wrote nothing, the field still contains the user's message. */
  #onWritingEnd(error: string): void {
    this.#written = this.#streamed;
    if (this.message === this.replacedMessage) this.replacedMessage = '';
    this.writing = '';
    this.error = error;
    this.changed();
  }

  #onOutcome(result: Fields<CommitOutcome>): void {
    const error = text(result.error);
    const full = text(result.sha);
    if (full && full === this.#reportedSha) return;
    this.#reportedSha = full;
    if (error) {
      if (this.isBusy) this.#failed(error, strings(result.secrets));
      else this.ports.say('error', error);
      return;
    }
    // A commit of another panel doesn't clear the message written here.
    if (this.isBusy) this.#resetAfterCommit();
    for (const notice of strings(result.notices)) this.ports.say('warning', notice);
    const [subject = ''] = text(result.message).split('\n');
    const hooks = strings(result.hooks);
    const ran = hooks.length ? t(' (hooks: %1)', hooks.join(', ')) : '';
    this.ports.say(
      'success',
      t('Committed %1: %2%3', text(result.short_sha, full.slice(0, 7)), subject, ran),
    );
    this.#listSoon();
  }

  #resetAfterCommit(): void {
    this.message = '';
    this.replacedMessage = '';
    this.isOpen = false;
    this.#ticks.clear();
    this.#busy(false);
  }

  #failed(error: string, secrets: readonly string[]): void {
    this.secrets = secrets;
    this.error = secrets.length ? '' : error;
    this.#busy(false);
    if (!this.isOpen) this.ports.say('error', error);
  }

  #changedChoice(): void {
    this.secrets = [];
    this.error = '';
    this.changed();
  }

  #busy(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.changed();
  }
}

function isStagedOnly({ isStaged, isPartly }: CommitFile): boolean {
  return isStaged && !isPartly;
}

function parse(raw: unknown): CommitFile {
  const row = fields<CommitCandidate>(raw);
  return {
    path: text(row.path),
    oldPath: text(row.old_path),
    kind: text(row.kind),
    isStaged: row.staged === true,
    isPartly: row.partly === true,
    isTicked: row.ticked === true,
    reason: text(row.reason),
    isSecret: row.secret === true,
    version: text(row.version),
    files: number(row.files),
  };
}
