/** Sets of ticked files that are saved under a name on the server. */

import type { FileSet, MethodName, Params, Rpc } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from '../model/call-result.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { fields, list, strings, text } from '../model/wire.ts';

export interface FileSetChoice {
  readonly name: string;
  readonly paths: readonly string[];
}

/** At most this many missing files are named. */
const MAX_NAMED = 3;

export class FileSets {
  constructor(private readonly rpc: Rpc) {}

  async read(): Promise<{ sets: FileSetChoice[]; error: string }> {
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.list_file_sets'));
    const sets = list(value)
      .map(fields<FileSet>)
      .map(({ name, paths }) => ({ name: text(name), paths: strings(paths) }));
    return { sets, error };
  }

  /** Each returns why it failed; '' when it didn't. */
  save(name: string, paths: readonly string[]): Promise<string> {
    return this.#call('LLMService.save_file_set', name, paths);
  }

  rename(name: string, to: string): Promise<string> {
    return this.#call('LLMService.rename_file_set', name, to);
  }

  delete(name: string): Promise<string> {
    return this.#call('LLMService.delete_file_set', name);
  }

  async #call<M extends MethodName>(method: M, ...args: Params<M>): Promise<string> {
    return (await toResult(this.rpc.rpcExtract(method, ...args))).error;
  }
}

/** Says which files of a set couldn't be ticked. */
export function missingSentence(name: string, missing: readonly string[]): string {
  const named = missing.slice(0, MAX_NAMED).map(escapeInvisible).join(', ');
  const more = missing.length - MAX_NAMED;
  const files = more > 0 ? tn('%2 and %1 other file', '%2 and %1 other files', more, named) : named;
  return t('Of the set %1, these files are gone or can’t be sent: %2.', name, files);
}
