/** What a session needs of the page around it. */

import type { RepositoryPorts } from './no-repository.ts';
import type { KeyValueStorage } from './stored-drafts.ts';

/** Services of the page that the panel needs; each may reject. */
export interface SessionPorts extends RepositoryPorts {
  /** This UI's version. */
  readonly version: string;
  readonly storage: KeyValueStorage | null;
  /** Storage key of the drafts for a repository's root; '' while that isn't known. */
  draftKey(root: string): string;
  /** One sentence on why the server can't be reached. */
  diagnose(): Promise<string>;
}
