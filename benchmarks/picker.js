// What the picker does on the page's main thread with 50,000 files; processor time of each step, in ms.
import { PathMatches } from '../js/packages/ui/src/model/path-filter.ts';
import { Tree } from '../js/packages/ui/src/model/tree.ts';
import { countTicked, rowsOf } from '../js/packages/ui/src/model/tree-rows.ts';

const FILES = 50_000;
const ROUNDS = 5;
/** As many rows as the server sends at once; a longer step would hold up the page. */
const SLICE = 2000;

const pad = (number, digits) => String(number).padStart(digits, '0');
const paths = Array.from(
  { length: FILES },
  (_, at) => `src/pkg_${pad(at % 100, 2)}/module_${pad(at, 5)}.py`,
).sort();
const rows = paths.map((path, at) => ({
  ...{ path, lines: at % 97, changedAt: (at * 7919) % FILES, flags: 0, additions: 0, deletions: 0 },
}));
const steps = { load: [], rows: [], filter: [], order: [], ticks: [] };

function timed(step, work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  steps[step].push((user + system) / 1000);
  return result;
}

for (let round = 0; round < ROUNDS; round += 1) {
  const tree = new Tree();
  for (let start = 0; start < FILES; start += SLICE)
    timed('load', () => rows.slice(start, start + SLICE).forEach((row) => tree.put(row)));
  timed('rows', () => rowsOf(tree.root, () => true, null));
  const matches = new PathMatches('module_0');
  for (const file of tree.files.values()) matches.add(file);
  timed('filter', () => rowsOf(tree.root, () => true, matches));
  timed('order', () =>
    rowsOf(tree.root, () => true, null, (folder) =>
      [...folder.children].sort((one, other) =>
        one.isDir || other.isDir ? 0 : other.state.changedAt - one.state.changedAt,
      ),
    ),
  );
  timed('ticks', () => countTicked(tree, paths, null));
}
console.log(JSON.stringify(steps));
