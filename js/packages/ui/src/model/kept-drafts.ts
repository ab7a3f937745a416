/** Questions that were being typed, by conversation, in the page's storage. Bounded: the oldest go first. */

import { fields, list, text } from './wire.ts';

export interface DraftStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Where a draft belongs. */
export interface Talk {
  readonly sessionId: string;
  /** Of the last question in it, '' for none: a talk that goes on under another name is known by it. */
  readonly lastAsked: string;
}

interface Kept extends Talk {
  readonly text: string;
}

const MOST = 20;
/** Of all drafts together; a longer one lives with the page only. */
const MOST_CHARS = 200_000;

export class KeptDrafts {
  #written = '';
  /** The storage has not taken what was written last. */
  #isRefused = false;

  /** @param storage null where the browser forbids storage */
  constructor(
    private readonly storage: DraftStorage | null,
    private readonly key: string,
  ) {}

  /** The draft of a conversation; '' for none. From now on it is under the conversation's name. */
  take(talk: Talk): string {
    const drafts = this.#read();
    const draft =
      drafts.find(({ sessionId }) => sessionId === talk.sessionId) ??
      drafts.find(({ lastAsked }) => lastAsked === talk.lastAsked);
    if (draft) this.#write([{ ...talk, text: draft.text }, ...drafts.filter((other) => other !== draft)]);
    return draft?.text ?? '';
  }

  /** Keeps a draft; '' for none any more. */
  keep(talk: Talk, draft: string): void {
    const others = this.#read().filter(({ sessionId }) => sessionId !== talk.sessionId);
    this.#write(draft ? [{ ...talk, text: draft }, ...others] : others);
  }

  #read(): Kept[] {
    try {
      const written = this.storage && !this.#isRefused ? this.storage.getItem(this.key) : this.#written;
      return list(JSON.parse(written || '[]')).map((item) => {
        const { sessionId, lastAsked, text: draft } = fields<Kept>(item);
        return { sessionId: text(sessionId), lastAsked: text(lastAsked), text: text(draft) };
      });
    } catch {
      return [];
    }
  }

  #write(drafts: readonly Kept[]): void {
    let room = MOST_CHARS;
    const kept = drafts.slice(0, MOST).filter((draft) => {
      room -= draft.text.length;
      return room >= 0;
    });
    this.#written = kept.length ? JSON.stringify(kept) : '';
    try {
      if (this.#written) this.storage?.setItem(this.key, this.#written);
      else this.storage?.removeItem(this.key);
      this.#isRefused = false;
    } catch {
      // Storage is full or forbidden: the drafts still live with the page.
      this.#isRefused = true;
    }
  }
}
