/** Keyboard navigation of a tree view (WAI-ARIA). Pure. */

import type { Row } from '../model/tree-rows.ts';

export type TreeAction =
  | { readonly kind: 'move'; readonly index: number }
  | { readonly kind: 'expand' | 'collapse' | 'toggle'; readonly row: Row };

const PAGE = 10;

/** Action of a key while row `index` is active; null for none. */
export function treeAction(key: string, rows: readonly Row[], index: number): TreeAction | null {
  const row = rows[index];
  const last = rows.length - 1;
  const to = (target: number): TreeAction => ({ kind: 'move', index: Math.max(0, Math.min(last, target)) });
  switch (key) {
    case 'ArrowDown':
      return to(index + 1);
    case 'ArrowUp':
      return to(index - 1);
    case 'PageDown':
      return to(index + PAGE);
    case 'PageUp':
      return to(index - PAGE);
    case 'Home':
      return to(0);
    case 'End':
      return to(last);
    case 'ArrowRight':
      if (row?.isExpanded === false) return { kind: 'expand', row };
      return row?.isExpanded ? to(index + 1) : null;
    case 'ArrowLeft':
      if (row?.isExpanded) return { kind: 'collapse', row };
      return row ? to(parentIndex(rows, index)) : null;
    case ' ':
    case 'Enter':
      return row ? { kind: 'toggle', row } : null;
    default:
      return typeAhead(key, rows, index);
  }
}

function parentIndex(rows: readonly Row[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above -= 1) {
    if ((rows[above]?.level ?? 1) < level) return above;
  }
  return index;
}

function typeAhead(key: string, rows: readonly Row[], index: number): TreeAction | null {
  if ([...key].length !== 1) return null;
  const letter = key.toLowerCase();
  for (let step = 1; step <= rows.length; step += 1) {
    const at = (index + step) % rows.length;
    if (rows[at]?.node.name.toLowerCase().startsWith(letter)) return { kind: 'move', index: at };
  }
  return null;
}
