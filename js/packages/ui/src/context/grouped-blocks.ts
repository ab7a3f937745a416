/** Groups the next request's blocks into sections: the start, the turns so far, and what is new. */

import type { Breakdown, Tier, TierItem } from '../model/breakdown.ts';

export interface RequestSection {
  readonly kind: 'start' | 'summary' | 'turn' | 'next';
  /** Number of a turn among those sent, from 1; 0 for others. */
  readonly number: number;
  /** Beginning of its question; '' without one. */
  readonly title: string;
  readonly tokens: number;
  readonly cachedTokens: number;
  readonly items: readonly TierItem[];
}

/** Sections in the order in which they are sent. */
export function requestSections({ tiers }: Pick<Breakdown, 'tiers'>): RequestSection[] {
  const start = tiers.filter(isHead).flatMap(({ items }) => items);
  const groups = withSteps(grouped(tiers.filter((tier) => !isHead(tier)).flatMap(({ items }) => items)));
  let turns = 0;
  const later = groups.map((items): RequestSection => {
    const kind = kindOf(items);
    if (kind === 'turn') turns += 1;
    return part(kind, items, kind === 'turn' ? turns : 0);
  });
  return [...(start.length ? [part('start', start, 0)] : []), ...later];
}

function isHead({ tier }: Tier): boolean {
  return tier === 'L0';
}

/** Splits the items into turns. A turn ends with its answer; a retry of its edits belongs to the same turn. */
function grouped(items: readonly TierItem[]): TierItem[][] {
  const groups: TierItem[][] = [];
  let isOver = true;
  for (const item of items) {
    if (isOver && item.name !== 'retry' && item.name !== 'tool_calls') groups.push([item]);
    else if (groups.length) groups.at(-1)?.push(item);
    else groups.push([item]);
    isOver = item.name === 'answer';
  }
  return groups;
}

/** Joins the later steps of a run to its first: each is sent with the results of calls. */
function withSteps(groups: readonly TierItem[][]): TierItem[][] {
  const turns: TierItem[][] = [];
  for (const items of groups) {
    const has = (wanted: string) => items.some(({ name }) => name === wanted);
    const isStep = (has('step') || has('tool_result')) && !has('question');
    const turn = isStep ? turns.at(-1) : undefined;
    if (turn) turn.push(...items);
    else turns.push(items);
  }
  return turns;
}

function kindOf(items: readonly TierItem[]): RequestSection['kind'] {
  const has = (name: string) => items.some((item) => item.name === name);
  if (!has('answer')) return 'next';
  return has('summary') && !has('question') ? 'summary' : 'turn';
}

function part(kind: RequestSection['kind'], items: readonly TierItem[], number: number): RequestSection {
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
