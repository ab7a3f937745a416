/** Finds the file that a written path means, also where only its end is written. */

import type { KnownFiles } from './mentions.ts';
import type { Tree } from './tree.ts';

/** More files with one name aren't looked through. */
const MOST_OF_A_NAME = 50;

export class TreeFiles implements KnownFiles {
  #byName: Map<string, string[]> | null = null;
  #size = -1;

  /** @param tree - looked up at each question, so it may be replaced */
  constructor(private readonly tree: () => Tree) {}

  resolve(written: string): string {
    const path = written.replace(/^(?:\.\/)+/, '');
    const { files } = this.tree();
    if (files.has(path)) return path;
    const name = path.slice(path.lastIndexOf('/') + 1);
    // Words of prose have no dot; a lone name without one is meant as a path only where it is one.
    if (!name.includes('.', 1) || path.startsWith('/') || path.startsWith('../')) return '';
    const ends = (this.#names().get(name) ?? []).filter(
      (other) => other.endsWith(`/${path}`) && files.has(other),
    );
    return ends.length === 1 ? (ends[0] ?? '') : '';
  }

  /** All files by their last name; made when first wanted and after files have come or gone. */
  #names(): Map<string, string[]> {
    const { files } = this.tree();
    if (this.#byName && this.#size === files.size) return this.#byName;
    const names = new Map<string, string[]>();
    for (const path of files.keys()) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const known = names.get(name);
      if (!known) names.set(name, [path]);
      else if (known.length <= MOST_OF_A_NAME) known.push(path);
    }
    this.#byName = names;
    this.#size = files.size;
    return names;
  }
}
