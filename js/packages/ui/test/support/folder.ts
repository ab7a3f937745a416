/** A folder without a repository, as servers tell of it. */

import type { NearbyRepositories } from '@jupyter-ac/page/nearby-repositories';
import type { RepositoryPorts } from '../../src/model/no-repository.ts';

export const AROUND: NearbyRepositories = {
  folder: '/home/ann/garden',
  above: [{ path: '/home/ann', name: '/home/ann' }],
  below: [
    { path: '/home/ann/garden/beds', name: 'beds' },
    { path: '/home/ann/garden/old/shed', name: 'old/shed' },
  ],
  isComplete: true,
  refusal: '',
  plainRefusal: '',
};

/** Answers at once; nothing is done. */
export function folderPorts(around: Partial<NearbyRepositories> = {}): RepositoryPorts {
  return {
    findNearbyRepositories: async () => ({ ...AROUND, ...around }),
    initRepository: async () => {},
    openPlainFolder: async () => {},
    openRepository: async () => {},
  };
}
