/** Checks nodes and mutations from a plugin; what comes out has the declared form and size. */

import {
  type JsonObject,
  MAX_BATCH,
  MAX_DEPTH,
  MAX_NODES,
  MAX_TREE_CHARS,
  type Mutation,
  type PanelChild,
  type PanelNode,
  TEXT,
} from './protocol.ts';

/** A message that doesn't fit: not of the protocol, too large, or for another tree. */
export class PanelMessageError extends Error {
  override readonly name = 'PanelMessageError';
}

/** A move carries its node again, so that a message may have more than the tree that results. */
const MESSAGE_FACTOR = 2;
const MAX_NAME = 1000;
/** `{"id":"","type":"","props":{},"children":[]}` */
const NODE_CHARS = 43;

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(value: Members, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Reads one message and counts what it has. */
export class MessageReader {
  /** Characters of each node as JSON without its children; a lower bound. */
  readonly chars = new Map<PanelNode, number>();
  #nodes = 0;
  #total = 0;

  batch(value: unknown): Mutation[] {
    if (!Array.isArray(value)) throw new PanelMessageError('Mutations must be a list.');
    if (value.length > MAX_BATCH) {
      throw new PanelMessageError(`A batch has ${value.length} mutations; at most ${MAX_BATCH} are allowed.`);
    }
    return value.map((each) => this.mutation(each));
  }

  mutation(value: unknown): Mutation {
    if (!isObject(value)) throw new PanelMessageError('A mutation must be an object.');
    if (Object.hasOwn(value, 'childIndex')) {
      throw new PanelMessageError('Children are addressed by id, not by childIndex (protocol version 2).');
    }
    const type = member(value, 'type');
    switch (type) {
      case 'setRoot':
        return { type, node: this.root(member(value, 'node')) };
      case 'appendChild':
        return { type, parentId: name(value, 'parentId'), node: this.node(member(value, 'node')) };
      case 'insertBefore': {
        const [parentId, beforeId] = [name(value, 'parentId'), name(value, 'beforeId')];
        return { type, parentId, node: this.node(member(value, 'node')), beforeId };
      }
      case 'removeChild':
        return { type, parentId: name(value, 'parentId'), nodeId: name(value, 'nodeId') };
      case 'setText':
        return { type, nodeId: name(value, 'nodeId'), text: this.#text(member(value, 'text')) };
      case 'setProps':
        return { type, nodeId: name(value, 'nodeId'), props: this.#props(member(value, 'props')) };
      case 'moveBefore': {
        const beforeId = member(value, 'beforeId') === null ? null : name(value, 'beforeId');
        return { type, parentId: name(value, 'parentId'), nodeId: name(value, 'nodeId'), beforeId };
      }
      default:
        throw new PanelMessageError('A mutation is of an unknown type.');
    }
  }

  root(value: unknown): PanelNode | null {
    return value === null ? null : this.node(value);
  }

  /** Also enforces the depth, so that what comes in a circle is refused. */
  node(value: unknown, depth = 1): PanelNode {
    if (!isObject(value)) throw new PanelMessageError('A node must be an object.');
    if (depth > MAX_DEPTH) throw new PanelMessageError(`The tree is deeper than ${MAX_DEPTH} nodes.`);
    const before = this.#count(NODE_CHARS);
    const id = name(value, 'id');
    const type = name(value, 'type');
    if (type === TEXT) {
      const text: PanelNode = { id, type, props: {}, children: [], text: this.#text(member(value, 'text')) };
      this.chars.set(text, this.#total - before + id.length);
      return text;
    }
    const props = this.#props(member(value, 'props'));
    const given = member(value, 'children');
    if (!Array.isArray(given)) throw new PanelMessageError('The children of a node must be a list.');
    const own = this.#add(id.length + type.length) - before;
    const node = { id, type, props, children: given.map((child) => this.#child(child, depth + 1)) };
    const bare = node.children.reduce((sum, child) => {
      return typeof child === 'string' ? sum + NODE_CHARS + child.length : sum;
    }, 0);
    this.chars.set(node, own + bare);
    return node;
  }

  /** Characters of props as JSON; a lower bound. */
  static charsOf(props: JsonObject): number {
    const reader = new MessageReader();
    reader.#json(props, 0);
    return reader.#total;
  }

  #child(value: unknown, depth: number): PanelChild {
    if (typeof value !== 'string') return this.node(value, depth);
    this.#count(NODE_CHARS + value.length);
    return value;
  }

  #props(value: unknown): JsonObject {
    if (!isObject(value)) throw new PanelMessageError('The props of a node must be an object.');
    this.#json(value, 0);
    return value as JsonObject;
  }

  #text(value: unknown): string {
    if (typeof value !== 'string') throw new PanelMessageError('The text of a text node must be a string.');
    this.#add(value.length);
    return value;
  }

  #json(value: unknown, depth: number): void {
    if (typeof value === 'string') {
      this.#add(value.length + 2);
      return;
    }
    this.#add(1);
    if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      return;
    if (typeof value !== 'object') throw new PanelMessageError('A prop has a value that is not JSON.');
    if (depth >= MAX_DEPTH) throw new PanelMessageError(`A prop is nested more than ${MAX_DEPTH} deep.`);
    if (Array.isArray(value)) {
      for (const item of value) this.#json(item, depth + 1);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      this.#add(key.length);
      this.#json(item, depth + 1);
    }
  }

  #count(chars: number): number {
    const before = this.#total;
    this.#nodes += 1;
    if (this.#nodes > MESSAGE_FACTOR * MAX_NODES) {
      throw new PanelMessageError(`The tree has too many nodes; at most ${MAX_NODES} are allowed.`);
    }
    this.#add(chars);
    return before;
  }

  #add(chars: number): number {
    this.#total += chars;
    if (this.#total > MESSAGE_FACTOR * MAX_TREE_CHARS) {
      throw new PanelMessageError(`The tree is too large; at most ${MAX_TREE_CHARS} bytes are allowed.`);
    }
    return this.#total;
  }
}

function name(value: Members, field: string): string {
  const text = member(value, field);
  if (typeof text === 'string' && text && text.length <= MAX_NAME) return text;
  throw new PanelMessageError(`${field} must be a string of 1 to ${MAX_NAME} characters.`);
}
