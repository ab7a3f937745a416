/** Texts that a click puts into the input. */

import type { Rpc, SnippetRow } from '@jupyter-ac/link/rpc';
import { Store } from './store.ts';
import { told } from './told.ts';
import { fields, list, text } from './wire.ts';

export interface Snippet {
  /** A sign or two. */
  readonly icon: string;
  /** What it is for. */
  readonly tooltip: string;
  readonly message: string;
}

export function parseSnippets(raw: unknown): Snippet[] {
  return list(raw)
    .map(fields<SnippetRow>)
    .map((snippet) => ({
      icon: text(snippet.icon),
      tooltip: text(snippet.tooltip),
      message: text(snippet.message),
    }))
    .filter(({ message }) => message !== '');
}

export class SnippetsStore extends Store {
  snippets: readonly Snippet[] = [];

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** Without any, there is nothing to show; so a failure isn't told either. */
  async refresh(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_snippets')) return;
    const { value } = await told(this.rpc.rpcExtract('LLMService.get_snippets'));
    this.snippets = parseSnippets(value);
    this.changed();
  }
}
