/** The next request as a tree of parts: categories, then files and other items, then symbols. Pure. */

import type { FileSymbolTokens, PromptBlock, PromptContent } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { Breakdown, Category, ItemShare, Share } from '../model/breakdown.ts';
import { LABELS, NAMES } from '../model/context-names.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { fields, list, number, text } from '../model/wire.ts';

export type PartKind = 'request' | 'category' | 'item' | 'symbol';

export interface RequestPart {
  /** Unique in the request. */
  readonly id: string;
  readonly kind: PartKind;
  readonly category: Category;
  readonly label: string;
  readonly tokens: number;
  /** Of a symbol, where it begins; 0 for others. */
  readonly line: number;
  /** Of a symbol: `class`, `function`, …; '' for others. */
  readonly symbolKind: string;
  /** Of a message of the conversation: `question`, `answer`, …; '' for others. */
  readonly message: string;
  /** The item that it is, or that it is a symbol of; null for others. */
  readonly item: ItemShare | null;
  readonly children: readonly RequestPart[];
}

/** Counted symbols by the path of their file. */
export type SymbolsByPath = ReadonlyMap<string, FileSymbolTokens>;

/** All parts; those on each level have together at most the tokens of the part that they are in. */
export function requestParts(breakdown: Breakdown, symbols: SymbolsByPath): RequestPart {
  const categories = breakdown.shares
    .filter(({ tokens }) => tokens > 0)
    .map((share) => categoryPart(breakdown, share, symbols));
  return {
    ...part('request', 'request', 'question', t('The next request'), breakdown.total),
    children: categories,
  };
}

/** Shares `total` among the weights in proportion, in whole numbers that add up to it. */
export function apportioned(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  if (sum <= 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const whole = exact.map(Math.floor);
  const missing = total - whole.reduce((before, share) => before + share, 0);
  const byRemainder = exact.map((share, at) => ({ at, remainder: share - Math.floor(share) }));
  byRemainder.sort((one, other) => other.remainder - one.remainder || one.at - other.at);
  for (const { at } of byRemainder.slice(0, missing)) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}

function part(id: string, kind: PartKind, category: Category, label: string, tokens: number): RequestPart {
  return {
    id,
    kind,
    category,
    label,
    tokens,
    line: 0,
    symbolKind: '',
    message: '',
    item: null,
    children: [],
  };
}

function categoryPart(breakdown: Breakdown, share: Share, symbols: SymbolsByPath): RequestPart {
  const { category, tokens, items } = share;
  const children =
    category === 'history'
      ? messageParts(breakdown)
      : items.map((item, at) => itemPart(category, item, at, symbols.get(item.path)));
  return { ...part(category, 'category', category, LABELS[category], tokens), children };
}

function itemPart(
  category: Category,
  item: ItemShare,
  at: number,
  symbols: FileSymbolTokens | undefined,
): RequestPart {
  const label = escapeInvisible((category === 'tools' && NAMES[item.name]) || item.name);
  const made = { ...part(`${category}/${at}/${item.path}`, 'item', category, label, item.tokens), item };
  return category === 'files' && symbols ? { ...made, children: symbolParts(made, symbols) } : made;
}

/**
 * A file's tokens in the request, shared among its symbols in proportion to the tokens of their own lines: what is
 * sent of the file may be less (a cut, a difference) or more (several copies) than its text now.
 */
function symbolParts(file: RequestPart, { symbols, rest }: FileSymbolTokens): RequestPart[] {
  const own = apportioned(file.tokens, [...symbols.map(({ tokens }) => tokens), rest]);
  const below = new Map<number, number[]>();
  symbols.forEach(({ parent }, at) => {
    below.set(parent, [...(below.get(parent) ?? []), at]);
  });
  const made = (at: number): RequestPart => {
    const symbol = symbols[at];
    const children = (below.get(at) ?? []).map(made).filter(({ tokens }) => tokens > 0);
    const tokens = children.reduce((sum, child) => sum + child.tokens, own[at] ?? 0);
    const label = escapeInvisible(symbol?.name ?? '');
    return {
      ...part(`${file.id}#${at}`, 'symbol', file.category, label, tokens),
      ...{ line: symbol?.line ?? 0, symbolKind: symbol?.kind ?? '', item: file.item, children },
    };
  };
  return (below.get(-1) ?? []).map(made).filter(({ tokens }) => tokens > 0);
}

/** The messages of the conversation, in the order in which they are sent. */
function messageParts({ raw }: Breakdown): RequestPart[] {
  const contents = list(raw.blocks)
    .map(fields<PromptBlock>)
    .flatMap(({ contents }) => list(contents).map(fields<PromptContent>));
  return contents
    .filter(({ type }) => type === 'history')
    .map((content, at) => {
      const name = text(content.name);
      const kind =
        NAMES[name] ?? (text(content.path) ? t('Note on %1', escapeInvisible(text(content.path))) : name);
      const title = name === 'question' ? text(content.text) : '';
      const label = title ? `${kind}: ${escapeInvisible(title)}` : kind;
      return { ...part(`history/${at}`, 'item', 'history', label, number(content.tokens)), message: name };
    });
}

/** The part with this id, and all that it is in, the request first; [] when there is none. */
export function pathTo(root: RequestPart, id: string): RequestPart[] {
  if (root.id === id) return [root];
  for (const child of root.children) {
    const found = pathTo(child, id);
    if (found.length) return [root, ...found];
  }
  return [];
}
