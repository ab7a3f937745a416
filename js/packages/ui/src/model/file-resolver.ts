/** Resolves a written path, or a unique end of one, to a file of the repository. */

import type { PathResolver } from './mentions.ts';
import type { Tree } from './tree.ts';

/** At most this many files of the same name are searched. */
const MAX_PER_NAME = 50;

export class FileResolver implements PathResolver {
  #byName: Map<string, string[]> | null = null;
  #size = -1;

  /** @param tree - called for each lookup, so the tree may be replaced */
  constructor(private readonly tree: () => Tree) {}

  resolve(written: string): string {
    const path = written.replace(/^(?:\.\/)+/, '');
    const { files } = this.tree();
    if (files.has(path)) return path;
    const name = path.slice(path.lastIndexOf('/') + 1);
    // A name without a dot is most likely a word: it counts only as a full path, checked above.
    if (!name.includes('.', 1) || path.startsWith('/') || path.startsWith('../')) return '';
    const ends = (this.#names().get(name) ?? []).filter(
      (other) => other.endsWith(`/${path}`) && files.has(other),
    );
    return ends.length === 1 ? (ends[0] ?? '') : '';
  }

  /** Files by base name; built on first use, and again when the number of files has changed. */
  #names(): Map<string, string[]> {
    const { files } = this.tree();
    if (this.#byName && this.#size === files.size) return this.#byName;
    const names = new Map<string, string[]>();
    for (const path of files.keys()) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const known = names.get(name);
      if (!known) names.set(name, [path]);
      else if (known.length <= MAX_PER_NAME) known.push(path);
    }
    this.#byName = names;
    this.#size = files.size;
    return names;
  }
}
