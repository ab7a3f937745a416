/** Earlier conversations: the list, the search through them, taking one up again. */

import type { ExportedSession, ListedSession, Rpc, SessionMatches } from '@jupyter-ac/link/rpc';
import { Store } from './store.ts';
import { told } from './told.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

const MOST = 50;
/** A pause in typing after which the search is made. */
const TYPING_MS = 250;

export interface PastSession {
  readonly id: string;
  /** When it was used last, in milliseconds since 1970; 0 when it isn't known. */
  readonly time: number;
  readonly count: number;
  /** How it begins. */
  readonly preview: string;
  /** It was held beside the panel: asked from a notebook's cells. */
  readonly isAside: boolean;
  /** The person has kept it here, or trusts it; another one is only shown. */
  readonly isTrusted: boolean;
}

/** A conversation that has what was searched for. */
export interface Hit {
  readonly sessionId: string;
  /** Of the newest message that has it, as are the members below. */
  readonly isQuestion: boolean;
  readonly preview: string;
  readonly time: number;
  /** How many of its messages have it. */
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
      isAside: session.aside === true,
      isTrusted: session.trusted !== false,
    }))
    .filter(({ id }) => id !== '');
}

/** One row a conversation; rows of single messages are gathered. */
export function parseHits(raw: unknown): Hit[] {
  const hits = new Map<string, Hit>();
  for (const row of list(raw).map(fields<SessionMatches>)) {
    const sessionId = text(row.session_id);
    const known = hits.get(sessionId);
    const count = Math.max(1, list(row.messages).length) + (known?.count ?? 0);
    hits.set(sessionId, { ...(known ?? parseHit(row)), count });
  }
  return [...hits.values()];
}

function parseHit(row: Fields<SessionMatches>): Hit {
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
  /** Shows the conversation that the server has taken up. */
  resync(): Promise<void>;
}

export class HistoryStore extends Store {
  sessions: readonly PastSession[] | null = null;
  /** What was found; null while nothing is searched for. */
  hits: readonly Hit[] | null = null;
  query = '';
  error = '';
  /** The conversation being taken up. */
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
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.history_list_sessions', MOST));
    if (!error) this.sessions = parseSessions(value);
    this.error = error;
    this.changed();
  }

  /** Searches after a pause in typing; '' shows the list again. */
  search(query: string): void {
    this.query = query;
    this.#asked += 1;
    clearTimeout(this.#typing);
    if (query.trim()) this.#typing = setTimeout(() => void this.#find(query.trim()), TYPING_MS);
    else this.hits = null;
    this.changed();
  }

  /** @returns whether the conversation is on show now */
  async load(id: string): Promise<boolean> {
    if (this.loading) return false;
    this.loading = id;
    this.changed();
    const { error } = await told(this.rpc.rpcExtract('LLMService.load_session_into_context', id));
    if (!error) void this.ports.resync();
    this.loading = '';
    this.error = error;
    this.changed();
    return !error;
  }

  get isExportOffered(): boolean {
    return this.rpc.offers('LLMService.export_session');
  }

  /** @returns the file to be saved; null when there is none, and `error` says why */
  async export(id: string, format: ExportFormat): Promise<SavedFile | null> {
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.export_session', id, format));
    this.error = error;
    this.changed();
    const { filename, content } = fields<ExportedSession>(value);
    return error ? null : { name: text(filename, 'conversation.md'), content: text(content) };
  }

  /** The next opening starts with the whole list. */
  forget(): void {
    this.search('');
    this.error = '';
  }

  dispose(): void {
    this.#asked += 1;
    clearTimeout(this.#typing);
  }

  async #find(query: string): Promise<void> {
    const mine = this.#asked;
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.history_search', query, null, MOST));
    if (mine !== this.#asked) return;
    this.hits = error ? [] : parseHits(value);
    this.error = error;
    this.changed();
  }
}
