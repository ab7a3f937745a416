/** What a session needs of the page around it. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import type { RepositoryPorts } from './no-repository.ts';
import type { KeyValueStorage } from './stored-drafts.ts';

/** Opens the conversation that a session shows, on its own connection; rejects with one sentence. */
export type OpenConversation = (rpc: Rpc) => Promise<void>;

/** Services of the page that the panel needs; each may reject. */
export interface SessionPorts extends RepositoryPorts {
  /** This UI's version. */
  readonly version: string;
  readonly storage: KeyValueStorage | null;
  /** Storage key of the drafts for a repository's root; '' while that isn't known. */
  draftKey(root: string): string;
  /** Called whenever a connection is there; default: the session shows the conversation of all panels. */
  readonly openConversation?: OpenConversation;
  /** One sentence on why the server can't be reached. */
  diagnose(): Promise<string>;
}
