// In tests: what panels in Python send over random changes of random trees, recorded when it is imported.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './hash.mjs';

const NAME = 'virtual:python-batches';
const SEED = 1;
const COUNT = 150;

export const pythonBatches = {
  name: 'python-batches',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
  load(id) {
    if (id !== `\0${NAME}`) return null;
    const output = execFileSync(
      join(ROOT, '.venv', 'bin', 'python'),
      ['-m', 'tests.panels.recorded_batches', `${SEED}`, `${COUNT}`],
      { cwd: ROOT, env: { ...process.env, PYTHONPATH: ROOT }, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    return `export default ${JSON.stringify(output)};`;
  },
};
