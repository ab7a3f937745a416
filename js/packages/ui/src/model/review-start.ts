/** Store of the review selector: the commit graph, what is chosen in it, and the start of a review. */

import type { BranchRow, CommitGraph, GraphRow, ReviewReadiness, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { descendantsOf, LaneLayout, type LaneRow, reachableFrom } from './commit-graph.ts';
import { Store } from './store.ts';
import { fields, list, strings, text } from './wire.ts';

const PAGE = 100;
/** The next page is fetched when so few rows are left below the viewport. */
export const PREFETCH_ROWS = 20;

export interface Commit {
  readonly sha: string;
  readonly short: string;
  readonly message: string;
  readonly author: string;
  readonly date: string;
  readonly age: string;
  readonly parents: readonly string[];
}

export interface Branch {
  readonly name: string;
  readonly sha: string;
  readonly isCurrent: boolean;
  readonly isRemote: boolean;
}

/** What would be reviewed. */
export interface Choice {
  /** The first commit of the review; '' for the whole branch. */
  readonly sha: string;
  readonly branch: string;
  /** The branches that contain the commit. */
  readonly branches: readonly string[];
  /** Number of commits from the first one to the branch's last one; 0 if it isn't known. */
  readonly count: number;
}

export class ReviewStartStore extends Store {
  commits: readonly Commit[] = [];
  branches: readonly Branch[] = [];
  hidden: ReadonlySet<string> = new Set();
  withRemotes = false;
  hasMore = false;
  isLoading = false;
  /** Why no review can begin now; '' if one can; null until it is known. */
  obstacle: string | null = null;
  choice: Choice | null = null;
  isStarting = false;
  error = '';
  #shown: readonly Commit[] = [];
  #layout = new LaneLayout();
  /** Branches by their last commit. */
  #tips: ReadonlyMap<string, readonly Branch[]> = new Map();
  #asked = 0;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** The commits of the branches that aren't hidden. */
  get shown(): readonly Commit[] {
    return this.#shown;
  }

  get lanes(): readonly LaneRow[] {
    return this.#layout.rows;
  }

  /** Branch labels at a commit. */
  tipsAt(sha: string): readonly Branch[] {
    return this.#tips.get(sha) ?? [];
  }

  /** Reads the first page, and whether a review can begin. */
  async open(): Promise<void> {
    this.choice = null;
    this.error = '';
    await Promise.all([this.check(), this.#load(0)]);
  }

  async check(): Promise<void> {
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.check_review_ready'));
    const ready = fields<ReviewReadiness>(value);
    this.obstacle =
      error || (ready.clean === true ? '' : text(ready.message, t('The working tree has changes.')));
    this.changed();
  }

  /** Reads the next page when the end of the shown rows comes near. */
  async more(lastVisible: number): Promise<void> {
    if (!this.hasMore || this.isLoading || lastVisible + PREFETCH_ROWS < this.#shown.length) return;
    await this.#load(this.commits.length);
  }

  async showRemotes(withRemotes: boolean): Promise<void> {
    this.withRemotes = withRemotes;
    this.choice = null;
    await this.#load(0);
  }

  /** Hides or shows the commits that only some branches have. */
  hide(names: Iterable<string>): void {
    this.hidden = new Set(names);
    this.#layOut();
    this.changed();
  }

  /** Chooses the first commit of the review, in the branch that shows it. */
  choose(sha: string, wanted = ''): void {
    const descendants = descendantsOf(this.commits, sha);
    const containing = this.branches.filter((one) => descendants.has(one.sha) && !this.hidden.has(one.name));
    // The branch that is checked out is what others are compared with, so another one is likelier.
    const best = containing.find((one) => !one.isCurrent) ?? containing[0];
    const branch = wanted || best?.name || '';
    const tip = this.branches.find((one) => one.name === branch)?.sha ?? '';
    this.error = branch ? '' : t('None of the shown branches contains this commit.');
    this.choice = branch
      ? { sha, branch, branches: containing.map((one) => one.name), count: this.#countTo(descendants, tip) }
      : null;
    this.changed();
  }

  /** Chooses a whole branch, from the commit where it left the one that is checked out. */
  chooseBranch(branch: string): void {
    this.error = '';
    this.choice = { sha: '', branch, branches: [branch], count: 0 };
    this.changed();
  }

  /** Begins the review; returns whether it has begun. */
  async start(): Promise<boolean> {
    const { choice } = this;
    if (!choice || this.isStarting) return false;
    this.isStarting = true;
    this.error = '';
    this.changed();
    const begin = this.rpc.rpcExtract('LLMService.start_review', choice.branch, choice.sha);
    const { error } = await toResult(begin);
    this.isStarting = false;
    this.error = error;
    this.changed();
    return !error;
  }

  /** Counts the commits of a branch that are built on a commit, that one included. */
  #countTo(descendants: ReadonlySet<string>, tip: string): number {
    return reachableFrom(this.commits, [tip]).filter(({ sha }) => descendants.has(sha)).length;
  }

  async #load(offset: number): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    this.isLoading = true;
    this.changed();
    const page = this.rpc.rpcExtract('LLMService.get_commit_graph', PAGE, offset, this.withRemotes);
    const { value, error } = await toResult(page);
    if (mine !== this.#asked) return;
    this.isLoading = false;
    this.error = error;
    if (!error) {
      const graph = fields<CommitGraph>(value);
      const commits = list(graph.commits)
        .map(fields<GraphRow>)
        .map(parseCommit);
      this.branches = list(graph.branches)
        .map(fields<BranchRow>)
        .map(parseBranch);
      const tips = new Map<string, Branch[]>();
      for (const branch of this.branches) tips.set(branch.sha, [...(tips.get(branch.sha) ?? []), branch]);
      this.#tips = tips;
      this.commits = offset ? [...this.commits, ...commits] : commits;
      this.hasMore = graph.has_more === true && commits.length > 0;
      this.#layOut();
    }
    this.changed();
  }

  /** Adds what is new to the layout, or begins anew when other rows are shown. */
  #layOut(): void {
    const visible = this.branches.filter(({ name }) => !this.hidden.has(name));
    // Without any hidden branch everything is shown, also what no branch contains.
    const shown = this.hidden.size
      ? reachableFrom(
          this.commits,
          visible.map(({ sha }) => sha),
        )
      : this.commits;
    const done = this.#layout.rows.length;
    const isLonger = done > 0 && done <= shown.length && this.#shown.every((one, at) => one === shown[at]);
    if (!isLonger) this.#layout = new LaneLayout();
    this.#layout.add(shown.slice(this.#layout.rows.length));
    this.#shown = shown;
  }
}

function parseCommit(raw: Partial<Record<keyof GraphRow, unknown>>): Commit {
  const sha = text(raw.sha);
  return {
    sha,
    short: text(raw.short_sha) || sha.slice(0, 7),
    message: text(raw.message),
    author: text(raw.author),
    date: text(raw.date),
    age: text(raw.relative_date),
    parents: strings(raw.parents),
  };
}

function parseBranch(raw: Partial<Record<keyof BranchRow, unknown>>): Branch {
  return {
    name: text(raw.name),
    sha: text(raw.sha),
    isCurrent: raw.is_current === true,
    isRemote: raw.is_remote === true,
  };
}
