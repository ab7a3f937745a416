// The licences of everything that a bundle contains, as they ask for when it is passed on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './hash.mjs';

/** Folders of the packages whose files went into a build. */
function packagesOf(metafile) {
  const inner = Object.keys(metafile.inputs).flatMap((path) => {
    const parts = path.split('/');
    const at = parts.lastIndexOf('node_modules');
    if (at < 0) return [];
    return [parts.slice(0, at + (parts[at + 1].startsWith('@') ? 3 : 2)).join('/')];
  });
  return [...new Set(inner)].sort();
}

/** Text for a file beside the bundle. */
export function licensesOf(metafile, more) {
  const folders = [...new Set([...packagesOf(metafile), ...more])];
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file || !existsSync(join(ROOT, folder, file))) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
