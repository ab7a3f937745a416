// Prints what the front end weighs over the wire; fails when a bundle passes its bar.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './hash.mjs';

/** Bars by the beginning of the name, in kB gzip. */
const BARS = { 'ui-': 150, 'panels-': 40 };
const folder = join(ROOT, 'jupyter_ac', 'static');
const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
if (!files.some((name) => name.startsWith('ui-'))) throw new Error('no UI bundle: run `npm run build` first');

for (const name of files) {
  const content = readFileSync(join(folder, name));
  const kb = gzipSync(content, { level: 9 }).length / 1000;
  const bar = Object.entries(BARS).find(([start]) => name.startsWith(start))?.[1] ?? Number.POSITIVE_INFINITY;
  const isOk = kb <= bar;
  console.log(
    `${name}  ${(content.length / 1000).toFixed(1)} kB  ${kb.toFixed(1)} kB gzip${isOk ? '' : `  over ${bar} kB`}`,
  );
  if (!isOk) process.exitCode = 1;
}
