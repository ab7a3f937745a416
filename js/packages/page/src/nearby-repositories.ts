/** Repositories near a folder that is in none, as sent by servers and kernels. */

/** A repository that can be opened instead. */
import { t } from '@jupyter-ac/messages';
export interface NearbyRepository {
  /** The folder to open, absolute. */
  readonly path: string;
  /** Display name: relative to the folder for one below it, else absolute. */
  readonly name: string;
}

export interface NearbyRepositories {
  /** Absolute, with links resolved: the folder that `git init` would use and that has to be confirmed. */
  readonly folder: string;
  /** Repositories around the folder, the nearest first. */
  readonly above: readonly NearbyRepository[];
  /** Repositories inside the folder, at most two levels deep. */
  readonly below: readonly NearbyRepository[];
  /** Whether all folders below were searched. */
  readonly isComplete: boolean;
  /** Why `git init` isn't allowed there, in a sentence; '' when it is. */
  readonly refusal: string;
  /** Why the folder can't be worked on without git, in a sentence; '' when it can; null for a server that doesn't know of it. */
  readonly plainRefusal: string | null;
}

/** Parses the message; throws when it names no folder. */
export function parseNearbyRepositories(raw: unknown): NearbyRepositories {
  const { folder, above, below, complete, refusal, plain_refusal } = members(raw);
  if (typeof folder !== 'string' || folder === '')
    throw new Error(t('The server did not say which folder this is.'));
  return {
    folder,
    above: repositories(above),
    below: repositories(below),
    isComplete: complete !== false,
    refusal: typeof refusal === 'string' ? refusal : '',
    plainRefusal: typeof plain_refusal === 'string' ? plain_refusal : null,
  };
}

function repositories(raw: unknown): NearbyRepository[] {
  return (Array.isArray(raw) ? raw : []).flatMap((row) => {
    const { path, name } = members(row);
    return typeof path === 'string' && typeof name === 'string' ? [{ path, name }] : [];
  });
}

function members(raw: unknown): Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
}
