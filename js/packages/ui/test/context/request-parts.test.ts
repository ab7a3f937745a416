import { describe, expect, it } from 'vitest';
import { boxAfterKey, depthOf, icicleBoxes, MIN_SHARE } from '../../src/context/icicle-layout.ts';
import { apportioned, pathTo, type RequestPart, requestParts } from '../../src/context/request-parts.ts';
import { parseBreakdown } from '../../src/model/breakdown.ts';

const BREAKDOWN = parseBreakdown({
  total_tokens: 1000,
  breakdown: {
    system: 100,
    files: 600,
    file_details: [
      { path: 'src/a.py', tokens: 501, selected: true },
      { path: 'b.md', tokens: 99, selected: false, in_log: true },
    ],
    history: 280,
    history_messages: 2,
    overhead: 20,
  },
  blocks: [
    {
      contents: [
        { type: 'system', name: 'system', tokens: 100 },
        { type: 'history', name: 'question', text: 'Why?', tokens: 80 },
        { type: 'history', name: 'answer', text: '', tokens: 200 },
      ],
    },
  ],
});
const symbol = (name: string, parent: number, tokens: number) => ({
  ...{ name, kind: 'function', line: 3, last_line: 9, parent, tokens },
});
const SYMBOLS = new Map([
  [
    'src/a.py',
    {
      path: 'src/a.py',
      symbols: [symbol('A', -1, 10), symbol('f', 0, 30), symbol('empty', -1, 0)],
      rest: 10,
    },
  ],
]);

function sums(part: RequestPart): void {
  const below = part.children.reduce((sum, { tokens }) => sum + tokens, 0);
  expect(below).toBeLessThanOrEqual(part.tokens);
  part.children.forEach(sums);
}

describe('the parts of a request', () => {
  it('are categories that add up to it, then items, then symbols that add up to at most their file', () => {
    const root = requestParts(BREAKDOWN, SYMBOLS);
    expect(root.tokens).toBe(1000);
    expect(root.children.map(({ label, tokens }) => [label, tokens])).toEqual([
      ['Instructions', 100],
      ['Files', 600],
      ['Conversation', 280],
      ['Between messages', 20],
    ]);
    sums(root);
    const [, files, talk] = root.children;
    expect(files?.children.map(({ label, tokens }) => [label, tokens])).toEqual([
      ['src/a.py', 501],
      ['b.md', 99],
    ]);
    // 10, 30, 0 and 10 of 50 own tokens, of 501 in the request; the class includes its method.
    const [code] = files?.children ?? [];
    expect(code?.children.map(({ label, tokens, line }) => [label, tokens, line])).toEqual([['A', 401, 3]]);
    expect(code?.children[0]?.children.map(({ label, tokens }) => [label, tokens])).toEqual([['f', 301]]);
    expect(talk?.children.map(({ label }) => label)).toEqual(['Question: Why?', 'Answer']);
    const ids: string[] = [];
    const visit = (part: RequestPart): void => {
      ids.push(part.id);
      part.children.forEach(visit);
    };
    visit(root);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pathTo(root, code?.id ?? '').map(({ label }) => label)).toEqual([
      'The next request',
      'Files',
      'src/a.py',
    ]);
    expect(pathTo(root, 'nothing')).toEqual([]);
  });

  it('shares tokens in whole numbers that add up', () => {
    expect(apportioned(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(apportioned(100, [0, 3, 1])).toEqual([0, 75, 25]);
    expect(apportioned(7, [0, 0])).toEqual([0, 0]);
    for (const weights of [[5, 7, 11, 13], [1], [2, 2, 2, 2, 2, 2, 2]])
      expect(apportioned(997, weights).reduce((sum, share) => sum + share, 0)).toBe(997);
  });
});

describe('the boxes of the icicle', () => {
  const leaf = (id: string, tokens: number, children: RequestPart[] = []): RequestPart => ({
    ...{
      id,
      kind: 'item',
      category: 'files',
      label: id,
      tokens,
      line: 0,
      symbolKind: '',
      message: '',
      item: null,
    },
    children,
  });

  it('stand below what they are in, beside each other, in proportion', () => {
    const boxes = icicleBoxes(leaf('r', 100, [leaf('a', 60, [leaf('x', 30)]), leaf('b', 20)]));
    expect(
      boxes.map(({ part, level, start, share, above }) => [part?.id, level, start, share, above]),
    ).toEqual([
      ['r', 0, 0, 1, -1],
      ['a', 1, 0, 0.6, 0],
      ['x', 2, 0, 0.3, 1],
      ['b', 1, 0.6, 0.2, 0],
    ]);
    expect(boxes.map(({ position, siblings }) => [position, siblings])).toEqual([
      [1, 1],
      [1, 2],
      [1, 1],
      [2, 2],
    ]);
    expect(depthOf(boxes)).toBe(3);
  });

  it('draw what is too narrow together, so that thousands of parts stay few boxes', () => {
    const small = Array.from({ length: 5000 }, (_, at) => leaf(`s${at}`, 1));
    const boxes = icicleBoxes(leaf('r', 10_000, [leaf('big', 5000), ...small]));
    expect(1 / 10_000).toBeLessThan(MIN_SHARE);
    expect(boxes.map(({ part, count, tokens }) => [part?.id ?? '', count, tokens])).toEqual([
      ['r', 1, 10_000],
      ['big', 1, 5000],
      ['', 5000, 5000],
    ]);
  });

  it('are walked by the keys of a tree', () => {
    const boxes = icicleBoxes(leaf('r', 100, [leaf('a', 60, [leaf('x', 30)]), leaf('b', 20)]));
    const walk = (key: string, from: number) => boxAfterKey(key, boxes, from);
    expect(
      ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Home', 'End'].map((key) => walk(key, 1)),
    ).toEqual([2, 0, 2, 0, 0, 3]);
    expect([walk('ArrowRight', 2), walk('ArrowLeft', 0), walk('ArrowDown', 3), walk('x', 1)]).toEqual([
      ...[null, null, 3, null],
    ]);
  });
});
