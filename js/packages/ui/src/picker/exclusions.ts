/** Changes of the list of excluded files: what is asked of a row becomes a list, which the server keeps. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type ExcludedStore, foldersAbove } from '../model/excluded.ts';
import type { TreeNode } from '../model/tree.ts';
import { strings } from '../model/wire.ts';

export class Exclusions {
  #sent: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly rpc: Rpc,
    private readonly store: ExcludedStore,
    private readonly onError: (message: string) => void,
  ) {}

  /** Resolves to whether the server has done it. */
  exclude({ path }: TreeNode): Promise<boolean> {
    return this.#replace([...this.#outside(path), path]);
  }

  /** Includes a file, or all of a folder; what else is in an excluded folder around it stays excluded by itself. */
  include(node: TreeNode): Promise<boolean> {
    const folder = foldersAbove(node.path).find((above) => this.store.paths.includes(above));
    if (folder === undefined) return this.#replace(this.#outside(node.path));
    const beside: string[] = [];
    for (let at: TreeNode = node; at.parent && at.path !== folder; at = at.parent)
      for (const child of at.parent.children) if (child !== at) beside.push(child.path);
    return this.#replace([...this.#outside(folder), ...beside]);
  }

  #outside(path: string): string[] {
    return this.store.paths.filter((other) => other !== path && !other.startsWith(`${path}/`));
  }

  /** Shows the list at once; one change is sent after another. */
  #replace(paths: string[]): Promise<boolean> {
    const { store } = this;
    store.adopt(paths);
    store.sending += 1;
    const before = this.#sent;
    const sending = (async () => {
      await before;
      return this.#send(paths);
    })();
    this.#sent = sending;
    return sending;
  }

  async #send(paths: readonly string[]): Promise<boolean> {
    const { store } = this;
    try {
      const kept = strings(await this.rpc.rpcExtract('LLMService.set_excluded_index_files', paths));
      if (store.sending === 1) store.adopt(kept);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.onError(t('The excluded files could not be changed: %1', reason));
      await this.#revert();
      return false;
    } finally {
      store.sending -= 1;
    }
  }

  async #revert(): Promise<void> {
    try {
      this.store.adopt(strings(await this.rpc.rpcExtract('LLMService.get_excluded_index_files')));
    } catch {
      // The error has been reported; the next sync shows the server's list.
    }
  }
}
