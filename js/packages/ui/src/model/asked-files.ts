/** Store of what the server says of the files of a question that is asked anew. */

import { Store } from './store.ts';

export interface AskedFiles {
  /** The conversation in which it is asked anew. */
  readonly sessionId: string;
  /** The server's answer, for the part of the UI that shows it, which is loaded on demand. */
  readonly raw: unknown;
}

export class AskedFilesStore extends Store {
  current: AskedFiles | null = null;

  /** null: the question is sent, or the user wants no offer. */
  set(asked: AskedFiles | null): void {
    if (asked === this.current) return;
    this.current = asked;
    this.changed();
  }
}
