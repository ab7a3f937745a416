/** Changes of the list of excluded files: what is asked of a row becomes a list, which the server keeps. */

import { type Rpc, RpcError } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type ExcludedStore, foldersAbove } from '../model/excluded.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { TreeNode } from '../model/tree.ts';
import { strings } from '../model/wire.ts';
import type { Confirmation } from './file-actions.ts';

/** Makes the new list from the one in force. */
type Change = (paths: readonly string[]) => string[];

/** How often a change is made again because others have changed the list meanwhile. */
const MAX_TRIES = 4;

export class Exclusions {
  #sent: Promise<unknown> = Promise.resolve();
  /** The server's list, as far as it is known. */
  #known: readonly string[] = [];

  constructor(
    private readonly rpc: Rpc,
    private readonly store: ExcludedStore,
    private readonly onError: (message: string) => void,
  ) {}

  /** Resolves to whether the server has done it. */
  exclude({ path }: TreeNode): Promise<boolean> {
    return this.#replace((paths) => [...outside(paths, path), path]);
  }

  /** Includes a file, or all of a folder; what is shown of an excluded folder around it stays excluded by itself. */
  include(node: TreeNode): Promise<boolean> {
    return this.#replace((paths) => {
      const folder = excludedAbove(paths, node.path);
      if (folder === null) return outside(paths, node.path);
      const beside: string[] = [];
      for (let at: TreeNode = node; at.parent && at.path !== folder; at = at.parent)
        for (const child of at.parent.children) if (child !== at) beside.push(child.path);
      return [...outside(paths, folder), ...beside];
    });
  }

  /** What to ask before something in an excluded folder is included; null where nothing is lost. */
  confirmation({ path }: TreeNode): Confirmation | null {
    const folder = excludedAbove(this.store.paths, path);
    if (folder === null) return null;
    const [name, shown] = [escapeInvisible(path), escapeInvisible(folder)];
    return {
      question: t('Send %1 again?', name),
      loss: t(
        '%1 is excluded as a whole. Everything else that is shown of it now stays excluded; what git ignores, and files that come later, will not be.',
        shown,
      ),
      button: t('Send again'),
    };
  }

  /** Shows the list at once; one change is sent after another. */
  #replace(change: Change): Promise<boolean> {
    const { store } = this;
    if (store.sending === 0) this.#known = store.paths;
    store.adopt(change(store.paths));
    store.sending += 1;
    const before = this.#sent;
    const sending = (async () => {
      await before;
      return this.#send(change);
    })();
    this.#sent = sending;
    return sending;
  }

  async #send(change: Change): Promise<boolean> {
    const { store } = this;
    try {
      this.#known = await this.#sendTo(change, MAX_TRIES);
      if (store.sending === 1) store.adopt(this.#known);
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

  /** Others may have changed the list, whom no event tells of: another program with the same repository. */
  async #sendTo(change: Change, tries: number): Promise<readonly string[]> {
    try {
      const next = change(this.#known);
      return strings(
        await this.rpc.rpcExtract('LLMService.set_excluded_index_files', next, [...this.#known]),
      );
    } catch (error) {
      if (!(error instanceof RpcError) || error.type !== 'conflict' || tries <= 1) throw error;
      this.#known = await this.#read();
      return await this.#sendTo(change, tries - 1);
    }
  }

  async #revert(): Promise<void> {
    try {
      this.#known = await this.#read();
      this.store.adopt([...this.#known]);
    } catch {
      // The error has been reported; the next sync shows the server's list.
    }
  }

  async #read(): Promise<readonly string[]> {
    return strings(await this.rpc.rpcExtract('LLMService.get_excluded_index_files'));
  }
}

function outside(paths: readonly string[], path: string): string[] {
  return paths.filter((other) => other !== path && !other.startsWith(`${path}/`));
}

function excludedAbove(paths: readonly string[], path: string): string | null {
  return foldersAbove(path).find((above) => paths.includes(above)) ?? null;
}
