/** Subsequence filter on paths, for the file picker. Pure. */

import type { FileNode, Folder, TreeNode } from './tree.ts';

/** Set of the matching files and their folders, filled file by file. */
export class PathMatches {
  readonly #files = new Set<string>();
  /** Number of sendable matching files below each folder, by its path. */
  readonly #sendable = new Map<string, number>();
  readonly #query: string;

  constructor(query: string) {
    this.#query = query.toLowerCase();
  }

  /** Adds a file if its path matches. */
  add(file: FileNode): void {
    if (!isSubsequence(this.#query, file.path)) return;
    this.#files.add(file.path);
    const by = Number(file.isSendable);
    for (let folder: Folder | null = file.parent; folder; folder = folder.parent)
      this.#sendable.set(folder.path, (this.#sendable.get(folder.path) ?? 0) + by);
  }

  has(node: TreeNode): boolean {
    return node.isDir ? this.#sendable.has(node.path) : this.#files.has(node.path);
  }

  sendableBelow(folder: string): number {
    return this.#sendable.get(folder) ?? 0;
  }
}

/** Whether the letters of `query` occur in `path` in this order, ignoring case. */
export function isSubsequence(query: string, path: string): boolean {
  let at = 0;
  const wanted = query.toLowerCase();
  const letters = path.toLowerCase();
  for (const letter of wanted) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
