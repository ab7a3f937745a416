/** A folder without a repository, as servers tell of it. */

import type { Surroundings } from '@jupyter-ac/page/surroundings';
import type { FolderPorts } from '../../src/model/no-repository.ts';

export const AROUND: Surroundings = {
  folder: '/home/ann/garden',
  above: [{ path: '/home/ann', name: '/home/ann' }],
  below: [
    { path: '/home/ann/garden/beds', name: 'beds' },
    { path: '/home/ann/garden/old/shed', name: 'old/shed' },
  ],
  isComplete: true,
  refusal: '',
};

/** Answers at once; nothing is done. */
export function folderPorts(around: Partial<Surroundings> = {}): FolderPorts {
  return {
    lookAround: async () => ({ ...AROUND, ...around }),
    initRepository: async () => {},
    openRepository: async () => {},
  };
}
