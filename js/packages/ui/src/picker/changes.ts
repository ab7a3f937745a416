/** Carries out actions on files, folders and branches; a failure is one sentence. */

import type { BranchRow, MethodName, Params } from '@jupyter-ac/link/rpc';
import { toResult } from '../model/call-result.ts';
import type { Session } from '../model/session.ts';
import type { TreeNode } from '../model/tree.ts';
import { fields, list, text } from '../model/wire.ts';

/** git has no empty folders: a new one gets this file. */
const PLACEHOLDER = '.gitkeep';

export interface BranchChoice {
  readonly name: string;
  readonly message: string;
  readonly isCurrent: boolean;
  readonly isRemote: boolean;
}

/** Each returns why it failed; '' when it didn't. */
export class FileChanges {
  constructor(private readonly session: Session) {}

  stage(node: TreeNode): Promise<string> {
    return this.#call('Repo.stage_files', [node.path]);
  }

  unstage(node: TreeNode): Promise<string> {
    return this.#call('Repo.unstage_files', [node.path]);
  }

  discard(node: TreeNode): Promise<string> {
    return this.#call('Repo.discard_changes', [node.path]);
  }

  delete(node: TreeNode): Promise<string> {
    return node.isDir
      ? this.#call('Repo.delete_directory', node.path)
      : this.#call('Repo.delete_file', node.path);
  }

  /** Ticks and the active row go with the new name. */
  async rename(node: TreeNode, to: string): Promise<string> {
    const { selection, files } = this.session;
    const from = node.path;
    const before = selection.paths;
    const error = await this.#call(node.isDir ? 'Repo.rename_directory' : 'Repo.rename_file', from, to);
    if (error) return error;
    const renamed = (path: string): string =>
      path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
    const ticked = before.map(renamed);
    if (ticked.some((path, at) => path !== before[at])) selection.replace(ticked);
    files.reveal(to);
    return '';
  }

  async createFile(path: string): Promise<string> {
    const error = await this.#call('Repo.create_file', path, '');
    if (!error) this.session.files.reveal(path);
    return error;
  }

  createFolder(path: string): Promise<string> {
    return this.createFile(`${path}/${PLACEHOLDER}`);
  }

  switchBranch(name: string): Promise<string> {
    return this.#call('Repo.checkout_branch', name);
  }

  createBranch(name: string): Promise<string> {
    return this.#call('Repo.create_branch', name);
  }

  /** Local branches, then those of remotes; rejects with one sentence. */
  async branches(): Promise<BranchChoice[]> {
    const rows = list(await this.session.rpc.rpcExtract('Repo.list_all_branches'));
    return rows.map(fields<BranchRow>).map((row) => ({
      name: text(row.name),
      message: text(row.message),
      isCurrent: row.is_current === true,
      isRemote: row.is_remote === true,
    }));
  }

  async #call<M extends MethodName>(method: M, ...args: Params<M>): Promise<string> {
    const { error } = await toResult(this.session.rpc.rpcExtract(method, ...args));
    await this.session.files.refresh();
    return error;
  }
}
