/** Which cells of a notebook an edit block is about, by the marker lines in its texts. Pure. */

/** A marker line of a cell, in any language: `# %% [markdown] id="a1"`. */
import { t } from '@jupyter-ac/messages';

const MARKER = /^\S{1,3} %%(?: (.*))?$/gm;
const PLACE = /(?:^| )(?:cell=(\d{1,6})|id="([^"]{1,64})")/;

/**
 * `Cell 3`, `Cells 3–5`, `new cell`, `Cell 3, new cell`; '' when it isn't known.
 *
 * @param positions - of the cells, from 1, by id; empty when the notebook isn't at hand
 */
export function editedCells(old: string, next: string, positions: ReadonlyMap<string, number>): string {
  const before = markers(old);
  const added = markers(next).filter(([, number, id]) => !number && !id).length;
  const fresh = added || !old.trim() ? (added > 1 ? t('new cells') : t('new cell')) : '';
  const numbers = before.map(([, number, id]) => Number(number) || positions.get(id ?? '') || 0);
  if (!numbers.length) return fresh;
  if (numbers.includes(0)) return '';
  // What stands before the first marker belongs to the cell before.
  const isLater = old.search(MARKER) !== 0;
  const first = Math.max(1, Math.min(...numbers) - (isLater ? 1 : 0));
  const last = Math.max(...numbers);
  const cells = first === last ? t('Cell %1', first) : t('Cells %1–%2', first, last);
  return [cells, fresh].filter(Boolean).join(', ');
}

/** Of each marker: everything, position, id. */
function markers(text: string): string[][] {
  return [...text.matchAll(MARKER)].map(([, rest = '']) => [...(PLACE.exec(rest) ?? [''])]);
}
