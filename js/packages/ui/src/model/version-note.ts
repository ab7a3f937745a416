/** Comparison of the versions of panel and server. */

import { PROTOCOL } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';

/** One sentence when panel and server have different versions; '' otherwise. */
export function versionNote(ours: string, theirs: string, protocol: number): string {
  const isSame = theirs === '' || theirs === ours;
  if (isSame && (protocol === PROTOCOL || protocol === 0)) return '';
  return t(
    'This panel is version %1, the server runs %2: restart the server and reload the page.',
    ours,
    theirs || t('another'),
  );
}
