// The build hash: first six hex digits of sha256 over `path \0 content \0` of each file under
// js/packages/*/src and of package-lock.json, sorted by path ('/' between segments, from the root).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function filesUnder(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Paths of all hashed files relative to the root, sorted. */
export function hashedFiles() {
  const packages = join(ROOT, 'js', 'packages');
  const sources = readdirSync(packages)
    .map((name) => join(packages, name, 'src'))
    .filter(existsSync)
    .flatMap(filesUnder);
  return [join(ROOT, 'package-lock.json'), ...sources]
    .map((file) => relative(ROOT, file).split(sep).join('/'))
    .sort();
}

export function buildHash() {
  const sum = createHash('sha256');
  for (const path of hashedFiles()) {
    sum
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return sum.digest('hex').slice(0, 6);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildHash());
