/** The question being typed; each conversation has its own, which survives a reload of the page. */

import { type DraftStorage, KeptDrafts, type Talk } from './kept-drafts.ts';
import { Store } from './store.ts';

export class DraftStore extends Store {
  /** Raised when another conversation's draft is on show: nothing leads back from it to the one before. */
  generation = 0;
  #text = '';
  #queued = '';
  #talk: Talk | null = null;
  #kept: KeptDrafts;

  /** @param storage null where the browser forbids storage: then drafts live with the page. */
  constructor(
    private readonly storage: DraftStorage | null,
    private key: string,
  ) {
    super();
    this.#kept = new KeptDrafts(storage, key);
  }

  /** Keeps drafts under another name from now on. */
  keepAt(key: string): void {
    if (key === this.key) return;
    this.key = key;
    this.#kept = new KeptDrafts(this.storage, key);
  }

  get text(): string {
    return this.#text;
  }

  /** The question that waits for the end of the answer; '' for none. */
  get queued(): string {
    return this.#queued;
  }

  set(text: string): void {
    this.#become(text, this.#queued);
  }

  /** Puts a text into the input, but never over one that has been typed meanwhile. */
  giveBack(text: string): boolean {
    if (this.#text.trim()) return false;
    this.set(text);
    return true;
  }

  /** Puts a text before what has been typed. */
  putBefore(text: string): void {
    this.set(joined(text, this.#text));
  }

  /** What is typed waits from now on. */
  queue(): void {
    this.#become('', this.#text.trim());
  }

  /** The question that waited is in the input again, before what has been typed since. */
  unqueue(): void {
    this.#become(joined(this.#queued, this.#text), '');
  }

  /** Gives the question that waited away: it is being sent. */
  takeQueued(): string {
    const queued = this.#queued;
    this.#become(this.#text, '');
    return queued;
  }

  /** Shows the draft of a conversation; what is typed goes on when it is the same talk. */
  enter(talk: Talk): void {
    const before = this.#talk;
    const isSame = before?.sessionId === talk.sessionId;
    if (isSame && before.lastAsked === talk.lastAsked) return;
    this.#talk = talk;
    const kept = isSame ? '' : this.#kept.take(talk);
    // It may have another name after a restart.
    const goesOn = isSame || before?.lastAsked === talk.lastAsked;
    if (!goesOn) this.#show(before ? kept : joined(kept, this.#text));
    this.#keep();
  }

  #show(text: string): void {
    this.#text = text;
    this.#queued = '';
    this.generation += 1;
    this.changed();
  }

  #become(text: string, queued: string): void {
    // As the browser has it in the input.
    const plain = text.replaceAll(/\r\n?/g, '\n');
    if (plain === this.#text && queued === this.#queued) return;
    this.#text = plain;
    this.#queued = queued;
    this.#keep();
    this.changed();
  }

  #keep(): void {
    if (this.#talk) this.#kept.keep(this.#talk, joined(this.#queued, this.#text));
  }
}

function joined(before: string, after: string): string {
  if (!before.trim() || !after.trim()) return before.trim() ? before : after;
  return `${before.trimEnd()}\n\n${after}`;
}
