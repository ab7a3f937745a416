/** How a part of the next request can be taken out of it. */

import type { Category, ItemShare } from './breakdown.ts';
import type { Session } from './session.ts';

/** Begins the names of the diffs of a review. */
const REVIEW_DIFF = 'review://changes/';

export interface Removal {
  readonly verb: 'Untick' | 'Leave out' | 'Stop sending';
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
    return { verb: 'Stop sending', isPossible, run: () => void compaction.trim([path]) };
  }
  if (category === 'urls')
    return {
      verb: 'Leave out',
      isPossible: urls.isIncluded(path),
      run: () => urls.include(path, false),
    };
  if (category === 'context') {
    const chip = context.chips.find((one) => `${one.kind}/${one.name}` === name);
    return {
      verb: 'Leave out',
      isPossible: chip !== undefined,
      run: () => void (chip && context.remove(chip.key)),
    };
  }
  const file = category === 'review' ? diffPath(path) : path;
  return { verb: 'Untick', isPossible: selection.has(file), run: () => selection.mark([file], false) };
}

/** The file whose diff a part of a review is; '' for other parts. */
function diffPath(part: string): string {
  return part.startsWith(REVIEW_DIFF) ? part.slice(REVIEW_DIFF.length) : '';
}
