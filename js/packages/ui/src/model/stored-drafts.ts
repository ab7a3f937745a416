/** Drafts by conversation in the browser's storage. Bounded: the oldest are evicted first. */

import { fields, list, text } from './wire.ts';

export interface KeyValueStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Identifies the conversation of a draft. */
export interface ConversationId {
  readonly sessionId: string;
  /** Request id of its last question, '' for none: finds the conversation again when its session id has changed. */
  readonly lastAsked: string;
}

interface StoredDraft extends ConversationId {
  readonly text: string;
}

const MAX_DRAFTS = 20;
/** Limit for all drafts together; longer drafts are lost with the page. */
const MAX_CHARS = 200_000;

export class StoredDrafts {
  #written = '';
  /** The storage refused the last write. */
  #isRefused = false;

  /** @param storage null where the browser forbids storage */
  constructor(
    private readonly storage: KeyValueStorage | null,
    private readonly key: string,
  ) {}

  /** Returns the draft of a conversation ('' for none) and stores it under the current session id. */
  take(talk: ConversationId): string {
    const drafts = this.#read();
    const draft =
      drafts.find(({ sessionId }) => sessionId === talk.sessionId) ??
      drafts.find(({ lastAsked }) => lastAsked === talk.lastAsked);
    if (draft) this.#write([{ ...talk, text: draft.text }, ...drafts.filter((other) => other !== draft)]);
    return draft?.text ?? '';
  }

  /** Stores a draft; '' deletes it. */
  save(talk: ConversationId, draft: string): void {
    const others = this.#read().filter(({ sessionId }) => sessionId !== talk.sessionId);
    this.#write(draft ? [{ ...talk, text: draft }, ...others] : others);
  }

  #read(): StoredDraft[] {
    try {
      const written = this.storage && !this.#isRefused ? this.storage.getItem(this.key) : this.#written;
      return list(JSON.parse(written || '[]')).map((item) => {
        const { sessionId, lastAsked, text: draft } = fields<StoredDraft>(item);
        return { sessionId: text(sessionId), lastAsked: text(lastAsked), text: text(draft) };
      });
    } catch {
      return [];
    }
  }

  #write(drafts: readonly StoredDraft[]): void {
    let room = MAX_CHARS;
    const kept = drafts.slice(0, MAX_DRAFTS).filter((draft) => {
      room -= draft.text.length;
      return room >= 0;
    });
    this.#written = kept.length ? JSON.stringify(kept) : '';
    try {
      if (this.#written) this.storage?.setItem(this.key, this.#written);
      else this.storage?.removeItem(this.key);
      this.#isRefused = false;
    } catch {
      // Storage is full or forbidden: the drafts stay in memory.
      this.#isRefused = true;
    }
  }
}
