/** Which files the filter of the picker leaves. Pure. */

import type { FileNode, Folder, TreeNode } from './tree.ts';

/** The files whose paths match, and their folders; it is filled file by file. */
export class Matches {
  readonly #files = new Set<string>();
  /** How many matching files below a folder can be sent, by its path. */
  readonly #sendable = new Map<string, number>();
  readonly #query: string;

  constructor(query: string) {
    this.#query = query.toLowerCase();
  }

  /** Looks at one file more. */
  look(file: FileNode): void {
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

/** Whether the letters of `query` come in `path` in this order, case aside. */
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
