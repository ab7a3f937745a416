import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  descendantsOf,
  type GraphCommit,
  LaneLayout,
  type LaneRow,
  reachableFrom,
} from '../../src/model/commit-graph.ts';

/** Any history: children before parents, each commit with up to three parents behind it. */
const histories = fc
  .array(fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }), { maxLength: 40 })
  .map((rows) =>
    rows.map((steps, at): GraphCommit => {
      const parents = steps.filter((step) => at + step < rows.length).map((step) => `c${at + step}`);
      return { sha: `c${at}`, parents };
    }),
  );

function layout(commits: readonly GraphCommit[]): readonly LaneRow[] {
  const lanes = new LaneLayout();
  lanes.add(commits);
  return lanes.rows;
}

describe('the lanes of a commit graph', () => {
  it('are one for a straight history', () => {
    const rows = layout([
      { sha: 'b', parents: ['a'] },
      { sha: 'a', parents: [] },
    ]);
    expect(rows).toEqual([
      { lane: 0, joins: [], forks: [0], passing: [] },
      { lane: 0, joins: [0], forks: [], passing: [] },
    ]);
  });

  it('part at a merge and come together at the common parent', () => {
    const rows = layout([
      { sha: 'merge', parents: ['main', 'side'] },
      { sha: 'side', parents: ['base'] },
      { sha: 'main', parents: ['base'] },
      { sha: 'base', parents: [] },
    ]);
    expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 1]);
    expect(rows[0]?.forks).toEqual([0, 1]);
    expect(rows[3]?.joins).toEqual([1]);
  });

  it('lead from each commit to each of its parents', () => {
    fc.assert(
      fc.property(histories, (commits) => {
        const rows = layout(commits);
        const at = new Map(commits.map(({ sha }, index) => [sha, index]));
        commits.forEach(({ parents }, index) => {
          const reached = parents.map((parent) => at.get(parent) ?? 0);
          // Following a lane down from the dot must end at one of the parents.
          const ends = (rows[index]?.forks ?? []).map((lane) => {
            for (let below = index + 1; below < rows.length; below += 1) {
              const row = rows[below];
              if (row?.joins.includes(lane)) return below;
              expect(row?.passing).toContain(lane);
            }
            return -1;
          });
          expect(new Set(ends)).toEqual(new Set(reached));
        });
      }),
    );
  });

  it('never change when further commits are added', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (commits, number) => {
        const cut = number % (commits.length + 1);
        const lanes = new LaneLayout();
        lanes.add(commits.slice(0, cut));
        const before = structuredClone(lanes.rows);
        lanes.add(commits.slice(cut));
        expect(lanes.rows.slice(0, cut)).toEqual(before);
        expect(lanes.rows).toEqual(layout(commits));
      }),
    );
  });

  it('never let two lines share a lane in a row', () => {
    fc.assert(
      fc.property(histories, (commits) => {
        for (const { lane, joins, passing } of layout(commits)) {
          expect(passing).not.toContain(lane);
          expect(passing.filter((other) => joins.includes(other))).toEqual([]);
        }
      }),
    );
  });
});

describe('what is reachable', () => {
  it('is the same from above and from below', () => {
    fc.assert(
      fc.property(histories, (commits) => {
        for (const { sha } of commits) {
          const reached = new Set(reachableFrom(commits, [sha]).map((commit) => commit.sha));
          for (const other of commits)
            expect(reached.has(other.sha)).toBe(descendantsOf(commits, other.sha).has(sha));
        }
      }),
    );
  });
});
