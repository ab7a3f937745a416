/** Store of the history: list, search, load, name, delete and export of earlier conversations. */

import type {
  ExportedSession,
  ListedSession,
  RenamedSession,
  Rpc,
  SessionMatches,
} from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

const MAX_ROWS = 50;
/** Debounce of the search. */
const TYPING_MS = 250;

export interface PastSession {
  readonly id: string;
  /** Last use in milliseconds since 1970; 0 when it isn't known. */
  readonly time: number;
  readonly count: number;
  /** Beginning of its first question. */
  readonly preview: string;
  /** The name that the user has given it; '' for none. */
  readonly title: string;
  /** It was held outside the panel: in a notebook's cells or a terminal. */
  readonly isFromCell: boolean;
  /** It carries this user's signature, or they trust it; others are read-only. */
  readonly isTrusted: boolean;
}

/** A conversation that matches the search. */
export interface SearchHit {
  readonly sessionId: string;
  /** Whether the newest matching message is a question; the fields below are about that message, too. */
  readonly isQuestion: boolean;
  readonly preview: string;
  readonly time: number;
  /** Number of matching messages. */
  readonly count: number;
}

export function parseSessions(raw: unknown): PastSession[] {
  return list(raw)
    .map(fields<ListedSession>)
    .map((session) => ({
      id: text(session.session_id),
      time: timeOf(session.updated ?? session.timestamp),
      count: number(session.message_count),
      preview: text(session.preview),
      title: text(session.title),
      isFromCell: session.aside === true,
      isTrusted: session.trusted !== false,
    }))
    .filter(({ id }) => id !== '');
}

/** Groups the matching messages by conversation. */
export function parseHits(raw: unknown): SearchHit[] {
  const hits = new Map<string, SearchHit>();
  for (const row of list(raw).map(fields<SessionMatches>)) {
    const sessionId = text(row.session_id);
    const known = hits.get(sessionId);
    const count = Math.max(1, list(row.messages).length) + (known?.count ?? 0);
    hits.set(sessionId, { ...(known ?? parseHit(row)), count });
  }
  return [...hits.values()];
}

function parseHit(row: Fields<SessionMatches>): SearchHit {
  return {
    sessionId: text(row.session_id),
    isQuestion: row.role === 'user',
    preview: text(row.content_preview),
    time: timeOf(row.timestamp),
    count: 0,
  };
}

/** Seconds since 1970, or a date as text. */
function timeOf(value: unknown): number {
  if (typeof value === 'string') return Date.parse(value) || 0;
  return number(value) * 1000;
}

export type ExportFormat = 'markdown' | 'ipynb';

export interface SavedFile {
  readonly name: string;
  readonly content: string;
}

export interface HistoryPorts {
  /** Shows the conversation that the server has switched to. */
  resync(): Promise<void>;
}

export class HistoryStore extends Store {
  sessions: readonly PastSession[] | null = null;
  /** Search results; null without a search. */
  hits: readonly SearchHit[] | null = null;
  query = '';
  error = '';
  /** Id of the conversation being loaded; '' for none. */
  loading = '';
  #asked = 0;
  #typing: number | undefined;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: HistoryPorts,
  ) {
    super();
  }

  get isOffered(): boolean {
    return (
      this.rpc.offers('LLMService.history_list_sessions') &&
      this.rpc.offers('LLMService.load_session_into_context')
    );
  }

  get isSearchOffered(): boolean {
    return this.rpc.offers('LLMService.history_search');
  }

  async refresh(): Promise<void> {
    const { value, error } = await toResult(
      this.rpc.rpcExtract('LLMService.history_list_sessions', MAX_ROWS),
    );
    if (!error) this.sessions = parseSessions(value);
    this.error = error;
    this.changed();
  }

  /** Searches after a pause in typing; '' ends the search. */
  search(query: string): void {
    this.query = query;
    this.#asked += 1;
    clearTimeout(this.#typing);
    if (query.trim()) this.#typing = setTimeout(() => void this.#find(query.trim()), TYPING_MS);
    else this.hits = null;
    this.changed();
  }

  /** @returns whether the conversation has been loaded */
  async load(id: string): Promise<boolean> {
    if (this.loading) return false;
    this.loading = id;
    this.changed();
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.load_session_into_context', id));
    if (!error) void this.ports.resync();
    this.loading = '';
    this.error = error;
    this.changed();
    return !error;
  }

  get isManagementOffered(): boolean {
    return this.rpc.offers('LLMService.rename_session') && this.rpc.offers('LLMService.delete_session');
  }

  /** @param title - '' takes the name away */
  async rename(id: string, title: string): Promise<boolean> {
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.rename_session', id, title));
    const kept = text(fields<RenamedSession>(value).title);
    if (!error) this.#replace((session) => (session.id === id ? { ...session, title: kept } : session));
    this.error = error;
    this.changed();
    return !error;
  }

  /** Deletes a conversation for good; a new one begins if it was the present one. */
  async remove(id: string): Promise<boolean> {
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.delete_session', id));
    if (!error) {
      this.sessions = this.sessions?.filter((session) => session.id !== id) ?? null;
      this.hits = this.hits?.filter(({ sessionId }) => sessionId !== id) ?? null;
    }
    this.error = error;
    this.changed();
    return !error;
  }

  get isExportOffered(): boolean {
    return this.rpc.offers('LLMService.export_session');
  }

  /** @returns the file to save; null on failure, with the reason in `error` */
  async export(id: string, format: ExportFormat): Promise<SavedFile | null> {
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.export_session', id, format));
    this.error = error;
    this.changed();
    const { filename, content } = fields<ExportedSession>(value);
    return error ? null : { name: text(filename, 'conversation.md'), content: text(content) };
  }

  /** Clears the search and the error before the list is opened again. */
  reset(): void {
    this.search('');
    this.error = '';
  }

  dispose(): void {
    this.#asked += 1;
    clearTimeout(this.#typing);
  }

  #replace(update: (session: PastSession) => PastSession): void {
    this.sessions = this.sessions?.map(update) ?? null;
  }

  async #find(query: string): Promise<void> {
    const mine = this.#asked;
    const { value, error } = await toResult(
      this.rpc.rpcExtract('LLMService.history_search', query, null, MAX_ROWS),
    );
    if (mine !== this.#asked) return;
    this.hits = error ? [] : parseHits(value);
    this.error = error;
    this.changed();
  }
}
