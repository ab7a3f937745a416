/** The review that is open in the repository, whichever host began it, and the way out of it. */

import type { ReviewRestored, ReviewState, Rpc } from '@jupyter-ac/link/rpc';
import { type Dispose, Store } from './store.ts';
import { told } from './told.ts';
import { fields, list, text } from './wire.ts';

export interface OpenReview {
  readonly branch: string;
  /** What its end goes back to: a branch, or the start of a commit's hash. */
  readonly original: string;
  /** When it began; null when nobody knows. */
  readonly since: Date | null;
}

export class ReviewStore extends Store {
  open: OpenReview | null = null;
  /** How many files it changes; null while that isn't known. */
  files: number | null = null;
  /** What the server says where it can't tell; '' else. */
  trouble = '';
  /** How the last end went, until it is read; '' when there is nothing to read. */
  outcome = '';
  isEnding = false;
  /** The last wish to end it came back with an error, or not at all. */
  #hasFailed = false;
  #arguments: [string, string | null] = ['', null];
  #span = '';
  #asked = 0;
  readonly #stopListening: Dispose[];

  constructor(private readonly rpc: Rpc) {
    super();
    // Another host that begins or ends one is only heard of by the files that change.
    const events = ['reviewStarted', 'reviewEnded', 'filesModified'] as const;
    this.#stopListening = events.map((event) => rpc.on(event, () => void this.refresh()));
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('Repo.get_review_state')) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await told(this.rpc.rpcExtract('Repo.get_review_state'));
    if (!error && mine === this.#asked) this.adopt(value);
  }

  /** Takes what the server has said of itself; the newest wins. */
  adopt(raw: unknown): void {
    this.#asked += 1;
    const state = fields<ReviewState>(raw);
    const isActive = state.active === true;
    const branch = text(state.original_branch);
    const since = new Date(text(state.since));
    this.open = isActive
      ? {
          branch: text(state.branch),
          original: branch || text(state.original_sha).slice(0, 7),
          since: Number.isNaN(since.getTime()) ? null : since,
        }
      : null;
    this.trouble = isActive ? '' : text(state.message);
    this.#arguments = [text(state.branch_tip), branch || null];
    const span = isActive ? `${text(state.parent_commit)} ${text(state.branch_tip)}` : '';
    if (span !== this.#span) {
      this.#span = span;
      this.files = null;
      if (span) {
        this.outcome = '';
        void this.#count(span);
      }
    }
    if (!isActive && this.#hasFailed) this.#over('');
    this.changed();
  }

  /** Goes back to what was checked out before, and says where that is or why not. */
  async end(): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    this.outcome = '';
    this.changed();
    const { value, error } = await told(this.rpc.rpcExtract('Repo.exit_review_mode', ...this.#arguments));
    if (error) {
      this.#hasFailed = true;
      // A lost connection says so itself, and then nobody knows how it went.
      if (this.rpc.connected) this.outcome = error;
    } else this.#over(text(fields<ReviewRestored>(value).message));
    await this.refresh();
    this.isEnding = false;
    this.changed();
  }

  /** The outcome has been read. */
  close(): void {
    this.outcome = '';
    this.changed();
  }

  /** It has been ended, perhaps by somebody else who was faster. */
  #over(message: string): void {
    this.#hasFailed = false;
    this.outcome = message || 'The review is over.';
  }

  /** What lies between two commits never changes. */
  async #count(span: string): Promise<void> {
    if (!this.rpc.offers('Repo.get_review_changed_files')) return;
    const { value, error } = await told(this.rpc.rpcExtract('Repo.get_review_changed_files'));
    if (error || span !== this.#span) return;
    this.files = list(value).length;
    this.changed();
  }
}
