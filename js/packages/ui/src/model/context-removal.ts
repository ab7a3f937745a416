/** How a part of the next request can be taken out of it. */

import { t } from '@jupyter-ac/messages';
import type { Category, ItemShare } from './breakdown.ts';
import type { Session } from './session.ts';

/** Begins the names of the diffs of a review. */
const REVIEW_DIFF = 'review://changes/';

export interface Removal {
  /** What its button says. */
  readonly verb: string;
  /** The same for the whole file that a symbol is in. */
  readonly verbOfFile: string;
  readonly isPossible: boolean;
  run(): void;
}

/** null for parts that can't be removed one by one. */
export function removalOf(session: Session, category: Category, item: ItemShare): Removal | null {
  const { selection, urls, context, compaction, rpc } = session;
  const { path, name, isLeftOver } = item;
  if (category === 'tools' && !isLeftOver) return null;
  if (isLeftOver) {
    const isPossible = compaction.canTrim && rpc.connected;
    return {
      verb: t('Stop sending'),
      verbOfFile: t('Stop sending the whole file'),
      isPossible,
      run: () => void compaction.trim([path]),
    };
  }
  if (category === 'urls')
    return {
      verb: t('Leave out'),
      verbOfFile: t('Leave out the whole file'),
      isPossible: urls.isIncluded(path),
      run: () => urls.include(path, false),
    };
  if (category === 'context') {
    const chip = context.chips.find((one) => `${one.kind}/${one.name}` === name);
    return {
      verb: t('Leave out'),
      verbOfFile: t('Leave out the whole file'),
      isPossible: chip !== undefined,
      run: () => void (chip && context.remove(chip.key)),
    };
  }
  const file = category === 'review' ? diffPath(path) : path;
  return {
    verb: t('Untick'),
    verbOfFile: t('Untick the whole file'),
    isPossible: selection.has(file),
    run: () => selection.mark([file], false),
  };
}

/** The file whose diff a part of a review is; '' for other parts. */
function diffPath(part: string): string {
  return part.startsWith(REVIEW_DIFF) ? part.slice(REVIEW_DIFF.length) : '';
}
