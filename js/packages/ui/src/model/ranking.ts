/** Which paths fit a query best. Pure. */

import { isSubsequence } from './filter.ts';

interface Fit {
  readonly rank: number;
  readonly path: string;
}

const SCATTERED = 4;

/** Keeps the best of the paths that it is shown. */
export class Ranking {
  readonly #query: string;
  #found: Fit[] = [];

  constructor(
    query: string,
    private readonly most: number,
  ) {
    this.#query = query.toLowerCase().replace(/^(?:\.\/)+/, '');
  }

  /** Looks at one path more. */
  look(path: string): void {
    const rank = rankOf(this.#query, path.toLowerCase());
    if (rank === null) return;
    this.#found.push({ rank, path });
    if (this.#found.length > 8 * this.most) this.#found = this.#sorted();
  }

  get best(): readonly string[] {
    return this.#sorted().map(({ path }) => path);
  }

  /** The query stands in none of the paths as it is written: only its letters do, in this order. */
  get isVague(): boolean {
    return (this.#sorted()[0]?.rank ?? 0) >= SCATTERED;
  }

  #sorted(): Fit[] {
    const better = (one: Fit, other: Fit) =>
      one.rank - other.rank ||
      one.path.length - other.path.length ||
      (one.path < other.path ? -1 : Number(one.path !== other.path));
    return this.#found.sort(better).slice(0, this.most);
  }
}

/** Less is better: the name, its beginning, a part of it, a part of the path, its letters in order. */
function rankOf(query: string, path: string): number | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path === query || name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (name.includes(query)) return 2;
  if (path.includes(query)) return 3;
  if (isSubsequence(query, name)) return SCATTERED;
  return isSubsequence(query, path) ? SCATTERED + 1 : null;
}
