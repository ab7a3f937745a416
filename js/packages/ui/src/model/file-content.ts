/** The text of a file in one version, as far as it can be shown. */

import type { Rpc, RpcError } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { fields, text } from './wire.ts';

export type Content =
  | { readonly kind: 'loading' }
  /**
   * `whole` is the full length when the text was cut, else 0. `language` is set for a notebook only;
   * that of other files follows from their name.
   */
  | { readonly kind: 'text'; readonly text: string; readonly whole: number; readonly language: string }
  | { readonly kind: 'missing' }
  /** It can't be read, or can't be shown as text. */
  | { readonly kind: 'refused'; readonly message: string };

export const LOADING: Content = { kind: 'loading' };
export const NOTHING: Content = { kind: 'text', text: '', whole: 0, language: '' };
/** Longer files are cut: the page would become slow. */
export const MAX_CHARACTERS = 1_000_000;

/** Reads a file, by default the one on disk; `version` is a commit. */
export async function readContent(rpc: Rpc, path: string, version?: string): Promise<Content> {
  const args: [path: string, version?: string] = version === undefined ? [path] : [path, version];
  try {
    // A notebook that can't be parsed is shown as plain text.
    const cells = path.endsWith('.ipynb') ? await readCells(rpc, args).catch(() => null) : null;
    return cells ?? cut(text(await rpc.rpcExtract('Repo.get_file_content', ...args)));
  } catch (error) {
    // Not `instanceof RpcError`: the error's class comes from another bundle.
    if (fields<RpcError>(error).type === 'not_found') return { kind: 'missing' };
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  }
}

async function readCells(rpc: Rpc, args: [path: string, version?: string]): Promise<Content> {
  const cells = rpc.rpcExtract('Repo.get_notebook_text', ...args);
  const { value } = await toResult(rpc.rpcExtract('Repo.get_notebook_language', ...args));
  return cut(text(await cells), text(value));
}

/** Cuts a long text, at a line end if one is near. */
export function cut(whole: string, language = ''): Content {
  if (whole.length <= MAX_CHARACTERS) return { kind: 'text', text: whole, whole: 0, language };
  const end = whole.lastIndexOf('\n', MAX_CHARACTERS) + 1;
  const shown = whole.slice(0, end > MAX_CHARACTERS / 2 ? end : MAX_CHARACTERS);
  return { kind: 'text', text: shown, whole: whole.length, language };
}
