// Names every platform's optional binaries in package-lock.json: `npm run lock`, after `npm install`.
//
// npm leaves out of the lock what the registry at hand does not serve, and `npm ci` then refuses the
// lock on every machine. A binary for another platform is never fetched, so its name, version and
// platform are enough.
import { readFileSync, writeFileSync } from 'node:fs';

const LOCK = new URL('../../package-lock.json', import.meta.url);
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];
const ALIASES = { arm: ['armhf'], ppc64: ['ppc64le'], s390x: [], x64: [] };

const words = (name) => name.split(/[/-]/);
const found = (name, list) =>
  list.filter((word) => [word, ...(ALIASES[word] ?? [])].some((spelling) => words(name).includes(spelling)));

const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
const added = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${place}/node_modules/${name}`;
    const top = `node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[top]) continue;
    const [os, cpu] = [found(name, SYSTEMS), found(name, PROCESSORS)];
    if (cpu.length === 0) throw new Error(`${name}: which platform is it for?`);
    lock.packages[top] = {
      version: version.replace(/^[\^~]/, ''),
      cpu,
      ...(entry.dev ? { dev: true } : {}),
      ...(name.endsWith('musl') ? { libc: ['musl'] } : {}),
      ...(name.endsWith('gnu') ? { libc: ['glibc'] } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    };
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} added${added.length ? `: ${added.join(', ')}` : ''}`);
