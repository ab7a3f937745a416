// Prints what the front end weighs over the wire; fails when the UI passes its bar.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './hash.mjs';

const BAR_KB = 150;
const folder = join(ROOT, 'jupyter_ac', 'static');
const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
if (!files.some((name) => name.startsWith('ui-'))) throw new Error('no UI bundle: run `npm run build` first');

for (const name of files) {
  const content = readFileSync(join(folder, name));
  const kb = gzipSync(content, { level: 9 }).length / 1000;
  const isOk = !name.startsWith('ui-') || kb <= BAR_KB;
  console.log(
    `${name}  ${(content.length / 1000).toFixed(1)} kB  ${kb.toFixed(1)} kB gzip${isOk ? '' : `  over ${BAR_KB} kB`}`,
  );
  if (!isOk) process.exitCode = 1;
}
