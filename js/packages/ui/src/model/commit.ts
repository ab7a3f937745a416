/** The commit form: which files go, the message, the commit, and taking the last one back. */

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
import { type Dispose, Store } from './store.ts';
import { requestId, withDelta } from './stream.ts';
import { told } from './told.ts';
import { type Fields, fields, list, number, strings, text } from './wire.ts';

export interface CommitPorts {
  say(kind: 'success' | 'warning' | 'error', message: string): void;
}

/** `part`: what is staged of a file, and not what has changed since. */
export type Tick = 'off' | 'part' | 'on';

export interface CommitFile {
  readonly path: string;
  readonly oldPath: string;
  readonly kind: string;
  readonly isStaged: boolean;
  readonly isPartly: boolean;
  /** Without the person's word. */
  readonly isTicked: boolean;
  /** Why it isn't ticked, or what should be known of it. */
  readonly reason: string;
  readonly isSecret: boolean;
  readonly version: string;
  /** New files that a folder stands for. */
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
  /** The list has been asked for and isn't there yet. */
  isListing = false;
  files: readonly CommitFile[] = [];
  leftOut = 0;
  /** Under way: the commit takes all that git tracks. */
  operation = '';
  /** Why nothing can be committed, or wasn't; '' else. */
  refusal = '';
  error = '';
  noModel = '';
  undo: UndoOffer | null = null;
  /** New files that look like secrets: the server asks whether they are meant. */
  secrets: readonly string[] = [];
  /** Of the next commit, as far as it is written; stays until it has been used. */
  message = '';
  /** What the person had written before the model wrote; '' for nothing. */
  kept = '';
  /** Under which the model writes a message; '' while it doesn't. */
  writing = '';
  readonly #ticks = new Map<string, Tick>();
  #lists = 0;
  /** Who commits before the list is there has what it takes by default. */
  #listing: Promise<void> | null = null;
  #relist: number | undefined;
  #streamed = '';
  /** What the model wrote last. */
  #written = '';
  /** The commit that was told of already: the answer and the event both tell. */
  #toldSha = '';
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: CommitPorts,
  ) {
    super();
    this.#stopListening = [
      rpc.on('commitResult', (result) => this.#ended(fields<CommitOutcome>(result))),
      rpc.on('filesModified', () => this.#listSoon()),
      rpc.on('streamDelta', (id, offset, piece) => {
        if (text(id) !== this.writing) return;
        // Behind a gap the end tells the whole.
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

  /** Files, those in folders counted. */
  get count(): number {
    return this.chosen.reduce((sum, { files }) => sum + (files || 1), 0);
  }

  tick(file: CommitFile): Tick {
    if (this.isBound(file)) return 'on';
    const own = file.isTicked ? (file.isPartly ? 'part' : 'on') : 'off';
    const said = this.#ticks.get(file.path) ?? own;
    return said === 'part' && !file.isPartly ? 'on' : said;
  }

  /** It goes in any case: git is in the middle of something, and tracks it. */
  isBound(file: CommitFile): boolean {
    return this.operation !== '' && (file.isStaged || file.kind !== 'new');
  }

  /** Of a partly staged file: the staged part, the whole, nothing. */
  toggle(file: CommitFile): void {
    if (this.isBound(file)) return;
    const before = this.tick(file);
    const next: Tick = before === 'part' ? 'on' : before === 'on' ? 'off' : file.isPartly ? 'part' : 'on';
    this.#ticks.set(file.path, next);
    this.#changedChoice();
  }

  /** All of them on or off; what is left out for a reason is ticked one by one. */
  toggleAll(files: readonly CommitFile[]): void {
    const free = files.filter((file) => !this.isBound(file));
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
    // What was listed before may be committed meanwhile.
    this.files = [];
    this.undo = null;
    void this.list();
  }

  edit(message: string): void {
    this.message = message;
    this.changed();
  }

  /** Asks what there is to commit; the person's ticks stay. */
  list(): Promise<void> {
    this.#listing = this.#list();
    return this.#listing;
  }

  async #list(): Promise<void> {
    this.#lists += 1;
    const mine = this.#lists;
    this.isListing = true;
    this.changed();
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.list_commit_candidates'));
    if (mine !== this.#lists) return;
    this.isListing = false;
    if (error) this.refusal = error;
    else this.#adopt(fields<CommitCandidates>(value));
    this.changed();
  }

  /** Has the model write the message; what stands in the field comes back by `restore`. */
  async write(): Promise<void> {
    if (this.writing || !this.chosen.length) return;
    const id = requestId(Date.now(), Math.random);
    this.writing = id;
    const isOwn = this.message.trim() !== '' && this.message !== this.#written;
    if (isOwn) this.kept = this.message;
    this.#streamed = '';
    this.error = '';
    this.changed();
    const { error } = await told(this.rpc.rpcExtract('LLMService.write_commit_message', id, this.#choices()));
    if (error && this.writing === id) this.#stopped(error);
  }

  async stop(): Promise<void> {
    const id = this.writing;
    if (!id) return;
    const { error } = await told(this.rpc.rpcExtract('LLMService.cancel_streaming', id));
    if (error && this.writing === id) this.#stopped('');
  }

  /** Exchanges the model's words for the person's, and back. */
  restore(): void {
    const { message } = this;
    this.message = this.kept;
    this.kept = message.trim() ? message : '';
    this.changed();
  }

  /** Goes on until `commitResult`, or until the server has said why not. */
  async commit(includeSecrets = false): Promise<void> {
    if (this.isBusy || this.writing) return;
    this.secrets = [];
    this.#busy(true);
    if (!this.files.length) await this.#listing;
    this.error = this.#lacking();
    if (this.error) return this.#busy(false);
    const { value, error } = await told(
      this.rpc.rpcExtract('LLMService.commit_files', this.#choices(), this.message, includeSecrets),
    );
    const outcome = fields<CommitOutcome | CommitRefusal>(value);
    if (error) {
      this.#failed(error, strings(outcome.secrets));
      void this.list();
    } else if (text(fields<CommitOutcome>(value).sha)) this.#ended(fields<CommitOutcome>(value));
  }

  /** Unticks the files that the server has asked about. */
  leaveSecretsOut(): void {
    for (const path of this.secrets) {
      this.#ticks.set(path, 'off');
      for (const { path: folder } of this.files) {
        if (folder.endsWith('/') && path.startsWith(folder)) this.#ticks.set(folder, 'off');
      }
    }
    this.#changedChoice();
  }

  /** Takes the last commit back; its message is in the field again, if that is empty. */
  async undoCommit(): Promise<void> {
    if (this.isBusy) return;
    this.#busy(true);
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.undo_commit'));
    this.isBusy = false;
    this.error = error;
    if (!error) {
      const { short_sha, message } = fields<CommitUndone>(value);
      if (!this.message.trim()) this.message = text(message);
      this.#ticks.clear();
      this.ports.say('success', `Undid the commit ${text(short_sha)}; its changes are staged.`);
    }
    await this.list();
  }

  /** The connection is away: its end, if it comes to one, is in the conversation. */
  lose(): void {
    if (this.writing) this.#stopped('');
    if (this.isBusy) this.#busy(false);
  }

  dispose(): void {
    clearTimeout(this.#relist);
    for (const stop of this.#stopListening) stop();
  }

  #lacking(): string {
    if (!this.chosen.length) return 'Tick the files that the commit is to hold.';
    return this.message.trim() ? '' : 'Write a message, or have the model write one.';
  }

  #choices(): (string | CommitChoice)[] {
    return this.chosen.map((file) => {
      const { path, version } = file;
      if (!version) return path;
      return { path, version, part: this.tick(file) === 'part' || isStagedOnly(file) ? 'staged' : 'whole' };
    });
  }

  #adopt(told: Fields<CommitCandidates>): void {
    this.files = list(told.files).map(parse);
    this.leftOut = number(told.left_out);
    this.operation = text(told.operation);
    this.refusal = text(told.refusal);
    this.noModel = text(told.no_model);
    const { short_sha, subject } = fields<CommitUndo>(told.undo);
    this.undo = told.undo ? { shortSha: text(short_sha), subject: text(subject) } : null;
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
    if (message) {
      this.message = message;
      this.#streamed = message;
    }
    this.#stopped(text(result.error));
  }

  /** Without a word of the model's the field has what stood there before. */
  #stopped(error: string): void {
    this.#written = this.#streamed;
    if (this.message === this.kept) this.kept = '';
    this.writing = '';
    this.error = error;
    this.changed();
  }

  #ended(result: Fields<CommitOutcome>): void {
    const error = text(result.error);
    const full = text(result.sha);
    if (full && full === this.#toldSha) return;
    this.#toldSha = full;
    if (error) {
      if (this.isBusy) this.#failed(error, strings(result.secrets));
      else this.ports.say('error', error);
      return;
    }
    // Another panel's leaves what is written here.
    if (this.isBusy) this.#used();
    for (const notice of strings(result.notices)) this.ports.say('warning', notice);
    const [subject] = text(result.message).split('\n');
    const hooks = strings(result.hooks);
    const ran = hooks.length ? ` (hooks: ${hooks.join(', ')})` : '';
    this.ports.say('success', `Committed ${text(result.short_sha, full.slice(0, 7))}: ${subject}${ran}`);
    this.#listSoon();
  }

  #used(): void {
    this.message = '';
    this.kept = '';
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
