/** One panel's state: the stores over one link, kept true to the server across its life. */

import {
  type CompletionResult,
  type CurrentState,
  type LinkStatus,
  type ModelState,
  PROTOCOL,
  type Rpc,
  type SettingsChange,
} from '@jupyter-ac/link/rpc';
import { AttachmentStore, type OfferedImage } from './attachments.ts';
import { BreakdownStore } from './breakdown.ts';
import { ChatStore } from './chat.ts';
import { CommitStore } from './commit.ts';
import { DraftStore } from './draft.ts';
import { tally } from './edit-tally.ts';
import { EditsStore } from './edits-store.ts';
import { EverywhereStore } from './everywhere.ts';
import { FilesStore } from './files.ts';
import { HistoryStore } from './history.ts';
import type { DraftStorage } from './kept-drafts.ts';
import { Links } from './links.ts';
import { LogStore } from './log.ts';
import type { Message } from './messages.ts';
import { isIndexing, ModeStore } from './mode.ts';
import { type FolderPorts, NoRepositoryStore } from './no-repository.ts';
import { Pictures } from './pictures.ts';
import { ProgramsStore } from './programs.ts';
import { Questions } from './questions.ts';
import { ReviewStore } from './review.ts';
import { SelectionStore } from './selection.ts';
import { Settings } from './settings.ts';
import { SnippetsStore } from './snippets.ts';
import { SpendStore } from './spend.ts';
import { type Dispose, Store } from './store.ts';
import { ToastStore } from './toasts.ts';
import { TrustStore } from './trust.ts';
import { type Fields, fields, number, strings, text } from './wire.ts';

export type Status = 'starting' | 'ready' | 'streaming' | 'offline' | 'error';

/** What the panel needs of the page; all of it may fail. */
export interface SessionPorts extends FolderPorts {
  /** This UI's version. */
  readonly version: string;
  readonly storage: DraftStorage | null;
  /** The name under which drafts are kept, by the top of the repository; '' while that isn't known. */
  draftKey(root: string): string;
  /** One sentence on why the server can't be reached. */
  diagnose(): Promise<string>;
}

export interface ModelInfo {
  readonly name: string;
  readonly isDemo: boolean;
  readonly isAvailable: boolean;
  readonly message: string;
}

export interface Progress {
  readonly message: string;
  readonly percent: number;
}

/** Nobody comes back sooner than this to see something new. */
const REVISIT_MS = 5000;
const GLANCE_MS = 2000;
const NO_REPOSITORY = 4404;
const UNREACHED = 1006;
const NO_MODEL: ModelInfo = { name: '', isDemo: false, isAvailable: true, message: '' };

export class Session extends Store {
  readonly toasts = new ToastStore();
  readonly draft: DraftStore;
  readonly attachments: AttachmentStore;
  readonly selection: SelectionStore;
  readonly files: FilesStore;
  readonly chat: ChatStore;
  readonly questions: Questions;
  readonly edits: EditsStore;
  readonly breakdown: BreakdownStore;
  readonly history: HistoryStore;
  readonly trust: TrustStore;
  readonly snippets: SnippetsStore;
  readonly spend: SpendStore;
  readonly review: ReviewStore;
  readonly commit: CommitStore;
  readonly programs: ProgramsStore;
  readonly pictures: Pictures;
  readonly log: LogStore;
  readonly mode: ModeStore;
  readonly links: Links;
  readonly everywhere: EverywhereStore;
  readonly settings: Settings;
  readonly noRepository: NoRepositoryStore;
  repoName = '';
  /** Top of the repository, absolute; '' until it is known. */
  repoRoot = '';
  model: ModelInfo = NO_MODEL;
  /** Of the server's start; null when it has ended. */
  progress: Progress | null = { message: 'Connecting …', percent: 0 };
  /** The server's state has been seen at least once. */
  isLoaded = false;
  /** Why the panel can't work just now; '' while it can. */
  trouble = '';
  /** One sentence when the two ends are of different versions; '' else. */
  versionNote = '';
  #asked = 0;
  /** When the server's state was last asked for. */
  #askedAt = 0;
  /** When it was last asked for how edits stand. */
  #lookedAt = 0;
  readonly #stopListening: Dispose[];

  constructor(
    readonly rpc: Rpc,
    private readonly ports: SessionPorts,
  ) {
    super();
    const onError = (message: string) => this.toasts.show('error', message);
    this.attachments = new AttachmentStore(onError);
    this.draft = new DraftStore(ports.storage, ports.draftKey(''));
    this.selection = new SelectionStore(rpc, onError);
    this.files = new FilesStore(rpc, this.selection);
    this.breakdown = new BreakdownStore(rpc);
    this.edits = new EditsStore(rpc, (kind, message) => this.toasts.show(kind, message));
    this.chat = new ChatStore(rpc, {
      beforeSend: () => this.selection.settled(),
      onSettled: (_id, result, isOurs) => this.#settled(result, isOurs),
      resync: () => this.sync(),
      onError,
    });
    this.history = new HistoryStore(rpc, { resync: () => this.sync() });
    this.trust = new TrustStore(rpc, { resync: () => this.sync() });
    this.snippets = new SnippetsStore(rpc);
    this.spend = new SpendStore(rpc);
    this.review = new ReviewStore(rpc);
    this.log = new LogStore(rpc, {
      say: (kind, message) => this.toasts.show(kind, message),
      recount: () => this.breakdown.refresh(),
    });
    this.pictures = new Pictures(rpc);
    const { chat, draft, attachments, pictures } = this;
    this.questions = new Questions(
      rpc,
      { chat, draft, attachments, pictures },
      { say: (kind, message) => this.toasts.show(kind, message), resync: () => this.sync() },
    );
    this.commit = new CommitStore(rpc, { say: (kind, message) => this.toasts.show(kind, message) });
    this.programs = new ProgramsStore(rpc, { say: (kind, message) => this.toasts.show(kind, message) });
    this.settings = new Settings(rpc);
    this.mode = new ModeStore(rpc, {
      say: (kind, message) => this.toasts.show(kind, message),
      progress: (what, advance) => this.toasts.progress(what, advance),
      recount: () => this.breakdown.refresh(),
    });
    this.links = new Links(rpc, this.files, this.mode);
    this.everywhere = new EverywhereStore(rpc, this.files, this.mode);
    this.noRepository = new NoRepositoryStore(ports, () => rpc.retry(), onError);
    this.#stopListening = [
      rpc.onStatus((status) => this.#heard(status)),
      rpc.on('startupProgress', (stage, message, percent) =>
        this.#start(text(stage), text(message), number(percent)),
      ),
      rpc.on('modeChanged', () => void this.sync()),
      rpc.on(
        'settingsChanged',
        (change) => void this.#resettle(text(fields<SettingsChange>(change).message)),
      ),
      rpc.on('streamComplete', () => void this.spend.refresh()),
      rpc.on('sessionChanged', () => void this.spend.refresh()),
      rpc.on('sessionChanged', () => void this.trust.refresh()),
      rpc.on('filesModified', (paths) => {
        if (this.selection.concerns(strings(paths))) void this.breakdown.refresh();
        this.#lookAtEdits();
      }),
      rpc.on('editsChanged', (id) => this.#decided(text(id))),
      rpc.on('binaryFilesSkipped', (event) => this.#skipped(strings(fields(event).paths))),
      this.draft.subscribe(() => this.#weigh()),
      this.attachments.subscribe(() => this.#weigh()),
      this.chat.subscribe(() => this.#followTalk()),
      this.selection.subscribe(() => this.changed()),
      this.edits.subscribe(() => this.changed()),
      this.files.subscribe(() => this.#lookAtStaging()),
    ];
    this.#weigh();
    if (rpc.connected) this.#heard(rpc.status);
  }

  get status(): Status {
    const { state } = this.rpc.status;
    if (state === 'refused') return 'error';
    if (state !== 'open') return this.isLoaded || state === 'waiting' ? 'offline' : 'starting';
    if (!this.isLoaded) return this.trouble ? 'error' : 'starting';
    if (this.chat.stream) return 'streaming';
    return this.progress ? 'starting' : 'ready';
  }

  /** The panel shows something worth working with, even when the connection is away. */
  get isUsable(): boolean {
    return this.isLoaded && this.rpc.status.state !== 'refused';
  }

  /** The server has no repository for this place, so one can be made. */
  get lacksRepository(): boolean {
    const { status } = this.rpc;
    return status.state === 'refused' && status.code === NO_REPOSITORY;
  }

  /** Asks the server for everything; of several at once the last answer wins. */
  async sync(): Promise<void> {
    this.#asked += 1;
    this.#askedAt = Date.now();
    const mine = this.#asked;
    const { sending, sent } = this.chat;
    try {
      const state = fields<CurrentState>(await this.rpc.rpcExtract('LLMService.get_current_state'));
      if (mine === this.#asked) {
        if (sending || this.chat.sent !== sent) {
          await this.chat.sending;
          return await this.sync();
        }
        this.#adopt(state);
      }
    } catch (error) {
      if (mine !== this.#asked || !this.rpc.connected) return;
      this.trouble = error instanceof Error ? error.message : String(error);
      this.changed();
      return;
    }
    await Promise.all(
      [this.files, this.breakdown, this.log, this.spend, this.trust, this.snippets, this.mode].map((store) =>
        store.refresh(),
      ),
    );
    this.#lookAtStaging();
  }

  /** Somebody looks at the panel again: other hosts, editors and git may have changed things. */
  async revisit(): Promise<void> {
    const isRecent = Date.now() - this.#askedAt < REVISIT_MS;
    if (this.status === 'ready' && !isRecent) await this.sync();
  }

  /** The pointer or the keyboard comes to the panel: git in a terminal beside it may have changed files. */
  glance(): void {
    const isRecent = Date.now() - this.#lookedAt < GLANCE_MS;
    if (this.status === 'ready' && !isRecent) this.#lookAtEdits();
  }

  /** Asks what is in the input, now or next. */
  ask(): Promise<void> {
    return this.questions.ask();
  }

  /** Adds images to the question being typed. */
  attach(files: readonly OfferedImage[]): void {
    if (this.rpc.offers('LLMService.put_image')) void this.attachments.add(files);
    else this.toasts.show('warning', 'This server takes no images.');
  }

  dispose(): void {
    this.#asked += 1;
    for (const stop of this.#stopListening) stop();
    const { chat, edits, breakdown, files, selection, toasts, history, review, commit, log } = this;
    const stores = [chat, edits, breakdown, files, selection, toasts, history, review, commit, log];
    for (const store of [...stores, this.mode, this.links, this.everywhere, this.noRepository])
      store.dispose();
  }

  #followTalk(): void {
    const { sessionId, lastAsked } = this.chat;
    if (sessionId) this.draft.enter({ sessionId, lastAsked });
    this.questions.advance();
    this.changed();
  }

  #lookAtEdits(): void {
    this.#lookedAt = Date.now();
    const isApplied = ({ edits }: Message) => edits.list.some(({ outcome }) => outcome?.status === 'applied');
    void this.edits.look(this.chat.messages.filter(isApplied).map(({ requestId }) => requestId));
  }

  /** After the tree was read: what was not staged with its edit may be by now. */
  #lookAtStaging(): void {
    const unstaged = this.chat.messages.flatMap(({ edits }) =>
      edits.list.flatMap(({ outcome, newPath, path }) => (outcome?.filter ? newPath || path : [])),
    );
    this.edits.noteStaged([...new Set(unstaged)].filter((path) => this.files.isStaged(path)));
  }

  #weigh(): void {
    this.breakdown.setQuestion(this.draft.text, this.attachments.images.length);
  }

  #heard(status: LinkStatus): void {
    if (status.state === 'open') {
      this.trouble = '';
      if (!status.first && this.isLoaded) this.toasts.show('success', 'Reconnected');
      void this.sync();
    }
    if (status.state === 'waiting' || status.state === 'refused') {
      this.commit.lose();
      this.trouble = status.reason;
      if (status.code === UNREACHED) void this.#explain();
      if (this.lacksRepository) void this.noRepository.look();
    }
    this.changed();
  }

  /** The browser doesn't say why a socket failed; plain HTTP often does. */
  async #explain(): Promise<void> {
    const reason = await this.ports.diagnose().catch(() => '');
    if (!reason || this.rpc.connected || this.trouble === '') return;
    this.trouble = reason;
    this.changed();
  }

  #adopt(state: Fields<CurrentState>): void {
    const model = fields<ModelState>(state.model);
    this.isLoaded = true;
    this.trouble = '';
    this.repoName = text(state.repo_name);
    this.repoRoot = text(state.repo_root);
    this.draft.keepAt(this.ports.draftKey(this.repoRoot));
    this.model = {
      name: text(model.name),
      isDemo: model.demo === true,
      isAvailable: model.available !== false,
      message: text(model.message),
    };
    this.versionNote = versionNote(this.ports.version, text(state.version), number(state.protocol));
    if (state.init_complete === true) this.progress = null;
    this.selection.adopt(strings(state.selected_files), strings(state.ticked_by_program));
    this.review.adopt(state.review_state);
    this.edits.adopt(state);
    const lost = this.chat.restore(state);
    if (lost) {
      this.questions.giveBack(lost);
      this.toasts.show('warning', 'Your question did not arrive; it is back in the input.');
    }
    this.#lookAtEdits();
    this.changed();
  }

  #start(stage: string, message: string, percent: number): void {
    if (isIndexing(stage)) return;
    this.progress = stage === 'ready' || percent >= 100 ? null : { message: message || stage, percent };
    this.changed();
  }

  /** Somebody, or a file on disk, has changed the settings. */
  async #resettle(message: string): Promise<void> {
    if (message) this.toasts.show('warning', message);
    await Promise.all([this.sync(), this.settings.renew()]);
  }

  #settled(result: Fields<CompletionResult>, isOurs: boolean): void {
    if (strings(result.files_modified).length) void this.files.refresh();
    if (isOurs) this.draft.giveBack(text(result.retry_prompt));
  }

  /** A question that was prepared for edits of which none fails any more isn't asked. */
  #decided(id: string): void {
    const answer = this.chat.messages.find(({ role, requestId }) => role === 'assistant' && requestId === id);
    if (!answer || tally(answer.edits).failures.length) return;
    if (this.draft.text === answer.edits.retryPrompt) this.draft.set('');
  }

  #skipped(paths: string[]): void {
    const [first, ...others] = paths;
    if (!first) return;
    const more = others.length ? ` (and ${others.length} more)` : '';
    this.toasts.show('warning', `${first}${more} can't be sent: not text.`);
  }
}

function versionNote(ours: string, theirs: string, protocol: number): string {
  const isSame = theirs === '' || theirs === ours;
  if (isSame && (protocol === PROTOCOL || protocol === 0)) return '';
  return `This panel is version ${ours}, the server runs ${theirs || 'another'}: restart the server and reload the page.`;
}
