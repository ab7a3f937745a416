/** What is near a folder that is in no repository, as servers and kernels tell it. */

/** A repository that can be opened instead. */
export interface NearbyRepository {
  /** The folder to ask for, absolute. */
  readonly path: string;
  /** As shown: relative to the folder when it lies below, else absolute. */
  readonly name: string;
}

export interface NearbyRepositories {
  /** Absolute, links resolved: what would become a repository, and what has to be confirmed. */
  readonly folder: string;
  /** The nearest first. */
  readonly above: readonly NearbyRepository[];
  /** At most two levels below. */
  readonly below: readonly NearbyRepository[];
  /** Whether all of those below were found. */
  readonly isComplete: boolean;
  /** Why no repository may be made of it, in a sentence; '' when one may. */
  readonly refusal: string;
}

/** Reads what came over the wire; throws when it names no folder. */
export function parseNearbyRepositories(raw: unknown): NearbyRepositories {
  const { folder, above, below, complete, refusal } = members(raw);
  if (typeof folder !== 'string' || folder === '')
    throw new Error('The server did not say which folder this is.');
  return {
    folder,
    above: repositories(above),
    below: repositories(below),
    isComplete: complete !== false,
    refusal: typeof refusal === 'string' ? refusal : '',
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
