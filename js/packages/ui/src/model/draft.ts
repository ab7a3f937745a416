/** Store of the draft: the question being typed, one per conversation; it survives a reload of the page. */

import { Store } from './store.ts';
import { type ConversationId, type KeyValueStorage, StoredDrafts } from './stored-drafts.ts';

export class DraftStore extends Store {
  /** Increases when another conversation's draft is shown: undo must not lead back to the previous draft. */
  generation = 0;
  #text = '';
  #queued = '';
  #conversation: ConversationId | null = null;
  #stored: StoredDrafts;

  /** @param storage null where the browser forbids storage; drafts are then lost with the page. */
  constructor(
    private readonly storage: KeyValueStorage | null,
    private key: string,
  ) {
    super();
    this.#stored = new StoredDrafts(storage, key);
  }

  /** Changes the storage key. */
  setKey(key: string): void {
    if (key === this.key) return;
    this.key = key;
    this.#stored = new StoredDrafts(this.storage, key);
  }

  get text(): string {
    return this.#text;
  }

  /** The question queued until the running answer ends; '' for none. */
  get queued(): string {
    return this.#queued;
  }

  set(text: string): void {
    this.#update(text, this.#queued);
  }

  /** Puts a text into the input if that is empty; returns whether it did. */
  restore(text: string): boolean {
    if (this.#text.trim()) return false;
    this.set(text);
    return true;
  }

  /** Inserts a text before the draft. */
  prepend(text: string): void {
    this.set(joined(text, this.#text));
  }

  /** Moves the draft to the queue. */
  queue(): void {
    this.#update('', this.#text.trim());
  }

  /** Moves the queued question back into the input, before what has been typed since. */
  unqueue(): void {
    this.#update(joined(this.#queued, this.#text), '');
  }

  /** Returns the queued question and clears the queue: it is being sent. */
  takeQueued(): string {
    const queued = this.#queued;
    this.#update(this.#text, '');
    return queued;
  }

  /** Leaves the conversation for one that has no id yet; what is typed goes along to the next one that is shown. */
  leave(): void {
    if (!this.#conversation) return;
    this.#conversation = null;
    this.#show('');
  }

  /** Shows the draft of a conversation; keeps the current text when it is the same conversation. */
  switchTo(talk: ConversationId): void {
    const before = this.#conversation;
    const isSame = before?.sessionId === talk.sessionId;
    if (isSame && before.lastAsked === talk.lastAsked) return;
    this.#conversation = talk;
    const kept = isSame ? '' : this.#stored.take(talk);
    // After a restart of the server, the same conversation may have another session id.
    const goesOn = isSame || before?.lastAsked === talk.lastAsked;
    if (!goesOn) this.#show(before ? kept : joined(kept, this.#text));
    this.#save();
  }

  #show(text: string): void {
    this.#text = text;
    this.#queued = '';
    this.generation += 1;
    this.changed();
  }

  #update(text: string, queued: string): void {
    // A text area normalises line ends in the same way.
    const plain = text.replaceAll(/\r\n?/g, '\n');
    if (plain === this.#text && queued === this.#queued) return;
    this.#text = plain;
    this.#queued = queued;
    this.#save();
    this.changed();
  }

  #save(): void {
    if (this.#conversation) this.#stored.save(this.#conversation, joined(this.#queued, this.#text));
  }
}

function joined(before: string, after: string): string {
  if (!before.trim() || !after.trim()) return before.trim() ? before : after;
  return `${before.trimEnd()}\n\n${after}`;
}
