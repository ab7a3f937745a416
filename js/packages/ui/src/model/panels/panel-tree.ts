/**
 * The tree of a panel. A batch of mutations is applied as a whole or not at all. Snapshots are immutable: a change
 * makes new objects for the changed node and for those above it, and leaves all others as they are.
 */

import {
  type JsonObject,
  MAX_DEPTH,
  MAX_NODES,
  MAX_TREE_CHARS,
  type Mutation,
  type PanelNode,
  TEXT,
} from './protocol.ts';
import { MessageReader, PanelMessageError } from './read-message.ts';

interface MutableNode {
  id: string;
  type: string;
  props: JsonObject;
  children: (MutableNode | string)[];
  text?: string;
}

interface Entry {
  node: MutableNode;
  readonly parentId: string | null;
  chars: number;
}

/** The two kinds of nodes are the same objects: those that are owned may be changed in place. */
function mutable(node: PanelNode): MutableNode {
  return node as unknown as MutableNode;
}

export class PanelTree {
  #root: MutableNode | null = null;
  #entries = new Map<string, Entry>();
  #chars = 0;
  /** Made since the last snapshot, so that nobody else has them. */
  readonly #owned = new Set<MutableNode>();
  /** Of the current batch, in order. */
  #undo: (() => void)[] = [];

  /** Snapshot that later changes leave as it is. */
  get root(): PanelNode | null {
    this.#owned.clear();
    return this.#root as PanelNode | null;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /**
   * Replaces the whole tree.
   *
   * @param value - untrusted
   * @throws PanelMessageError - the tree is as before
   */
  replace(value: unknown): void {
    const reader = new MessageReader();
    const node = reader.root(value);
    this.#atomically(() => this.#setRoot(node, reader.chars));
  }

  /**
   * Applies a batch.
   *
   * @param value - untrusted
   * @throws PanelMessageError - the tree is as before
   */
  apply(value: unknown): void {
    const reader = new MessageReader();
    const batch = reader.batch(value);
    this.#atomically(() => {
      for (const mutation of batch) this.#applyOne(mutation, reader.chars);
    });
  }

  #atomically(change: () => void): void {
    try {
      change();
      this.#checkSize();
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    } finally {
      this.#undo = [];
    }
  }

  #checkSize(): void {
    if (this.size > MAX_NODES) {
      throw new PanelMessageError(`The tree has ${this.size} nodes; at most ${MAX_NODES} are allowed.`);
    }
    if (this.#chars > MAX_TREE_CHARS) {
      throw new PanelMessageError(
        `The tree has over ${this.#chars} bytes; at most ${MAX_TREE_CHARS} are allowed.`,
      );
    }
  }

  #applyOne(mutation: Mutation, chars: ReadonlyMap<PanelNode, number>): void {
    switch (mutation.type) {
      case 'setRoot':
        this.#setRoot(mutation.node, chars);
        return;
      case 'appendChild':
        this.#attach(mutation.parentId, mutation.node, null, chars);
        return;
      case 'insertBefore':
        this.#attach(mutation.parentId, mutation.node, mutation.beforeId, chars);
        return;
      case 'removeChild':
        this.#childOf(mutation.parentId, mutation.nodeId);
        this.#detach(mutation.nodeId);
        return;
      case 'setText':
        this.#setText(mutation.nodeId, mutation.text);
        return;
      case 'setProps':
        this.#setProps(mutation.nodeId, mutation.props);
        return;
      case 'moveBefore':
        this.#move(mutation.parentId, mutation.nodeId, mutation.beforeId);
        return;
    }
  }

  #setRoot(node: PanelNode | null, chars: ReadonlyMap<PanelNode, number>): void {
    const before = { root: this.#root, entries: this.#entries, chars: this.#chars };
    this.#undo.push(() => {
      this.#root = before.root;
      this.#entries = before.entries;
      this.#chars = before.chars;
    });
    this.#root = node && mutable(node);
    this.#entries = new Map();
    this.#chars = 0;
    if (node) this.#index(mutable(node), null, 1, chars);
  }

  #attach(
    parentId: string,
    node: PanelNode,
    beforeId: string | null,
    chars: ReadonlyMap<PanelNode, number>,
  ): void {
    if (this.has(node.id)) this.#detach(node.id);
    const parent = this.#owning(parentId);
    if (parent.node.type === TEXT) throw new PanelMessageError(`The text ${parentId} can't have children.`);
    this.#splice(parent, this.#position(parentId, beforeId), 0, mutable(node));
    this.#index(mutable(node), parentId, this.#depth(parentId) + 1, chars);
  }

  #detach(id: string): void {
    const entry = this.#entry(id);
    if (entry.parentId === null) throw new PanelMessageError(`The root ${id} can only be replaced.`);
    const parent = this.#owning(entry.parentId);
    this.#splice(parent, parent.node.children.indexOf(entry.node), 1);
    this.#unindex(entry.node);
  }

  #move(parentId: string, nodeId: string, beforeId: string | null): void {
    this.#childOf(parentId, nodeId);
    const parent = this.#owning(parentId);
    // Else a later change of this batch would copy it, and undoing the move would bring the original back.
    const { node } = this.#owning(nodeId);
    this.#splice(parent, parent.node.children.indexOf(node), 1);
    this.#splice(parent, this.#position(parentId, beforeId), 0, node);
  }

  #setText(id: string, text: string): void {
    const entry = this.#owning(id);
    const before = entry.node.text ?? '';
    if (entry.node.type !== TEXT) throw new PanelMessageError(`${id} is not a text.`);
    this.#undo.push(() => {
      entry.node.text = before;
    });
    entry.node.text = text;
    this.#weigh(entry, entry.chars + text.length - before.length);
  }

  #setProps(id: string, props: JsonObject): void {
    const entry = this.#owning(id);
    const before = entry.node.props;
    if (entry.node.type === TEXT) throw new PanelMessageError(`The text ${id} has no props.`);
    this.#undo.push(() => {
      entry.node.props = before;
    });
    entry.node.props = props;
    this.#weigh(entry, entry.chars + MessageReader.charsOf(props) - MessageReader.charsOf(before));
  }

  #weigh(entry: Entry, chars: number): void {
    const before = entry.chars;
    this.#undo.push(() => {
      this.#chars += before - entry.chars;
      entry.chars = before;
    });
    this.#chars += chars - before;
    entry.chars = chars;
  }

  /** Position of a child; behind all for null. */
  #position(parentId: string, beforeId: string | null): number {
    const { children } = this.#entry(parentId).node;
    if (beforeId === null) return children.length;
    const index = children.indexOf(this.#childOf(parentId, beforeId).node);
    // A node that is being moved is in the index, but no longer among its siblings.
    if (index < 0) throw new PanelMessageError(`${beforeId} can't be moved before itself.`);
    return index;
  }

  #splice(parent: Entry, index: number, removed: number, ...added: MutableNode[]): void {
    const gone = parent.node.children.splice(index, removed, ...added);
    this.#undo.push(() => parent.node.children.splice(index, added.length, ...gone));
  }

  #index(
    node: MutableNode,
    parentId: string | null,
    depth: number,
    chars: ReadonlyMap<PanelNode, number>,
  ): void {
    if (depth > MAX_DEPTH) throw new PanelMessageError(`The tree is deeper than ${MAX_DEPTH} nodes.`);
    if (this.has(node.id)) throw new PanelMessageError(`The id ${node.id} is there twice.`);
    this.#add({ node, parentId, chars: chars.get(node as PanelNode) ?? 0 });
    for (const child of node.children) {
      if (typeof child !== 'string') this.#index(child, node.id, depth + 1, chars);
    }
  }

  #unindex(node: MutableNode): void {
    const entry = this.#entry(node.id);
    this.#entries.delete(node.id);
    this.#chars -= entry.chars;
    this.#undo.push(() => {
      this.#entries.set(node.id, entry);
      this.#chars += entry.chars;
    });
    for (const child of node.children) if (typeof child !== 'string') this.#unindex(child);
  }

  #add(entry: Entry): void {
    const { id } = entry.node;
    this.#entries.set(id, entry);
    this.#chars += entry.chars;
    this.#undo.push(() => {
      this.#entries.delete(id);
      this.#chars -= entry.chars;
    });
  }

  #depth(id: string): number {
    let depth = 0;
    for (let at: string | null = id; at !== null; at = this.#entry(at).parentId) depth += 1;
    return depth;
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new PanelMessageError(`There is no node ${id}.`);
    return entry;
  }

  #childOf(parentId: string, id: string): Entry {
    const entry = this.#entry(id);
    if (entry.parentId !== parentId) throw new PanelMessageError(`${id} is not a child of ${parentId}.`);
    return entry;
  }

  /** Entry whose node may be changed in place: a copy of it when a snapshot has the node. */
  #owning(id: string): Entry {
    const entry = this.#entry(id);
    if (this.#owned.has(entry.node)) return entry;
    const copy: MutableNode = { ...entry.node, children: [...entry.node.children] };
    if (entry.parentId === null) this.#root = copy;
    else {
      const { children } = this.#owning(entry.parentId).node;
      children[children.indexOf(entry.node)] = copy;
    }
    this.#owned.add(copy);
    entry.node = copy;
    return entry;
  }
}
