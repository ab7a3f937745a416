import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrange } from '../../src/panels/child-order.ts';

const NODES = Array.from({ length: 12 }, (_, at) =>
  Object.assign(document.createElement('i'), { id: `${at}` }),
);
const orders = fc.shuffledSubarray(NODES);

it('gives any order', () => {
  fc.assert(
    fc.property(orders, orders, (before, after) => {
      const parent = document.createElement('div');
      parent.append(...before);
      arrange(parent, before, after);
      for (const node of before) if (!after.includes(node)) node.remove();
      expect([...parent.children]).toEqual(after);
    }),
  );
});

it('moves one element where one has moved', () => {
  const parent = document.createElement('div');
  parent.append(...NODES);
  let moves = 0;
  const insert = parent.insertBefore.bind(parent);
  parent.insertBefore = (node, before) => {
    moves += 1;
    return insert(node, before);
  };
  arrange(parent, NODES, [...NODES.slice(-1), ...NODES.slice(0, -1)]);
  arrange(parent, [...parent.childNodes], NODES);
  expect(moves).toBe(2);
});
