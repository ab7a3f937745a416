import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PanelTree } from '../../../src/model/panels/panel-tree.ts';
import { MAX_NODES } from '../../../src/model/panels/protocol.ts';
import { batchFor, choices, element, NodeMaker, nodesIn, textNode } from '../../support/panel-trees.ts';

const tree = (root: unknown) => {
  const made = new PanelTree();
  made.replace(root);
  return made;
};
const two = () => tree(element('r', [element('a', [textNode('t', 'x')]), element('b')]));
const order = (of: PanelTree) => [...nodesIn(of.root as never)].map(({ id }) => id).join(' ');

describe('a tree', () => {
  it('equals a plain model after any batches', () => {
    fc.assert(
      fc.property(choices, (numbers) => {
        const maker = new NodeMaker(numbers);
        let model = maker.root();
        const host = tree(model);
        for (let round = 0; round < 5; round += 1) {
          const [batch, next] = batchFor(model, numbers, maker);
          host.apply(JSON.parse(JSON.stringify(batch)));
          model = next;
          if (round % 2) expect(host.root).toEqual(model);
          expect(host.size).toBe([...nodesIn(model)].length);
        }
        expect(host.root).toEqual(model);
      }),
    );
  });

  it('is as before after a batch that does not fit at its end, and goes on', () => {
    fc.assert(
      fc.property(choices, (numbers) => {
        const maker = new NodeMaker(numbers);
        const model = maker.root();
        const host = tree(model);
        const [first, then] = batchFor(model, numbers, maker);
        host.apply(first);
        const [batch, next] = batchFor(then, numbers, maker);
        const misfit = { type: 'setProps', nodeId: 'nobody', props: {} };
        expect(() => host.apply([...batch, misfit])).toThrow('There is no node nobody.');
        expect(host.size).toBe([...nodesIn(then)].length);
        host.apply(batch);
        expect(host.root).toEqual(next);
      }),
    );
  });

  it('makes new objects for what has changed and for what is above it only', () => {
    const host = two();
    const before = host.root;
    host.apply([{ type: 'setText', nodeId: 't', text: 'y' }]);
    const after = host.root;
    expect(before).toEqual(element('r', [element('a', [textNode('t', 'x')]), element('b')]));
    expect(after).toEqual(element('r', [element('a', [textNode('t', 'y')]), element('b')]));
    expect(after?.children[0]).not.toBe(before?.children[0]);
    expect(after?.children[1]).toBe(before?.children[1]);
  });

  it.each([
    ['an unknown parent', { type: 'appendChild', parentId: 'x', node: element('n') }],
    ['a text as parent', { type: 'appendChild', parentId: 't', node: element('n') }],
    ['an unknown anchor', { type: 'insertBefore', parentId: 'r', node: element('n'), beforeId: 'x' }],
    ['an anchor elsewhere', { type: 'insertBefore', parentId: 'r', node: element('n'), beforeId: 't' }],
    ['itself as anchor', { type: 'insertBefore', parentId: 'r', node: element('a'), beforeId: 'a' }],
    ['itself as parent', { type: 'appendChild', parentId: 'a', node: element('a') }],
    ['what is below it as parent', { type: 'appendChild', parentId: 'a', node: element('r') }],
    ['an id that is there', { type: 'appendChild', parentId: 'r', node: element('n', [element('b')]) }],
    ['an id twice', { type: 'appendChild', parentId: 'r', node: element('n', [element('m'), element('m')]) }],
    ['a child of another', { type: 'removeChild', parentId: 'r', nodeId: 't' }],
    ['an unknown child', { type: 'removeChild', parentId: 'r', nodeId: 'x' }],
    ['the root', { type: 'removeChild', parentId: 'r', nodeId: 'r' }],
    ['text of an element', { type: 'setText', nodeId: 'a', text: '' }],
    ['props of a text', { type: 'setProps', nodeId: 't', props: {} }],
    ['a move to another parent', { type: 'moveBefore', parentId: 'b', nodeId: 'a', beforeId: null }],
    ['a move before itself', { type: 'moveBefore', parentId: 'r', nodeId: 'a', beforeId: 'a' }],
    ['a move before a stranger', { type: 'moveBefore', parentId: 'r', nodeId: 'a', beforeId: 't' }],
  ])('refuses %s', (_, mutation) => {
    const host = two();
    expect(() => host.apply([{ type: 'setText', nodeId: 't', text: 'y' }, mutation])).toThrow();
    expect(host.root).toEqual(two().root);
    expect(host.size).toBe(4);
  });

  it('moves what it has', () => {
    const host = two();
    host.apply([{ type: 'appendChild', parentId: 'b', node: element('a', [element('c')]) }]);
    expect(order(host)).toBe('r b a c');
    host.apply([{ type: 'insertBefore', parentId: 'r', node: element('a'), beforeId: 'b' }]);
    host.apply([{ type: 'moveBefore', parentId: 'r', nodeId: 'a', beforeId: null }]);
    expect(order(host)).toBe('r b a');
  });

  it('has limits on nodes, depth and size, also over several batches', () => {
    const rows = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => element(`${from + at}`));
    const host = tree(element('r', rows(MAX_NODES - 1)));
    const more = { type: 'appendChild', parentId: 'r', node: element('more') };
    expect(() => host.apply([more])).toThrow('at most 20000');
    host.apply([{ type: 'removeChild', parentId: 'r', nodeId: '0' }, more]);
    expect(host.size).toBe(MAX_NODES);
    let deep = element('d0');
    for (let depth = 1; depth < 64; depth += 1) deep = element(`d${depth}`, [deep]);
    expect(tree(deep).size).toBe(64);
    expect(() => tree(element('top', [deep]))).toThrow('deeper');
    expect(() => tree(deep).apply([{ type: 'appendChild', parentId: 'd0', node: element('n') }])).toThrow(
      'deeper',
    );
    const large = tree(element('r', [textNode('t', 'x'.repeat(900_000))]));
    const props = { title: 'x'.repeat(200_000) };
    expect(() => large.apply([{ type: 'setProps', nodeId: 'r', props }])).toThrow('bytes');
    large.apply([{ type: 'setText', nodeId: 't', text: '' }]);
    large.apply([{ type: 'setProps', nodeId: 'r', props }]);
    large.apply([{ type: 'setRoot', node: null }]);
    expect([large.root, large.size]).toEqual([null, 0]);
  });

  it('takes ids that are names of the prototype', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const host = tree(
      element(
        'r',
        names.map((id) => element(id)),
      ),
    );
    host.apply([{ type: 'removeChild', parentId: 'r', nodeId: '__proto__' }]);
    expect(order(host)).toBe('r constructor toString hasOwnProperty');
    expect(() => host.apply([{ type: 'setProps', nodeId: 'valueOf', props: {} }])).toThrow('no node');
  });
});
