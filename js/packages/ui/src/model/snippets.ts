/** Store of the snippets: texts that a click inserts into the input. */

import type { Rpc, SnippetRow } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { type Dispose, Store } from './store.ts';
import { fields, list, text } from './wire.ts';

export interface Snippet {
  /** One or two characters. */
  readonly icon: string;
  /** Its description. */
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
  readonly #stopListening: Dispose[];

  constructor(private readonly rpc: Rpc) {
    super();
    // A review has snippets of its own.
    const events = ['reviewStarted', 'reviewEnded'] as const;
    this.#stopListening = events.map((event) => rpc.on(event, () => void this.refresh()));
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  /** Loads the snippets. A failure isn't reported: the menu is then just hidden. */
  async refresh(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_snippets')) return;
    const { value } = await toResult(this.rpc.rpcExtract('LLMService.get_snippets'));
    this.snippets = parseSnippets(value);
    this.changed();
  }
}
