/** Comparison of the versions of panel and server. */

import { PROTOCOL } from '@jupyter-ac/link/rpc';

/** One sentence when panel and server have different versions; '' otherwise. */
export function versionNote(ours: string, theirs: string, protocol: number): string {
  const isSame = theirs === '' || theirs === ours;
  if (isSame && (protocol === PROTOCOL || protocol === 0)) return '';
  return `This panel is version ${ours}, the server runs ${theirs || 'another'}: restart the server and reload the page.`;
}
