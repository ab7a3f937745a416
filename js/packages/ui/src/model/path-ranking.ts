/** Ranks paths by how well they match a query. Pure. */

import { rankOf, SUBSEQUENCE } from './path-filter.ts';

interface Fit {
  readonly rank: number;
  readonly path: string;
}

/** Collects paths and keeps the best matches. */
export class PathRanking {
  readonly #query: string;
  #found: Fit[] = [];

  constructor(
    query: string,
    private readonly most: number,
  ) {
    this.#query = query.toLowerCase().replace(/^(?:\.\/)+/, '');
  }

  /** Adds a path if it matches. */
  add(path: string): void {
    const rank = rankOf(this.#query, path.toLowerCase());
    if (rank === null) return;
    this.#found.push({ rank, path });
    if (this.#found.length > 8 * this.most) this.#found = this.#sorted();
  }

  get best(): readonly string[] {
    return this.#sorted().map(({ path }) => path);
  }

  /** The best match is only a subsequence match, not a literal one. */
  get isFuzzy(): boolean {
    return (this.#sorted()[0]?.rank ?? 0) >= SUBSEQUENCE;
  }

  #sorted(): Fit[] {
    const better = (one: Fit, other: Fit) =>
      one.rank - other.rank ||
      one.path.length - other.path.length ||
      (one.path < other.path ? -1 : Number(one.path !== other.path));
    return this.#found.sort(better).slice(0, this.most);
  }
}
