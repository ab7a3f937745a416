/** Layout of a commit graph in lanes, and what is reachable in it. Pure. */

export interface GraphCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** How one row is drawn: lanes are numbered from the left. */
export interface LaneRow {
  /** Lane of the commit's dot. */
  readonly lane: number;
  /** Lanes that come from above and end at the dot. */
  readonly joins: readonly number[];
  /** Lanes that go on below from the dot, to its parents. */
  readonly forks: readonly number[];
  /** Lanes that only pass by. */
  readonly passing: readonly number[];
}

/**
 * Lays out commits, children before parents, row by row. The rows of earlier commits never change when further ones are
 * added. Takes time in proportion to the commits times the lanes that are open at once.
 */
export class LaneLayout {
  readonly rows: LaneRow[] = [];
  /** For each lane the commit that it leads to; '' while it is free. */
  readonly #open: string[] = [];

  add(commits: readonly GraphCommit[]): void {
    for (const commit of commits) this.rows.push(this.#place(commit));
  }

  #place({ sha, parents }: GraphCommit): LaneRow {
    const joins = this.#lanesTo(sha);
    const lane = joins[0] ?? this.#freeLane();
    for (const joined of joins) this.#open[joined] = '';
    const passing = this.#open.flatMap((target, index) => (target ? [index] : []));
    // The dot's own lane goes to its first parent, unless another lane leads there already.
    this.#open[lane] = sha;
    const forks = parents.map((parent, index) => this.#fork(parent, index === 0 ? lane : -1));
    if (this.#open[lane] === sha) this.#open[lane] = '';
    return { lane, joins, forks: [...new Set(forks)], passing };
  }

  #fork(parent: string, own: number): number {
    const known = this.#open.indexOf(parent);
    const lane = known >= 0 ? known : own >= 0 ? own : this.#freeLane();
    this.#open[lane] = parent;
    return lane;
  }

  #lanesTo(sha: string): number[] {
    return this.#open.flatMap((target, index) => (target === sha ? [index] : []));
  }

  #freeLane(): number {
    const free = this.#open.indexOf('');
    return free >= 0 ? free : this.#open.length;
  }
}

/** The commits that can be reached from some tips, in order. */
export function reachableFrom<Commit extends GraphCommit>(
  commits: readonly Commit[],
  tips: Iterable<string>,
): Commit[] {
  const reached = new Set(tips);
  return commits.filter(({ sha, parents }) => {
    if (!reached.has(sha)) return false;
    for (const parent of parents) reached.add(parent);
    return true;
  });
}

/** The hashes of a commit and of all that are built on it, as far as they are among `commits`. */
export function descendantsOf(commits: readonly GraphCommit[], sha: string): ReadonlySet<string> {
  const found = new Set([sha]);
  for (const commit of commits.toReversed()) {
    if (commit.parents.some((parent) => found.has(parent))) found.add(commit.sha);
  }
  return found;
}
