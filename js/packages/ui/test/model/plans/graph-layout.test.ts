import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutGraph, type Node } from '../../../src/model/plans/graph-layout.ts';

/** Nodes whose dependencies come before them, in any order. */
const acyclic = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 14 })
  .map((rows) =>
    rows.map(
      (before, index): Node => ({
        id: `t${index}`,
        dependencies: [...new Set(before.filter((each) => each < index).map((each) => `t${each}`))],
      }),
    ),
  )
  .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }));
/** With cycles, and with names of nothing. */
const any = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    dependencies: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'x')),
  }),
);

const layersOf = (nodes: readonly Node[]) =>
  new Map(layoutGraph(nodes).places.map(({ id, layer }) => [id, layer]));

describe('the layout of a graph', () => {
  it('is nothing for nothing', () => {
    expect(layoutGraph([])).toEqual({ places: [], edges: [], columns: 0, layers: 0 });
  });

  it('has each node once, right below the last of those that it depends on', () => {
    fc.assert(
      fc.property(acyclic, (nodes) => {
        const layers = layersOf(nodes);
        expect([...layers.keys()].sort()).toEqual(nodes.map(({ id }) => id).sort());
        for (const { id, dependencies } of nodes) {
          const before = dependencies.map((each) => layers.get(each) ?? 0);
          expect(layers.get(id)).toBe(before.length ? Math.max(...before) + 1 : 0);
        }
      }),
    );
  });

  it('has a line for each dependency, which passes each layer between once', () => {
    fc.assert(
      fc.property(acyclic, (nodes) => {
        const { edges } = layoutGraph(nodes);
        const layers = layersOf(nodes);
        const wanted = nodes.flatMap(({ id, dependencies }) => dependencies.map((each) => `${each} ${id}`));
        expect(edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(wanted.sort());
        for (const { from, to, through } of edges)
          expect(through).toHaveLength((layers.get(to) ?? 0) - (layers.get(from) ?? 0) - 1);
      }),
    );
  });

  it('lets no nodes of a layer overlap, and none stand out', () => {
    fc.assert(
      fc.property(acyclic, (nodes) => {
        const { places, columns, layers, edges } = layoutGraph(nodes);
        for (let layer = 0; layer < layers; layer += 1) {
          const row = places.filter((place) => place.layer === layer).map(({ x }) => x);
          expect(row.length).toBeGreaterThan(0);
          expect(Math.min(...row)).toBeGreaterThanOrEqual(0.5 - 1e-9);
          expect(Math.max(...row)).toBeLessThanOrEqual(columns - 0.5 + 1e-9);
          row.slice(1).forEach((x, index) => {
            expect(x - (row[index] ?? 0)).toBeGreaterThanOrEqual(1 - 1e-9);
          });
        }
        for (const { from, through } of edges) {
          const start = places.find(({ id }) => id === from)?.layer ?? 0;
          through.forEach((x, index) => {
            const there = places.filter(({ layer }) => layer === start + 1 + index);
            for (const place of there) expect(Math.abs(place.x - x)).toBeGreaterThan(0.5);
          });
        }
      }),
    );
  });

  it('ends for cycles and unknown names too, with each node once', () => {
    fc.assert(
      fc.property(any, (nodes) => {
        const layers = layersOf(nodes);
        expect([...layers.keys()].sort()).toEqual([...new Set(nodes.map(({ id }) => id))].sort());
        for (const { from, to } of layoutGraph(nodes).edges)
          expect(layers.get(from) ?? 0).toBeLessThan(layers.get(to) ?? 0);
      }),
    );
  });

  it('puts nodes below those that they depend on, so that lines need not cross', () => {
    const { places } = layoutGraph([
      { id: 'a', dependencies: [] },
      { id: 'b', dependencies: [] },
      { id: 'c', dependencies: ['b'] },
      { id: 'd', dependencies: ['a'] },
    ]);
    const x = new Map(places.map((place) => [place.id, place.x]));
    expect(Math.sign((x.get('a') ?? 0) - (x.get('b') ?? 0))).toBe(
      Math.sign((x.get('d') ?? 0) - (x.get('c') ?? 0)),
    );
  });

  it('has room for a hundred nodes that depend on all before', () => {
    const nodes = Array.from({ length: 100 }, (_, index) => ({
      id: `t${index}`,
      dependencies: Array.from({ length: index }, (_each, before) => `t${before}`),
    }));
    const { layers, edges } = layoutGraph(nodes);
    expect([layers, edges.length]).toEqual([100, 4950]);
  });
});
