/** The next request as a person thinks of it: what it begins with, the turns so far, what is new. */

import type { Breakdown, Tier, TierItem } from './breakdown.ts';

export interface RequestPart {
  readonly kind: 'start' | 'summary' | 'turn' | 'next';
  /** Of a turn among those that go out, from 1; 0 for others. */
  readonly number: number;
  /** The beginning of its question; '' where there is none. */
  readonly title: string;
  readonly tokens: number;
  readonly cachedTokens: number;
  readonly items: readonly TierItem[];
}

/** In the order in which they go out. */
export function requestParts({ tiers }: Pick<Breakdown, 'tiers'>): RequestPart[] {
  const start = tiers.filter(isHead).flatMap(({ items }) => items);
  const groups = grouped(tiers.filter((tier) => !isHead(tier)).flatMap(({ items }) => items));
  let turns = 0;
  const later = groups.map((items): RequestPart => {
    const kind = kindOf(items);
    if (kind === 'turn') turns += 1;
    return part(kind, items, kind === 'turn' ? turns : 0);
  });
  return [...(start.length ? [part('start', start, 0)] : []), ...later];
}

function isHead({ tier }: Tier): boolean {
  return tier === 'L0';
}

/** A turn ends with its answer; what is asked once more for its edits is the same turn. */
function grouped(items: readonly TierItem[]): TierItem[][] {
  const groups: TierItem[][] = [];
  let isOver = true;
  for (const item of items) {
    if (isOver && item.name !== 'retry') groups.push([item]);
    else if (groups.length) groups.at(-1)?.push(item);
    else groups.push([item]);
    isOver = item.name === 'answer';
  }
  return groups;
}

function kindOf(items: readonly TierItem[]): RequestPart['kind'] {
  const has = (name: string) => items.some((item) => item.name === name);
  if (!has('answer')) return 'next';
  return has('summary') && !has('question') ? 'summary' : 'turn';
}

function part(kind: RequestPart['kind'], items: readonly TierItem[], number: number): RequestPart {
  const sum = (some: readonly TierItem[]) => some.reduce((before, { tokens }) => before + tokens, 0);
  return {
    kind,
    number,
    title: items.find(({ name }) => name === 'question')?.text ?? '',
    tokens: sum(items),
    cachedTokens: sum(items.filter(({ isCached }) => isCached)),
    items,
  };
}
