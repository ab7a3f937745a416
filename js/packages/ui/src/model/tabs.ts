/**
 * The conversations of a panel side by side: the one that all panels of the repository show, and others that it has
 * opened by their ids, each over a connection of its own. Kept in the page's storage, so that a reload restores them.
 */

import type { LoadedSession, Rpc, ToolCallRow } from '@jupyter-ac/link/rpc';
import { N_, t } from '@jupyter-ac/messages';
import type { Session } from './session.ts';
import { type Dispose, Store } from './store.ts';
import { type KeyValueStorage, StoredDrafts } from './stored-drafts.ts';
import { fields, list, text } from './wire.ts';

/** Each has a connection of its own, and the state of a panel. */
export const MAX_TABS = 8;
const UNNAMED = t('New conversation');
const COMPLETE = N_('An answer is complete in “%1”.');
const FAILED = N_('An answer has failed in “%1”.');
const LOST = t('A conversation that was open in a tab is no longer in the history.');

/** What goes on in a conversation, in the order of importance; '' for nothing. */
export type Mark = 'asking' | 'running' | 'unread' | '';

export interface TabConnection {
  readonly session: Session;
  disconnect(): void;
}

/** A conversation to be opened over a connection of its own. */
export interface Beside {
  readonly id: string;
  open(rpc: Rpc): Promise<void>;
}

export interface TabPorts<Connection extends TabConnection> {
  connect(beside: Beside): Connection;
  /** Puts a connection's conversation into the panel. */
  show(connection: Connection): void;
  readonly storage: KeyValueStorage;
  /** Storage key of the drafts of the panel's first conversation. */
  draftKey(root: string): string;
}

export interface Tab<Connection extends TabConnection = TabConnection> {
  /** '' for the conversation that all panels of the repository show. */
  readonly id: string;
  readonly connection: Connection;
  readonly name: string;
  readonly mark: Mark;
}

interface OpenTab<Connection extends TabConnection> extends Tab<Connection> {
  name: string;
  mark: Mark;
  /** The last answer that began here ended while another tab was shown. */
  isUnread: boolean;
  wasRunning: boolean;
  /** Session to open when the connection's session doesn't know its own yet; '' for a new one. */
  wanted: string;
  stopListening: Dispose;
}

export class TabsStore<Connection extends TabConnection = TabConnection> extends Store {
  /** One sentence on what has just happened in a tab that isn't shown; for screen readers. */
  news = '';
  #tabs: OpenTab<Connection>[] = [];
  #active: OpenTab<Connection>;
  /** Names that the user has given, and first questions, by session. */
  readonly #names = new Map<string, string>();
  /** As it was when the listeners heard of a change last. */
  #obstacle = '';
  /** What is in the storage. */
  #written = '';
  #isRestored = false;
  #isDisposed = false;

  /** @param first the connection to the conversation that all panels show */
  constructor(
    first: Connection,
    private readonly ports: TabPorts<Connection>,
  ) {
    super();
    this.#active = this.#add('', first, '');
    this.#restoreOnceLoaded();
  }

  get tabs(): readonly Tab<Connection>[] {
    return this.#tabs;
  }

  get active(): Tab<Connection> {
    return this.#active;
  }

  /** The server has conversations side by side. */
  get isOffered(): boolean {
    return this.#tabs.some(({ connection }) => connection.session.rpc.offers('LLMService.open_conversation'));
  }

  /** Why no other conversation can be opened; '' while one can. */
  get obstacle(): string {
    if (this.#tabs.length >= MAX_TABS)
      return t('%1 conversations are open: close one of them first.', MAX_TABS);
    return this.isOffered ? '' : t('This server shows one conversation only, or there is no connection.');
  }

  /** Shows a conversation in a tab of its own, by its session's id; '' for a new one. */
  open(sessionId: string): void {
    const known = this.tabOf(sessionId);
    if (known) this.activate(known);
    else if (this.obstacle) this.#active.connection.session.toasts.show('warning', this.obstacle);
    else this.#open(sessionId);
  }

  #open(sessionId: string): void {
    const from = this.#active;
    const tab = this.#connect(newId(), sessionId, from.connection.session.chat.sessionId);
    const { session } = tab.connection;
    session.draft.set(this.#drafts.take({ sessionId, lastAsked: sessionId }));
    this.activate(tab);
    const stop = session.subscribe(() => {
      if (session.isLoaded) stop();
      else if (session.rpc.connected && session.problem) {
        stop();
        const reason = session.problem;
        this.close(tab, from);
        this.#active.connection.session.toasts.show('error', reason);
      }
    });
  }

  /** The tab that shows a session; null for none. */
  tabOf(sessionId: string): Tab<Connection> | null {
    if (!sessionId) return null;
    return this.#tabs.find((tab) => sessionOf(tab) === sessionId) ?? null;
  }

  activate(wanted: Tab): void {
    const tab = this.#tabs.find((one) => one.id === wanted.id);
    if (!tab || tab === this.#active) return;
    this.#active = tab;
    tab.isUnread = false;
    this.news = '';
    this.#update(tab);
    this.ports.show(tab.connection);
    this.#keep();
    this.changed();
  }

  /** Closes a tab, but not the last one. The conversation stays in the history, and a running answer goes on. */
  close(closed: Tab, next?: Tab): void {
    const at = this.#tabs.findIndex((one) => one.id === closed.id);
    const tab = this.#tabs[at];
    if (!tab || this.#tabs.length < 2) return;
    this.#tabs = this.#tabs.filter((one) => one !== tab);
    const neighbour = next ?? this.#tabs[Math.min(at, this.#tabs.length - 1)];
    if (tab === this.#active && neighbour) this.activate(neighbour);
    tab.stopListening();
    const { session } = tab.connection;
    const { sessionId, lastAsked, stream } = session.chat;
    if (sessionId && tab.id) this.#drafts.save({ sessionId, lastAsked }, session.draft.text);
    tab.connection.disconnect();
    if (tab.id) this.ports.storage.removeItem(session.ports.draftKey(session.repoRoot));
    if (stream)
      this.#active.connection.session.toasts.show(
        'info',
        t('The answer goes on; the conversation is in the list of earlier ones.'),
      );
    this.#keep();
    this.changed();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const tab of this.#tabs) {
      tab.stopListening();
      tab.connection.disconnect();
    }
  }

  get #drafts(): StoredDrafts {
    const { repoRoot } = this.#active.connection.session;
    return new StoredDrafts(this.ports.storage, this.ports.draftKey(repoRoot));
  }

  #connect(id: string, wanted: string, from = ''): OpenTab<Connection> {
    const open = async (rpc: Rpc): Promise<void> => {
      // A new one begins with the ticks of the conversation from which it is opened.
      if (!tab.wanted && from)
        await rpc.rpcExtract('LLMService.open_conversation', from).catch(() => undefined);
      const opened = await rpc.rpcExtract('LLMService.open_conversation', sessionOf(tab));
      tab.wanted = text(fields<LoadedSession>(opened).session_id);
    };
    const tab: OpenTab<Connection> = this.#add(id, this.ports.connect({ id, open }), wanted);
    return tab;
  }

  #add(id: string, connection: Connection, wanted: string): OpenTab<Connection> {
    const { session } = connection;
    const tab: OpenTab<Connection> = {
      id,
      connection,
      name: UNNAMED,
      mark: '',
      isUnread: false,
      wasRunning: false,
      wanted,
      stopListening: () => {},
    };
    const stops = [
      session.subscribe(() => this.#onChange(tab)),
      session.history.subscribe(() => this.#onHistory(session)),
    ];
    tab.stopListening = () => {
      for (const stop of stops) stop();
    };
    this.#tabs = [...this.#tabs, tab];
    this.#update(tab);
    return tab;
  }

  #onChange(tab: OpenTab<Connection>): void {
    const before = `${tab.name}\n${tab.mark}`;
    const isRunning = tab.connection.session.chat.stream !== null;
    if (tab.wasRunning && !isRunning && tab !== this.#active) {
      tab.isUnread = true;
      this.news = t(hasFailed(tab.connection.session) ? FAILED : COMPLETE, tab.name);
    }
    tab.wasRunning = isRunning;
    tab.wanted = sessionOf(tab);
    this.#update(tab);
    if (tab.mark === 'asking' && tab !== this.#active && !before.endsWith('\nasking'))
      this.news = t('The agent asks something in “%1”.', tab.name);
    this.#keep();
    if (`${tab.name}\n${tab.mark}` === before && this.obstacle === this.#obstacle) return;
    this.#obstacle = this.obstacle;
    this.changed();
  }

  #onHistory({ history }: Session): void {
    for (const { id, title, preview } of history.sessions ?? []) this.#names.set(id, title || preview);
    for (const tab of this.#tabs) this.#update(tab);
    this.changed();
  }

  #update(tab: OpenTab<Connection>): void {
    const { session } = tab.connection;
    tab.name = this.#names.get(sessionOf(tab)) || firstQuestion(session) || UNNAMED;
    tab.mark = isAsking(session) ? 'asking' : session.chat.stream ? 'running' : tab.isUnread ? 'unread' : '';
  }

  #restoreOnceLoaded(): void {
    const { session } = this.#active.connection;
    const look = (): void => {
      if (this.#isRestored || this.#isDisposed || !session.isLoaded) return;
      stop();
      this.#isRestored = true;
      if (this.isOffered) this.#restore();
    };
    const stop = session.subscribe(look);
    look();
  }

  #restore(): void {
    const kept = this.#read();
    const [first] = this.#tabs;
    if (!first || !kept.tabs.length) return;
    for (const { id, session } of kept.tabs) {
      if (id && this.#tabs.length < MAX_TABS) this.#closeIfLost(this.#connect(id, session));
    }
    const active = this.#tabs.find(({ id }) => id === kept.active);
    if (active) this.activate(active);
    if (!kept.tabs.some(({ id }) => id === '')) this.close(first);
    void this.#active.connection.session.history.refresh();
    this.changed();
  }

  /** Closes a restored tab whose conversation was deleted meanwhile. */
  #closeIfLost(tab: OpenTab<Connection>): void {
    const { session } = tab.connection;
    const stop = session.subscribe(() => {
      if (session.isLoaded) stop();
      else if (session.rpc.connected && session.problem) {
        stop();
        this.close(tab);
        this.#active.connection.session.toasts.show('warning', LOST);
      }
    });
  }

  get #key(): string {
    return `${this.ports.draftKey(this.#active.connection.session.repoRoot)}:tabs`;
  }

  #keep(): void {
    if (!this.#isRestored || this.#isDisposed || !this.#active.connection.session.repoRoot) return;
    const tabs = this.#tabs.map((tab) => ({ id: tab.id, session: tab.id ? sessionOf(tab) : '' }));
    const isPlain = tabs.length === 1 && tabs[0]?.id === '';
    const written = isPlain ? '' : JSON.stringify({ tabs, active: this.#active.id });
    if (written === this.#written) return;
    this.#written = written;
    try {
      if (written) this.ports.storage.setItem(this.#key, written);
      else this.ports.storage.removeItem(this.#key);
    } catch {
      // The storage is full or forbidden: the tabs hold for this page.
    }
  }

  #read(): { tabs: { id: string; session: string }[]; active: string } {
    this.#written = this.ports.storage.getItem(this.#key) ?? '';
    try {
      const kept = fields<{ tabs: unknown; active: unknown }>(JSON.parse(this.#written || '{}'));
      const tabs = list(kept.tabs)
        .map(fields<{ id: unknown; session: unknown }>)
        .map(({ id, session }) => ({ id: text(id), session: text(session) }))
        .filter(({ id, session }) => !id || session);
      return { tabs, active: text(kept.active) };
    } catch {
      return { tabs: [], active: '' };
    }
  }
}

function sessionOf(tab: OpenTab<TabConnection>): string {
  return tab.connection.session.chat.sessionId || tab.wanted;
}

function firstQuestion({ chat }: Session): string {
  const first = chat.earlier ? undefined : chat.messages.find(({ role }) => role === 'user');
  return first?.content.trim().split('\n', 1)[0]?.slice(0, 100) ?? '';
}

function hasFailed({ chat }: Session): boolean {
  return chat.messages.findLast(({ role }) => role === 'assistant')?.state === 'error';
}

/** A call of the running agent waits for the user. */
function isAsking({ chat, agent }: Session): boolean {
  const id = chat.stream?.requestId;
  const answer =
    id && chat.messages.findLast(({ requestId, role }) => role === 'assistant' && requestId === id);
  if (!id || !answer) return false;
  const calls = list(answer.run?.calls).map(fields<ToolCallRow>);
  const isWaiting = calls.some(
    ({ status, call_id }) => status === 'waiting' && !agent?.isDecided(id, text(call_id)),
  );
  return isWaiting || !!agent?.pendingOf(id, []).length;
}

function newId(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, '0');
}
