/** Store of the excluded files and folders, of which nothing is sent to a model; the server's list is authoritative. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { type Dispose, Store } from './store.ts';
import type { TreeNode } from './tree.ts';
import { strings } from './wire.ts';

/** Whether a file is excluded; of a folder also whether something in it is. */
export type Exclusion = 'none' | 'some' | 'all';

export class ExcludedStore extends Store {
  #paths: readonly string[] = [];
  #set: ReadonlySet<string> = new Set();
  /** The folders above them. */
  #above: ReadonlySet<string> = new Set();
  #sending = 0;
  #sent: Promise<unknown> = Promise.resolve();
  readonly #stopListening: Dispose;

  constructor(
    private readonly rpc: Rpc,
    private readonly onError: (message: string) => void,
  ) {
    super();
    this.#stopListening = rpc.on('excludedFilesChanged', (paths) => {
      // While a change is being sent, its answer says what holds.
      if (!this.#sending) this.adopt(strings(paths));
    });
  }

  /** Files, and folders that stand for all that is below them. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  get isOffered(): boolean {
    return this.rpc.offers('LLMService.set_excluded_index_files');
  }

  of(path: string): Exclusion {
    if (!this.#set.size) return 'none';
    if (this.#set.has(path) || foldersAbove(path).some((folder) => this.#set.has(folder))) return 'all';
    return this.#above.has(path) ? 'some' : 'none';
  }

  adopt(paths: readonly string[]): void {
    this.#paths = paths;
    this.#set = new Set(paths);
    this.#above = new Set(paths.flatMap(foldersAbove));
    this.changed();
  }

  /** Resolves to whether the server has done it. */
  exclude({ path }: TreeNode): Promise<boolean> {
    return this.#replace([...this.#outside(path), path]);
  }

  /** Includes a file, or all of a folder; what else is in an excluded folder around it stays excluded by itself. */
  include(node: TreeNode): Promise<boolean> {
    const folder = foldersAbove(node.path).find((above) => this.#set.has(above));
    if (folder === undefined) return this.#replace(this.#outside(node.path));
    const beside: string[] = [];
    for (let at: TreeNode = node; at.parent && at.path !== folder; at = at.parent)
      for (const child of at.parent.children) if (child !== at) beside.push(child.path);
    return this.#replace([...this.#outside(folder), ...beside]);
  }

  dispose(): void {
    this.#stopListening();
  }

  #outside(path: string): string[] {
    return this.#paths.filter((other) => other !== path && !other.startsWith(`${path}/`));
  }

  /** Shows the list at once; one change is sent after another. */
  async #replace(paths: string[]): Promise<boolean> {
    this.adopt(paths);
    this.#sending += 1;
    const before = this.#sent;
    const sending = (async () => {
      await before;
      return this.#send(paths);
    })();
    this.#sent = sending;
    return sending;
  }

  async #send(paths: readonly string[]): Promise<boolean> {
    try {
      const kept = strings(await this.rpc.rpcExtract('LLMService.set_excluded_index_files', paths));
      if (this.#sending === 1) this.adopt(kept);
      return true;
    } catch (error) {
      this.onError(
        t(
          'The excluded files could not be changed: %1',
          error instanceof Error ? error.message : String(error),
        ),
      );
      await this.#revert();
      return false;
    } finally {
      this.#sending -= 1;
    }
  }

  async #revert(): Promise<void> {
    try {
      this.adopt(strings(await this.rpc.rpcExtract('LLMService.get_excluded_index_files')));
    } catch {
      // The error has been reported; the next sync shows the server's list.
    }
  }
}

export function excludedSentence(count: number): string {
  return tn(
    '%1 file is excluded: nothing of it is sent.',
    '%1 files are excluded: nothing of them is sent.',
    count,
  );
}

/** `a/b/c` → `a`, `a/b`. */
function foldersAbove(path: string): string[] {
  const found: string[] = [];
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) found.push(path.slice(0, end));
  return found;
}
