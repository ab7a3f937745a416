/** Positions of the boxes of an icicle: one row per level, widths in proportion to the tokens. Pure. */

import type { RequestPart } from './request-parts.ts';

/** A narrower box, as a part of the whole width, is drawn together with its neighbours. */
export const MIN_SHARE = 0.004;

export interface IcicleBox {
  /** null for neighbours that are too narrow to be drawn alone. */
  readonly part: RequestPart | null;
  readonly level: number;
  /** From the left edge, as a part of the whole width. */
  readonly start: number;
  readonly share: number;
  /** How many parts it stands for. */
  readonly count: number;
  readonly tokens: number;
  /** Of the boxes with the same box above, counted from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Index of the box above; -1 for the first one. */
  readonly above: number;
}

/** The boxes from top to bottom in depth-first order, which is that of a tree view. */
export function icicleBoxes(root: RequestPart): IcicleBox[] {
  const boxes: IcicleBox[] = [];
  const total = Math.max(root.tokens, 1);
  const place = (part: RequestPart, level: number, start: number, at: Partial<IcicleBox>): void => {
    const index = boxes.length;
    boxes.push({
      ...{ part, level, start, share: part.tokens / total, count: 1, tokens: part.tokens },
      ...{ position: 1, siblings: 1, above: -1, ...at },
    });
    const shown = part.children.filter(({ tokens }) => tokens / total >= MIN_SHARE);
    const small = part.children.filter(({ tokens }) => tokens > 0 && tokens / total < MIN_SHARE);
    const siblings = shown.length + Number(small.length > 0);
    let next = start;
    shown.forEach((child, number) => {
      place(child, level + 1, next, { position: number + 1, siblings, above: index });
      next += child.tokens / total;
    });
    if (!small.length) return;
    const tokens = small.reduce((sum, child) => sum + child.tokens, 0);
    boxes.push({
      ...{ part: null, level: level + 1, start: next, share: tokens / total, count: small.length, tokens },
      ...{ position: siblings, siblings, above: index },
    });
  };
  place(root, 0, 0, {});
  return boxes;
}

/** Number of levels. */
export function depthOf(boxes: readonly IcicleBox[]): number {
  return boxes.reduce((most, { level }) => Math.max(most, level + 1), 0);
}

/** The index that a key moves to from box `index`, as in a tree whose items are all expanded; null for none. */
export function boxAfterKey(key: string, boxes: readonly IcicleBox[], index: number): number | null {
  const box = boxes[index];
  if (!box) return null;
  const last = boxes.length - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'ArrowRight':
      return boxes[index + 1]?.above === index ? index + 1 : null;
    case 'ArrowLeft':
      return box.above >= 0 ? box.above : null;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
