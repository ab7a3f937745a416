/** State of one panel: all stores over one connection, synchronised with the server across reconnects. */

import type {
  CompletionResult,
  CurrentState,
  LinkStatus,
  ModelState,
  Rpc,
  SettingsChange,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { AgentStore } from './agent/agent-store.ts';
import { AskedFilesStore } from './asked-files.ts';
import { AttachmentStore, type ImageFile } from './attachments.ts';
import { BreakdownStore } from './breakdown.ts';
import { ChatStore } from './chat.ts';
import { CommitStore } from './commit.ts';
import { CompactionStore } from './compaction.ts';
import { ContextItemsStore } from './context-items.ts';
import type { Mentions } from './context-mentions.ts';
import { DraftStore } from './draft.ts';
import { summarizeEdits } from './edit-summary.ts';
import { EditsStore } from './edits-store.ts';
import { FilesStore } from './files.ts';
import { HistoryStore } from './history.ts';
import { ImageCache } from './images.ts';
import { LinkResolver } from './link-resolver.ts';
import type { Message } from './messages.ts';
import { isIndexing, ModeStore } from './mode.ts';
import { NoRepositoryStore } from './no-repository.ts';
import { ProgramsStore } from './programs.ts';
import { QuestionQueue } from './question-queue.ts';
import { ReviewStore } from './review.ts';
import { SearchStore } from './search-everywhere.ts';
import { SelectionStore } from './selection.ts';
import type { SessionPorts } from './session-ports.ts';
import { Settings } from './settings.ts';
import { SnippetsStore } from './snippets.ts';
import { SpendStore } from './spend.ts';
import { type Dispose, Store } from './store.ts';
import { ToastStore } from './toasts.ts';
import { TrustStore } from './trust.ts';
import { UrlsStore } from './urls.ts';
import { versionNote } from './version-note.ts';
import { type Fields, fields, number, strings, text } from './wire.ts';

export type Status = 'starting' | 'ready' | 'streaming' | 'offline' | 'error';

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

/** A state younger than this isn't fetched again when the page gets the focus. */
const STALE_MS = 5000;
const STANDINGS_STALE_MS = 2000;
const NO_REPOSITORY = 4404;
const ABNORMAL_CLOSURE = 1006;
const NO_MODEL: ModelInfo = { name: '', isDemo: false, isAvailable: true, message: '' };

export class Session extends Store {
  readonly toasts = new ToastStore();
  readonly draft: DraftStore;
  readonly attachments: AttachmentStore;
  readonly askedFiles = new AskedFilesStore();
  readonly selection: SelectionStore;
  readonly urls: UrlsStore;
  readonly context: ContextItemsStore;
  readonly files: FilesStore;
  readonly chat: ChatStore;
  readonly questions: QuestionQueue;
  readonly edits: EditsStore;
  readonly breakdown: BreakdownStore;
  readonly history: HistoryStore;
  readonly trust: TrustStore;
  readonly snippets: SnippetsStore;
  readonly spend: SpendStore;
  readonly review: ReviewStore;
  readonly commit: CommitStore;
  readonly programs: ProgramsStore;
  readonly images: ImageCache;
  readonly compaction: CompactionStore;
  readonly mode: ModeStore;
  readonly links: LinkResolver;
  readonly search: SearchStore;
  readonly settings: Settings;
  readonly noRepository: NoRepositoryStore;
  /** What the input may mention beside files; loaded on demand. */
  mentions: Mentions | null = null;
  /** Runs of the agent; loaded on demand. */
  agent: AgentStore | null = null;
  repoName = '';
  /** Top of the repository, absolute; '' until it is known. */
  repoRoot = '';
  model: ModelInfo = NO_MODEL;
  /** False in a folder without a repository: nothing is staged or committed there. */
  hasGit = true;
  /** Progress of the server's start; null when it has finished. */
  progress: Progress | null = { message: t('Connecting …'), percent: 0 };
  /** The server's state has been loaded at least once. */
  isLoaded = false;
  /** Why the panel can't work at the moment; '' while it can. */
  problem = '';
  /** One sentence when panel and server have different versions; '' otherwise. */
  versionNote = '';
  /** Settles when the server knows which conversation this is. */
  #opening: Promise<boolean> = Promise.resolve(true);
  #asked = 0;
  /** Time of the last request for the state. */
  #askedAt = 0;
  /** Time of the last request for the standings of edits, or for the repositories near a folder without one. */
  #glancedAt = 0;
  readonly #stopListening: Dispose[];

  constructor(
    readonly rpc: Rpc,
    readonly ports: SessionPorts,
  ) {
    super();
    const say: ToastStore['show'] = (kind, message) => this.toasts.show(kind, message);
    const onError = (message: string) => say('error', message);
    const recount = () => this.breakdown.refresh();
    const resync = () => this.sync();
    this.attachments = new AttachmentStore(onError);
    this.draft = new DraftStore(ports.storage, ports.draftKey(''));
    this.selection = new SelectionStore(rpc, onError);
    this.files = new FilesStore(rpc, this.selection);
    this.breakdown = new BreakdownStore(rpc);
    this.urls = new UrlsStore(rpc, { say, recount });
    this.context = new ContextItemsStore(rpc, { say, recount });
    this.edits = new EditsStore(rpc, say);
    this.chat = new ChatStore(rpc, {
      beforeSend: async () => {
        await Promise.all([this.#opening, this.selection.settled(), this.urls.settled()]);
      },
      excludedUrls: (question) => this.urls.excludedFrom(question),
      agentMode: () => this.agent?.mode ?? 'ask',
      onTurnEnd: (_id, result, isOurs) => this.#onTurnEnd(result, isOurs),
      resync,
      onError,
    });
    this.history = new HistoryStore(rpc, { resync });
    this.trust = new TrustStore(rpc, { resync });
    this.snippets = new SnippetsStore(rpc);
    this.spend = new SpendStore(rpc);
    this.review = new ReviewStore(rpc);
    this.compaction = new CompactionStore(rpc, { say, recount });
    this.images = new ImageCache(rpc);
    const { chat, draft, attachments, askedFiles, images: imageCache } = this;
    const asked = { chat, draft, attachments, imageCache, askedFiles };
    this.questions = new QuestionQueue(rpc, asked, { say, resync });
    this.commit = new CommitStore(rpc, { say });
    this.programs = new ProgramsStore(rpc, { say });
    this.settings = new Settings(rpc);
    this.mode = new ModeStore(rpc, {
      say,
      progress: (what, advance) => this.toasts.progress(what, advance),
      recount,
    });
    this.links = new LinkResolver(rpc, this.files, this.mode);
    this.search = new SearchStore(rpc, this.files, this.mode);
    this.noRepository = new NoRepositoryStore(ports, () => rpc.reconnect(), onError);
    this.#stopListening = [
      rpc.onStatus((status) => this.#onStatus(status)),
      rpc.on('startupProgress', (stage, message, percent) =>
        this.#onStartupProgress(text(stage), text(message), number(percent)),
      ),
      rpc.on('modeChanged', () => void this.sync()),
      rpc.on(
        'settingsChanged',
        (change) => void this.#onSettingsChanged(text(fields<SettingsChange>(change).message)),
      ),
      rpc.on('streamComplete', (_id, result) => {
        void this.spend.refresh();
        this.questions.takeBack(fields<CompletionResult>(result).undelivered);
      }),
      rpc.on('sessionChanged', () => void Promise.all([this.spend.refresh(), this.trust.refresh()])),
      rpc.on('filesModified', (paths) => {
        if (this.selection.concerns(strings(paths))) void this.breakdown.refresh();
        this.#refreshStandings();
      }),
      rpc.on('editsChanged', (id) => this.#onEditsChanged(text(id))),
      rpc.on('binaryFilesSkipped', (event) => this.#onFilesSkipped(strings(fields(event).paths))),
      this.draft.subscribe(() => this.#updateBreakdown()),
      this.draft.subscribe(() => this.urls.setText(this.draft.text)),
      this.attachments.subscribe(() => this.#updateBreakdown()),
      this.chat.subscribe(() => this.#onChatChanged()),
      rpc.on('excludedFilesChanged', () => void this.breakdown.refresh()),
      this.selection.subscribe(() => this.changed()),
      this.edits.subscribe(() => this.changed()),
      this.files.subscribe(() => this.#refreshStaged()),
    ];
    this.#updateBreakdown();
    if (rpc.connected) this.#onStatus(rpc.status);
  }

  get status(): Status {
    const { state } = this.rpc.status;
    if (state === 'refused') return 'error';
    if (state !== 'open') return this.isLoaded || state === 'waiting' ? 'offline' : 'starting';
    if (!this.isLoaded) return this.problem ? 'error' : 'starting';
    if (this.chat.stream) return 'streaming';
    return this.progress ? 'starting' : 'ready';
  }

  /** The panel can be used (its state is loaded), even while the connection is lost. */
  get isUsable(): boolean {
    return this.isLoaded && this.rpc.status.state !== 'refused';
  }

  /** The server refused because the folder is in no repository. */
  get lacksRepository(): boolean {
    const { status } = this.rpc;
    return status.state === 'refused' && status.code === NO_REPOSITORY;
  }

  /** Fetches the whole state; of several concurrent calls the last one wins. */
  async sync(): Promise<void> {
    this.#asked += 1;
    this.#askedAt = Date.now();
    const mine = this.#asked;
    const { sending, sent } = this.chat;
    try {
      const state = fields<CurrentState>(await this.rpc.rpcExtract('LLMService.get_current_state'));
      // The state is fetched again once a new conversation has begun.
      if (mine === this.#asked && !this.chat.isStarting) {
        if (sending || this.chat.sent !== sent) {
          await this.chat.sending;
          return await this.sync();
        }
        this.#adopt(state);
      }
    } catch (error) {
      if (mine !== this.#asked || !this.rpc.connected) return;
      this.problem = error instanceof Error ? error.message : String(error);
      this.changed();
      return;
    }
    const { files, breakdown, compaction, spend, trust, snippets, mode, context } = this;
    await Promise.all(
      [files, breakdown, compaction, spend, trust, snippets, mode, context].map((store) => store.refresh()),
    );
    this.#refreshStaged();
  }

  /** Called when the page gets the focus: other hosts, editors and git may have changed something. */
  async syncIfStale(): Promise<void> {
    const isRecent = Date.now() - this.#askedAt < STALE_MS;
    if (this.status === 'ready' && !isRecent) await this.sync();
  }

  /** Called when the pointer or the focus enters the panel: git in a terminal may have changed files, or made a repository. */
  refreshStandings(): void {
    if (Date.now() - this.#glancedAt < STANDINGS_STALE_MS) return;
    if (this.status === 'ready') this.#refreshStandings();
    if (!this.lacksRepository) return;
    this.#glancedAt = Date.now();
    void this.noRepository.refresh();
  }

  /** Sends or queues the draft, once what it mentions is added; not when that fails. */
  async ask(): Promise<void> {
    const admission = this.mentions?.admit();
    if (admission && !(await admission)) return;
    await this.questions.ask();
    void this.context.refresh();
  }

  /** Asks whether the folder, which is in no repository, is to become one. */
  async offerRepository(): Promise<void> {
    await this.noRepository.refresh();
    const { nearby, problem } = this.noRepository;
    const why = problem || nearby?.refusal;
    if (why) this.toasts.show('warning', why);
    else this.noRepository.ask(true);
  }

  /** Makes the store of the agent's runs, once. */
  openAgent(make: (session: Session) => AgentStore): void {
    if (this.agent) return;
    this.agent = make(this);
    this.changed();
  }

  /** Adds images to the question being typed. */
  attach(files: readonly ImageFile[]): void {
    if (this.rpc.offers('LLMService.put_image')) void this.attachments.add(files);
    else this.toasts.show('warning', t('This server takes no images.'));
  }

  dispose(): void {
    this.#asked += 1;
    for (const stop of this.#stopListening) stop();
    const { chat, edits, breakdown, selection, history, review, commit, compaction, context } = this;
    const { files, urls, mode, links, search, snippets, noRepository, toasts } = this;
    const conversation = [chat, edits, breakdown, selection, history, review, commit, compaction, context];
    const others = [files, urls, mode, links, search, snippets, noRepository, toasts];
    for (const store of [...conversation, ...others, this.agent]) store?.dispose();
  }

  #onChatChanged(): void {
    const { sessionId, lastAsked } = this.chat;
    if (sessionId) this.draft.switchTo({ sessionId, lastAsked });
    else this.draft.leave();
    this.questions.advance();
    this.changed();
  }

  #refreshStandings(): void {
    this.#glancedAt = Date.now();
    const isApplied = ({ edits }: Message) => edits.list.some(({ outcome }) => outcome?.status === 'applied');
    void this.edits.refreshStandings(this.chat.messages.filter(isApplied).map(({ requestId }) => requestId));
  }

  /** Called after the tree has changed: files that were not staged with their edit may be staged by now. */
  #refreshStaged(): void {
    const unstaged = this.chat.messages.flatMap(({ edits }) =>
      edits.list.flatMap(({ outcome, newPath, path }) => (outcome?.filter ? newPath || path : [])),
    );
    this.edits.setStaged([...new Set(unstaged)].filter((path) => this.files.isStaged(path)));
  }

  #updateBreakdown(): void {
    this.breakdown.setQuestion(this.draft.text, this.attachments.images.length);
  }

  #onStatus(status: LinkStatus): void {
    if (status.state === 'open') {
      this.problem = '';
      if (!status.first && this.isLoaded) this.toasts.show('success', t('Reconnected'));
      this.#opening = this.#open();
      void this.#opening.then((isOpen) => (isOpen ? this.sync() : undefined));
    }
    if (status.state === 'waiting' || status.state === 'refused') {
      this.commit.onDisconnect();
      this.problem = status.reason;
      if (status.code === ABNORMAL_CLOSURE) void this.#diagnose();
      if (this.lacksRepository) void this.noRepository.refresh();
    }
    this.changed();
  }

  /** @returns whether the connection is in this session's conversation now */
  async #open(): Promise<boolean> {
    try {
      await this.ports.openConversation?.(this.rpc);
      return true;
    } catch (error) {
      if (!this.rpc.connected) return false;
      // What is asked from here on would go to another conversation.
      this.isLoaded = false;
      this.problem = error instanceof Error ? error.message : String(error);
      this.changed();
      return false;
    }
  }

  /** Finds the reason by plain HTTP: the browser doesn't say why a WebSocket failed. */
  async #diagnose(): Promise<void> {
    const reason = await this.ports.diagnose().catch(() => '');
    if (!reason || this.rpc.connected || this.problem === '') return;
    this.problem = reason;
    this.changed();
  }

  #adopt(state: Fields<CurrentState>): void {
    const model = fields<ModelState>(state.model);
    this.isLoaded = true;
    this.problem = '';
    this.repoName = text(state.repo_name);
    this.repoRoot = text(state.repo_root);
    this.hasGit = state.has_git !== false;
    this.draft.setKey(this.ports.draftKey(this.repoRoot));
    this.model = {
      name: text(model.name),
      isDemo: model.demo === true,
      isAvailable: model.available !== false,
      message: text(model.message),
    };
    this.versionNote = versionNote(this.ports.version, text(state.version), number(state.protocol));
    if (state.init_complete === true) this.progress = null;
    this.selection.adopt(strings(state.selected_files), strings(state.ticked_by_program));
    this.files.excluded.adopt(strings(state.excluded_index_files));
    this.urls.adopt(state.urls, text(state.urls_fetch));
    this.review.adopt(state.review_state);
    this.edits.adopt(state);
    const lost = this.chat.restore(state);
    if (lost) {
      this.questions.restore(lost);
      this.toasts.show('warning', t('Your question did not arrive; it is back in the input.'));
    }
    this.#refreshStandings();
    this.changed();
  }

  #onStartupProgress(stage: string, message: string, percent: number): void {
    if (isIndexing(stage)) return;
    this.progress = stage === 'ready' || percent >= 100 ? null : { message: message || stage, percent };
    this.changed();
  }

  /** The settings were changed on another page or on disk. */
  async #onSettingsChanged(message: string): Promise<void> {
    if (message) this.toasts.show('warning', message);
    await Promise.all([this.sync(), this.settings.refresh()]);
  }

  #onTurnEnd(result: Fields<CompletionResult>, isOurs: boolean): void {
    if (strings(result.files_modified).length) void this.files.refresh();
    if (isOurs) this.draft.restore(text(result.retry_prompt));
  }

  /** Removes a prepared retry question from the input when none of its edits has failed any more. */
  #onEditsChanged(id: string): void {
    const answer = this.chat.messages.find(({ role, requestId }) => role === 'assistant' && requestId === id);
    if (!answer || summarizeEdits(answer.edits).failures.length) return;
    if (this.draft.text === answer.edits.retryPrompt) this.draft.set('');
  }

  #onFilesSkipped(paths: string[]): void {
    const [first, ...others] = paths;
    if (!first) return;
    const more = others.length ? t(' (and %1 more)', others.length) : '';
    this.toasts.show('warning', t("%1%2 can't be sent: not text.", first, more));
  }
}
