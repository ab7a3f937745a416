// The licences of everything that a bundle contains, as they ask for when it is passed on.
import { readdirSync, readFileSync } from 'node:fs';
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

/** From a file of its own, or from the end of what the package says of itself. */
function textIn(folder, name) {
  const files = readdirSync(folder);
  const own = files.find((entry) => /^licen[cs]e/i.test(entry));
  if (own) return readFileSync(join(folder, own), 'utf8').trim();
  const about = files.find((entry) => /^readme/i.test(entry));
  const text = about && /^#+ Licen[cs]e$(.*)/ims.exec(readFileSync(join(folder, about), 'utf8'))?.[1];
  if (!text?.includes('Copyright')) throw new Error(`${name} has no licence`);
  return text.trim();
}

/** Text for a file beside the bundle. */
export function licensesOf(metafile, more) {
  const folders = [...new Set([...packagesOf(metafile), ...more])];
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${textIn(join(ROOT, folder), name)}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
