/** The stores of browsers of the panels on this page, by their sessions: made when a panel's view first opens. */

import { BrowserStore } from '../model/browser/browser.ts';
import type { Session } from '../model/session.ts';
import { Store } from '../model/store.ts';

export class BrowserStores extends Store {
  readonly #stores = new WeakMap<Session, BrowserStore>();

  /** The store of a session; made by the first call. */
  open(session: Session): BrowserStore {
    const known = this.#stores.get(session);
    if (known) return known;
    const made = new BrowserStore(session);
    this.#stores.set(session, made);
    this.changed();
    return made;
  }

  /** null until the user has opened the view of that session. */
  find(session: Session): BrowserStore | null {
    return this.#stores.get(session) ?? null;
  }
}

export const browserStores = new BrowserStores();
