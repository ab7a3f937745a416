/** Subsequence filter on paths, for the file picker. Pure. */

import type { FileNode, Folder, TreeNode } from './tree.ts';

/** Rank from which a match is only a subsequence, not a literal one. */
export const SUBSEQUENCE = 4;

/** Set of the matching files and their folders, filled file by file. */
export class PathMatches {
  readonly #files = new Set<string>();
  /** Number of sendable matching files below each folder, by its path. */
  readonly #sendable = new Map<string, number>();
  readonly #query: string;
  #best: { readonly file: FileNode; readonly rank: number } | null = null;

  constructor(query: string) {
    this.#query = query.toLowerCase();
  }

  /** The file whose path matches best of those that can be sent; null without a match. */
  get best(): FileNode | null {
    return this.#best?.file ?? null;
  }

  /** Adds a file if its path matches. */
  add(file: FileNode): void {
    const rank = rankOf(this.#query, file.path.toLowerCase());
    if (rank === null) return;
    this.#files.add(file.path);
    this.#rate(file, rank);
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

  #rate(file: FileNode, rank: number): void {
    if (!file.isSendable) return;
    const best = this.#best;
    const isBetter =
      !best || rank < best.rank || (rank === best.rank && file.path.length < best.file.path.length);
    if (isBetter) this.#best = { file, rank };
  }
}

/** Lower is better: exact name, prefix, substring of the name, substring of the path, subsequence. */
export function rankOf(query: string, path: string): number | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path === query || name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (name.includes(query)) return 2;
  if (path.includes(query)) return 3;
  if (isSubsequence(query, name)) return SUBSEQUENCE;
  return isSubsequence(query, path) ? SUBSEQUENCE + 1 : null;
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
