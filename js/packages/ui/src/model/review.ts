/** Store of the open review, whichever host started it, and of ending it. */

import type { ReviewDetails, ReviewRestored, ReviewState, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import type { FileLocation } from './file-location.ts';
import {
  parseReviewedFiles,
  parseReviewNumbers,
  type ReviewedFile,
  type ReviewNumbers,
} from './review-changes.ts';
import { type Dispose, Store } from './store.ts';
import { fields, text } from './wire.ts';

export interface OpenReview {
  readonly branch: string;
  /** What ending it checks out: a branch, or a short commit hash. */
  readonly original: string;
  /** Full hash of the commit that the branch is compared with. */
  readonly parent: string;
  /** Full hash of the branch's last commit. */
  readonly tip: string;
  /** When it was started; null when it isn't known. */
  readonly since: Date | null;
}

export class ReviewStore extends Store {
  open: OpenReview | null = null;
  /** Null until they are known. */
  numbers: ReviewNumbers | null = null;
  /** The files that the branch changes, sorted by path. */
  changes: readonly ReviewedFile[] = [];
  /** The server's message when it can't determine the state; '' otherwise. */
  problem = '';
  /** Result of ending a review, until the user closes it; '' for none. */
  outcome = '';
  isEnding = false;
  /** The last attempt to end it failed or got no answer. */
  #hasFailed = false;
  #arguments: [string, string | null] = ['', null];
  #range = '';
  #byPath: ReadonlyMap<string, ReviewedFile> = new Map();
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

  /** The changed file with this path; undefined when the review doesn't change it. */
  file(path: string): ReviewedFile | undefined {
    return this.open ? this.#byPath.get(path) : undefined;
  }

  /** Where a location opens: a line of a changed file opens in the diff of the review. */
  located(location: FileLocation): FileLocation {
    const isLine = location.line > 0 && !location.isDiff && location.mapFor === undefined;
    return isLine && this.file(location.path) ? { ...location, isReview: true } : location;
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
          parent: text(state.parent_commit),
          tip: text(state.branch_tip),
          original: branch || text(state.original_sha).slice(0, 7),
          since: Number.isNaN(since.getTime()) ? null : since,
        }
      : null;
    this.problem = isActive ? '' : text(state.message);
    this.#arguments = [text(state.branch_tip), branch || null];
    const span = isActive ? `${text(state.parent_commit)} ${text(state.branch_tip)}` : '';
    if (span !== this.#range) {
      this.#range = span;
      this.#adoptDetails({});
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
    this.outcome = message || t('The review is over.');
  }

  /** Loads commits and files; once per range, since the diff of two commits never changes. */
  async #load(span: string): Promise<void> {
    if (!this.rpc.offers('LLMService.get_review_state')) return;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_review_state'));
    if (error || span !== this.#range) return;
    this.#adoptDetails(fields<ReviewDetails>(value));
    this.changed();
  }

  #adoptDetails({ changed_files, stats }: { changed_files?: unknown; stats?: unknown }): void {
    this.changes = parseReviewedFiles(changed_files);
    this.numbers = parseReviewNumbers(stats);
    this.#byPath = new Map(this.changes.map((file) => [file.path, file]));
  }
}
