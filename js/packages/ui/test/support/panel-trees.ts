/** Random trees of panels, random batches for them, and a plain model that applies batches to JSON. */

import * as fc from 'fast-check';
import type { JsonObject, Mutation, PanelChild, PanelNode } from '../../src/model/panels/protocol.ts';

export function element(id: string, children: readonly PanelChild[] = [], props: JsonObject = {}): PanelNode {
  return { id, type: 'div', props, children };
}

export function textNode(id: string, text: string): PanelNode {
  return { id, type: '#text', props: {}, children: [], text };
}

/** Choices of a random run: each takes the next number. */
export class Choices {
  #at = 0;
  constructor(private readonly numbers: readonly number[]) {}

  below(limit: number): number {
    const number = this.numbers[this.#at % this.numbers.length] ?? 0;
    this.#at += 1;
    return (number + this.#at) % limit;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

export const choices = fc
  .array(fc.nat(1 << 20), { minLength: 60, maxLength: 120 })
  .map((numbers) => new Choices(numbers));

const TYPES = [
  'div',
  'ul',
  'li',
  'span',
  'button',
  'input',
  'select',
  'option',
  'textarea',
  'Chart',
  'Frame',
  'table',
];
const PROPS: readonly JsonObject[] = [
  {},
  { className: 'a' },
  { className: 'b', style: { color: 'red', marginTop: 3 } },
  { title: 'x', disabled: true, _onClickHandlerId: 'h' },
  { value: 'one', placeholder: 'p' },
  { value: '2', type: 'checkbox', checked: true },
  { href: 'javascript:alert(1)', 'aria-label': 'y', rows: 3 },
];

/** Makes new nodes with ids of their own. */
export class NodeMaker {
  #count = 0;
  constructor(private readonly choices: Choices) {}

  node(depth: number): PanelNode {
    this.#count += 1;
    const id = `n${this.#count}`;
    if (depth === 0 || this.choices.below(4) === 0) return textNode(id, `text ${this.choices.below(9)}`);
    const children = Array.from({ length: this.choices.below(4) }, () =>
      this.choices.below(8) === 0 ? 'bare' : this.node(depth - 1),
    );
    return { id, type: this.choices.of(TYPES), props: this.choices.of(PROPS), children };
  }

  root(): PanelNode {
    this.#count += 1;
    return element(`n${this.#count}`, [this.node(3), this.node(3), this.node(2)]);
  }
}

export function* nodesIn(node: PanelNode): Generator<PanelNode> {
  yield node;
  for (const child of node.children) if (typeof child !== 'string') yield* nodesIn(child);
}

function parentOf(root: PanelNode, id: string): PanelNode | undefined {
  return [...nodesIn(root)].find(({ children }) =>
    children.some((child) => typeof child !== 'string' && child.id === id),
  );
}

/** A mutation that fits the tree. */
export function fitting(root: PanelNode, choices: Choices, maker: NodeMaker): Mutation {
  const nodes = [...nodesIn(root)];
  const elements = nodes.filter(({ type }) => type !== '#text');
  const texts = nodes.filter(({ type }) => type === '#text');
  const inner = nodes.filter((node) => node !== root);
  const moved = inner.length ? choices.of(inner) : null;
  const outside = moved ? elements.filter((each) => ![...nodesIn(moved)].includes(each)) : elements;
  const kind = choices.below(8);
  if (kind === 0 && texts.length)
    return { type: 'setText', nodeId: choices.of(texts).id, text: `t${choices.below(99)}` };
  if (kind === 1) return { type: 'setProps', nodeId: choices.of(elements).id, props: choices.of(PROPS) };
  if (kind === 2 && moved)
    return { type: 'removeChild', parentId: parentOf(root, moved.id)?.id ?? '', nodeId: moved.id };
  if (kind <= 5 && moved) {
    const parent = choices.of(outside);
    const others = parent.children.filter(
      (child): child is PanelNode => typeof child !== 'string' && child !== moved,
    );
    if (kind === 3 && parentOf(root, moved.id) === parent) {
      return {
        type: 'moveBefore',
        parentId: parent.id,
        nodeId: moved.id,
        beforeId: others.length ? choices.of(others).id : null,
      };
    }
    if (!others.length) return { type: 'appendChild', parentId: parent.id, node: moved };
    return { type: 'insertBefore', parentId: parent.id, node: moved, beforeId: choices.of(others).id };
  }
  return { type: 'appendChild', parentId: choices.of(elements).id, node: maker.node(2) };
}

interface Plain {
  id: string;
  type: string;
  props: JsonObject;
  children: (Plain | string)[];
  text?: string;
}

/** The tree after a mutation that fits, by a model that copies everything. */
export function applied(root: PanelNode, mutation: Mutation): PanelNode {
  const tree = JSON.parse(JSON.stringify(root)) as Plain;
  const all = [...nodesIn(tree as PanelNode)] as Plain[];
  const find = (id: string) => all.find((each) => each.id === id) as Plain;
  const takeOut = (id: string) => {
    for (const each of all)
      each.children = each.children.filter((child) => typeof child === 'string' || child.id !== id);
  };
  const put = (parentId: string, node: Plain, beforeId: string | null) => {
    takeOut(node.id);
    const { children } = find(parentId);
    const index = children.findIndex((child) => typeof child !== 'string' && child.id === beforeId);
    children.splice(index < 0 ? children.length : index, 0, node);
  };
  if (mutation.type === 'setRoot') return mutation.node as PanelNode;
  if (mutation.type === 'setText') find(mutation.nodeId).text = mutation.text;
  else if (mutation.type === 'setProps') find(mutation.nodeId).props = mutation.props;
  else if (mutation.type === 'removeChild') takeOut(mutation.nodeId);
  else if (mutation.type === 'moveBefore') put(mutation.parentId, find(mutation.nodeId), mutation.beforeId);
  else
    put(
      mutation.parentId,
      JSON.parse(JSON.stringify(mutation.node)),
      'beforeId' in mutation ? mutation.beforeId : null,
    );
  return tree as PanelNode;
}

/** A batch that fits, and the tree after it. */
export function batchFor(root: PanelNode, choices: Choices, maker: NodeMaker): [Mutation[], PanelNode] {
  const batch: Mutation[] = [];
  let tree = root;
  for (let left = 1 + choices.below(6); left > 0; left -= 1) {
    const mutation = fitting(tree, choices, maker);
    batch.push(mutation);
    tree = applied(tree, mutation);
  }
  return [batch, tree];
}
