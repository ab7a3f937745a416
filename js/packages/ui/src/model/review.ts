/** Store of the open review, whichever host started it, and of ending it. */

import type { ReviewChange, ReviewDetails, ReviewRestored, ReviewState, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { type Dispose, Store } from './store.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

export interface OpenReview {
  readonly branch: string;
  /** Short hashes of the commit before the branch, and of the branch's last one. */
  readonly parent: string;
  readonly tip: string;
  /** What ending it checks out: a branch, or a short commit hash. */
  readonly original: string;
  /** When it was started; null when it isn't known. */
  readonly since: Date | null;
}

/** A file that the branch under review changes. */
export interface ChangedFile {
  readonly path: string;
  /** Its name before, if the branch renames it; else ''. */
  readonly oldPath: string;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
}

/** What the branch under review changes. */
export interface ReviewChanges {
  readonly files: readonly ChangedFile[];
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
}

export class ReviewStore extends Store {
  open: OpenReview | null = null;
  /** null until they are known. */
  changes: ReviewChanges | null = null;
  /** The server's message when it can't determine the state; '' otherwise. */
  problem = '';
  /** Result of ending a review, until the user closes it; '' for none. */
  outcome = '';
  isEnding = false;
  /** The last attempt to end it failed or got no answer. */
  #hasFailed = false;
  #arguments: [string, string | null] = ['', null];
  #range = '';
  #asked = 0;
  readonly #stopListening: Dispose[];

  constructor(private readonly rpc: Rpc) {
    super();
    // When another host starts or ends a review, only the change of files is noticed.
    const events = ['reviewStarted', 'reviewEnded', 'filesModified'] as const;
    this.#stopListening = events.map((event) => rpc.on(event, () => void this.refresh()));
  }

  /** A review can be begun from the panel. */
  get canStart(): boolean {
    return this.open === null && this.rpc.connected && this.rpc.offers('LLMService.start_review');
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('Repo.get_review_state')) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.rpc.rpcExtract('Repo.get_review_state'));
    if (!error && mine === this.#asked) this.adopt(value);
  }

  /** Applies a review state from the server; cancels older requests. */
  adopt(raw: unknown): void {
    this.#asked += 1;
    const state = fields<ReviewState>(raw);
    const isActive = state.active === true;
    const branch = text(state.original_branch);
    const since = new Date(text(state.since));
    this.open = isActive
      ? {
          branch: text(state.branch),
          parent: text(state.parent_commit).slice(0, 7),
          tip: text(state.branch_tip).slice(0, 7),
          original: branch || text(state.original_sha).slice(0, 7),
          since: Number.isNaN(since.getTime()) ? null : since,
        }
      : null;
    this.problem = isActive ? '' : text(state.message);
    this.#arguments = [text(state.branch_tip), branch || null];
    const span = isActive ? `${text(state.parent_commit)} ${text(state.branch_tip)}` : '';
    if (span !== this.#range) {
      this.#range = span;
      this.changes = null;
      if (span) {
        this.outcome = '';
        void this.#load(span);
      }
    }
    if (!isActive && this.#hasFailed) this.#onEnd('');
    this.changed();
  }

  /** Ends the review: checks out what was checked out before, and reports the result. */
  async end(): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    this.outcome = '';
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('Repo.exit_review_mode', ...this.#arguments));
    if (error) {
      this.#hasFailed = true;
      // After a lost connection the result is unknown, and that is reported elsewhere.
      if (this.rpc.connected) this.outcome = error;
    } else this.#onEnd(text(fields<ReviewRestored>(value).message));
    await this.refresh();
    this.isEnding = false;
    this.changed();
  }

  /** Closes the message about the result. */
  close(): void {
    this.outcome = '';
    this.changed();
  }

  /** The review was ended, by this page or another one. */
  #onEnd(message: string): void {
    this.#hasFailed = false;
    this.outcome = message || 'The review is over.';
  }

  /** Lists the changed files; once per range, since the diff of two commits never changes. */
  async #load(span: string): Promise<void> {
    if (!this.rpc.offers('LLMService.get_review_state')) return;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_review_state'));
    if (error || span !== this.#range) return;
    const { changed_files, stats } = fields<ReviewDetails>(value);
    const totals = fields<NonNullable<ReviewDetails['stats']>>(stats);
    this.changes = {
      files: list(changed_files)
        .map(fields<ReviewChange>)
        .map(parseChange),
      commits: number(totals.commit_count),
      additions: number(totals.additions),
      deletions: number(totals.deletions),
    };
    this.changed();
  }
}

function parseChange(raw: Fields<ReviewChange>): ChangedFile {
  return {
    path: text(raw.path),
    oldPath: text(raw.old_path),
    status: text(raw.status),
    additions: number(raw.additions),
    deletions: number(raw.deletions),
  };
}
