/** Where the tasks of a plan stand in its picture: layers by dependencies, from top to bottom. Pure. */

export interface Node {
  readonly id: string;
  /** Ids of the nodes before it; those that aren't among the nodes count for nothing. */
  readonly dependencies: readonly string[];
}

export interface Place {
  readonly id: string;
  /** From 0; one more than that of the last node that it depends on. */
  readonly layer: number;
  /** Its middle, in columns from the left. */
  readonly x: number;
}

/** A line from a node to one that depends on it. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Where it passes the layers between them, one after the other. */
  readonly through: readonly number[];
}

export interface Layout {
  /** By layer, and from left to right in it. */
  readonly places: readonly Place[];
  readonly edges: readonly Edge[];
  /** Width of the widest layer, in columns. */
  readonly columns: number;
  readonly layers: number;
}

/** What takes room in a layer: a node, or the lines of one that pass it. */
interface Slot {
  readonly key: string;
  readonly width: number;
  /** Keys of what it hangs on in the layer above. */
  readonly above: readonly string[];
}

const NODE = 1;
const LINE = 0.3;
const SWEEPS = 4;

/** Dependencies that form a cycle are left out where they close it. */
export function layoutGraph(nodes: readonly Node[]): Layout {
  const { layers, edges } = layered(nodes);
  const rows = slotsOf(nodes, layers, edges);
  const below = hangingOn(rows);
  const ordered = inOrder(rows, below);
  const columns = Math.max(0, ...ordered.map(widthOf));
  const x = positions(ordered, below, columns);
  return {
    places: ordered.flatMap((row, layer) =>
      row.filter(({ width }) => width === NODE).map(({ key: id }) => ({ id, layer, x: x.get(id) ?? 0 })),
    ),
    edges: edges.map(([from, to]) => ({
      from,
      to,
      through: between(layers, from, to).map((layer) => x.get(lineKey(from, layer)) ?? 0),
    })),
    columns,
    layers: ordered.length,
  };
}

/** The layer of each node, and the dependencies that count. */
function layered(nodes: readonly Node[]): { layers: Map<string, number>; edges: [string, string][] } {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const layers = new Map<string, number>();
  const edges: [string, string][] = [];
  const open = new Set<string>();
  const visit = (node: Node): number => {
    const done = layers.get(node.id);
    if (done !== undefined) return done;
    open.add(node.id);
    let layer = 0;
    for (const id of new Set(node.dependencies)) {
      const before = known.get(id);
      if (!before || open.has(id)) continue;
      layer = Math.max(layer, visit(before) + 1);
      edges.push([id, node.id]);
    }
    open.delete(node.id);
    layers.set(node.id, layer);
    return layer;
  };
  for (const node of known.values()) visit(node);
  return { layers, edges };
}

/** The rows of the picture. Lines from one node share their slots, so that there are few. */
function slotsOf(
  nodes: readonly Node[],
  layers: ReadonlyMap<string, number>,
  edges: readonly (readonly [string, string])[],
): Slot[][] {
  const rows: Slot[][] = Array.from({ length: Math.max(-1, ...layers.values()) + 1 }, () => []);
  const at = (layer: number) => rows[layer] as Slot[];
  const above = (from: string, layer: number) =>
    layer - 1 === layers.get(from) ? from : lineKey(from, layer - 1);
  for (const id of new Set(nodes.map((node) => node.id))) {
    const layer = layers.get(id) ?? 0;
    const hangsOn = edges.filter(([, to]) => to === id).map(([from]) => above(from, layer));
    at(layer).push({ key: id, width: NODE, above: hangsOn });
  }
  const lines = new Set<string>();
  for (const [from, to] of edges) {
    for (const layer of between(layers, from, to)) {
      const key = lineKey(from, layer);
      if (lines.has(key)) continue;
      lines.add(key);
      at(layer).push({ key, width: LINE, above: [above(from, layer)] });
    }
  }
  return rows;
}

/** What hangs on each slot, in the layer below. */
function hangingOn(rows: readonly Slot[][]): Map<string, string[]> {
  const below = new Map<string, string[]>();
  for (const { key, above } of rows.flat()) {
    for (const upper of above) below.set(upper, [...(below.get(upper) ?? []), key]);
  }
  return below;
}

/** Each row in the order of the means of what its slots hang on, so that few lines cross. */
function inOrder(rows: readonly Slot[][], below: ReadonlyMap<string, readonly string[]>): Slot[][] {
  const ordered = rows.map((row) => [...row]);
  for (const { layer, other, neighbours } of sweeps(ordered.length, below)) {
    const row = ordered[layer] as Slot[];
    const there = new Map((ordered[other] ?? []).map(({ key }, index) => [key, index]));
    const wanted = new Map(row.map((slot, index) => [slot, mean(neighbours(slot), there) ?? index]));
    row.sort((one, next) => (wanted.get(one) ?? 0) - (wanted.get(next) ?? 0));
  }
  return ordered;
}

/** The middle of each slot: near the mean of its neighbours, as far as there is room. */
function positions(
  rows: readonly Slot[][],
  below: ReadonlyMap<string, readonly string[]>,
  columns: number,
): ReadonlyMap<string, number> {
  const x = new Map<string, number>();
  for (const row of rows) {
    let left = (columns - widthOf(row)) / 2;
    for (const { key, width } of row) {
      x.set(key, left + width / 2);
      left += width;
    }
  }
  for (const { layer, neighbours } of sweeps(rows.length, below)) {
    const row = rows[layer] as Slot[];
    let left = 0;
    for (const slot of row) {
      const wanted = mean(neighbours(slot), x) ?? x.get(slot.key) ?? 0;
      x.set(slot.key, Math.max(wanted, left + slot.width / 2));
      left = (x.get(slot.key) ?? 0) + slot.width / 2;
    }
    let right = columns;
    for (const { key, width } of row.toReversed()) {
      x.set(key, Math.min(x.get(key) ?? 0, right - width / 2));
      right = (x.get(key) ?? 0) - width / 2;
    }
  }
  return x;
}

interface Sweep {
  readonly layer: number;
  /** The layer that it is adjusted to. */
  readonly other: number;
  readonly neighbours: (slot: Slot) => readonly string[];
}

/** The layers downwards, then upwards, several times. */
function* sweeps(count: number, below: ReadonlyMap<string, readonly string[]>): Generator<Sweep> {
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (let layer = 1; layer < count; layer += 1)
      yield { layer, other: layer - 1, neighbours: ({ above }) => above };
    for (let layer = count - 2; layer >= 0; layer -= 1)
      yield { layer, other: layer + 1, neighbours: ({ key }) => below.get(key) ?? [] };
  }
}

/** The mean of the values that there are; null without any. */
function mean(keys: readonly string[], values: ReadonlyMap<string, number>): number | null {
  const known = keys.flatMap((key) => values.get(key) ?? []);
  return known.length ? known.reduce((sum, each) => sum + each, 0) / known.length : null;
}

function widthOf(row: readonly Slot[]): number {
  return row.reduce((sum, { width }) => sum + width, 0);
}

/** The layers strictly between two nodes. */
function between(layers: ReadonlyMap<string, number>, from: string, to: string): number[] {
  const first = (layers.get(from) ?? 0) + 1;
  const count = Math.max(0, (layers.get(to) ?? 0) - first);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** No id of a task has a blank. */
function lineKey(from: string, layer: number): string {
  return `${from} ${layer}`;
}
