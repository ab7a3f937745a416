/** The mode of each conversation, in the browser's storage. Bounded: the oldest are evicted first. */

import type { AgentMode } from '../question-arguments.ts';
import type { KeyValueStorage } from '../stored-drafts.ts';
import { list, text } from '../wire.ts';
import { isMode } from './runs.ts';

const KEY = 'jupyter-ac.agent-modes';
const MAX_CONVERSATIONS = 50;

export class ModeMemory {
  readonly #modes = new Map<string, AgentMode>();

  /** @param storage null where the browser forbids storage; modes are then lost with the page */
  constructor(private readonly storage: KeyValueStorage | null) {
    this.#read();
  }

  /** 'ask' for a conversation without a choice. */
  modeOf(sessionId: string): AgentMode {
    return this.#modes.get(sessionId) ?? 'ask';
  }

  set(sessionId: string, mode: AgentMode): void {
    // Another panel of the page may have written since.
    this.#read();
    this.#modes.delete(sessionId);
    if (mode !== 'ask') this.#modes.set(sessionId, mode);
    const kept = [...this.#modes].slice(-MAX_CONVERSATIONS);
    try {
      this.storage?.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Storage is full: the choice lasts as long as the page.
    }
  }

  /** Gives the choice that was made for a conversation without an id to the one that has got its id. */
  name(sessionId: string): void {
    const chosen = this.modeOf('');
    if (chosen === 'ask') return;
    this.set('', 'ask');
    this.set(sessionId, chosen);
  }

  #read(): void {
    try {
      for (const entry of list(JSON.parse(this.storage?.getItem(KEY) ?? '[]'))) {
        const [id, mode] = list(entry);
        if (isMode(mode)) this.#modes.set(text(id), mode);
      }
    } catch {
      // Damaged by something else: the modes begin anew.
    }
  }
}
