// Builds what the Python package ships: jupyter_ac/static (UI, widget loader, page) and jupyter_ac/labextension.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { declarationsOf } from './declarations.mjs';
import { buildHash, ROOT } from './hash.mjs';
import { jrpcOo } from './jrpc-oo-plugin.mjs';
import { licensesOf } from './licenses.mjs';
import { withoutLargeParts } from './mermaid-plugin.mjs';

const STATIC = join(ROOT, 'jupyter_ac', 'static');
const FONT = 'node_modules/@fontsource/noto-sans-math';
const PACKAGES = join(ROOT, 'js', 'packages');
// What stands for markdown-it's table of HTML entities.
const ENTITIES = join(PACKAGES, 'ui', 'src', 'markdown', 'entities.ts');
const require = createRequire(import.meta.url);

function packageVersion() {
  const source = readFileSync(join(ROOT, 'jupyter_ac', 'version.py'), 'utf8');
  const version = /^__version__[^"']*["']([^"']+)["']/m.exec(source)?.[1];
  const lab = require(join(PACKAGES, 'lab', 'package.json')).version;
  if (!version || version !== lab) {
    throw new Error(
      `jupyter_ac/version.py says ${version}, js/packages/lab/package.json ${lab}: make them equal`,
    );
  }
  return version;
}

const LOCALES = join(ROOT, 'jupyter_ac', 'locale');
const catalogues = readdirSync(LOCALES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const hash = buildHash();
const version = packageVersion();
const ui = `ui-${hash}.js`;
const CHUNKS = [
  'viewer',
  'markdown',
  'maths',
  'colours',
  'dialogs',
  'browser',
  'agent',
  'plans',
  'panels',
  'context',
  'picker',
];
const chunks = Object.fromEntries(CHUNKS.map((name) => [name, `${name}-${hash}.js`]));
const font = `maths-${hash}.woff2`;
const diagrams = `diagrams-${hash}.html`;

function options(entry, outfile, more = {}) {
  return {
    entryPoints: [join(PACKAGES, ...entry)],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __AC_HASH__: JSON.stringify(hash),
      __AC_VERSION__: JSON.stringify(version),
      __AC_CATALOGUES__: JSON.stringify(catalogues),
      'process.env.NODE_ENV': '"production"',
    },
    ...more,
  };
}

// One file: a page without an origin would ask for a script as a stranger does. Its own policy names the
// script by its hash, so that no other one runs there.
async function buildDiagrams() {
  const more = { format: 'iife', plugins: [withoutLargeParts], metafile: true, write: false };
  const { metafile, outputFiles } = await build(
    options(['diagrams', 'src', 'index.ts'], join(STATIC, 'diagrams.js'), more),
  );
  const script = outputFiles[0].text;
  const hash = createHash('sha256').update(script).digest('base64');
  const template = readFileSync(join(PACKAGES, 'diagrams', 'src', 'page.html'), 'utf8');
  const page = template.replace('SCRIPT-HASH', hash).replace('SCRIPT', () => script);
  writeFileSync(join(STATIC, diagrams), page);
  return metafile;
}

// @jupyter/builder's own program; JupyterLab's packages are shared at run time and not installed here.
function buildLabExtension() {
  const builder = join(dirname(require.resolve('@jupyter/builder')), 'build-labextension.js');
  const core = join(dirname(require.resolve('@jupyterlab/core-meta/package.json')), 'core.package.json');
  const run = spawnSync(process.execPath, [builder, '--core-package-file', core, join(PACKAGES, 'lab')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`the lab extension was not built:\n${run.stdout}${run.stderr}`);
}

// What lies bundled in packages that we bundle: in jrpc-oo, and in Mermaid's parser.
const INSIDE = [
  'jrpc',
  'langium',
  'path-browserify',
  'chevrotain',
  'chevrotain-allstar',
  '@chevrotain/gast',
  '@chevrotain/regexp-to-ast',
  '@chevrotain/utils',
  'vscode-jsonrpc',
  'vscode-languageserver-protocol',
  'vscode-languageserver-textdocument',
  'vscode-languageserver-types',
  'vscode-uri',
].map((name) => `node_modules/${name}`);

mkdirSync(STATIC, { recursive: true });
const { metafile } = await build(
  options(['ui', 'src', 'index.ts'], join(STATIC, ui), { plugins: [jrpcOo], metafile: true }),
);
const built = [metafile];
for (const [chunk, file] of Object.entries(chunks)) {
  const entry = ['ui', 'src', chunk, 'index.ts'];
  const more = { plugins: [jrpcOo], alias: { entities: ENTITIES }, metafile: true };
  built.push((await build(options(entry, join(STATIC, file), more))).metafile);
}
built.push(await buildDiagrams());
// Split: what isn't needed when JupyterLab starts is loaded later.
const labLib = join(PACKAGES, 'lab', 'lib');
rmSync(labLib, { recursive: true, force: true });
const lab = {
  ...{ outdir: labLib, outfile: undefined, splitting: true },
  ...{ external: ['@jupyterlab/*', '@lumino/*'], minify: false, metafile: true },
};
built.push((await build(options(['lab', 'src', 'index.ts'], '', lab))).metafile);
copyFileSync(join(ROOT, FONT, 'files', 'noto-sans-math-latin-400-normal.woff2'), join(STATIC, font));
const inputs = Object.assign({}, ...built.map((each) => each.inputs));
writeFileSync(join(STATIC, 'third-party-licenses.txt'), licensesOf({ inputs }, [...INSIDE, FONT]));
await build(options(['widget', 'src', 'index.ts'], join(STATIC, 'widget.js')));
await build(options(['widget', 'src', 'plugin.ts'], join(STATIC, 'plugin.js')));
await build(options(['standalone', 'src', 'index.ts'], join(STATIC, 'page.js')));
// For programs and pages of others: under a name that stays, and readable.
await build(options(['http-client', 'src', 'index.ts'], join(STATIC, 'http-client.js'), { minify: false }));
writeFileSync(
  join(STATIC, 'http-client.d.ts'),
  declarationsOf(join(PACKAGES, 'http-client', 'src'), ['errors.ts', 'index.ts']),
);
for (const name of ['page.html', 'page.css', 'icon.svg']) {
  copyFileSync(join(PACKAGES, 'standalone', 'src', name), join(STATIC, name));
}
for (const name of catalogues) {
  const source = join(LOCALES, name, 'LC_MESSAGES', 'jupyter_ac.json');
  copyFileSync(source, join(STATIC, `messages-${name}.json`));
}
buildLabExtension();
// Written when everything that it names is there; only then do older bundles go.
writeFileSync(join(STATIC, 'build.json'), `${JSON.stringify({ hash, ui, version })}\n`);
for (const name of readdirSync(STATIC)) {
  const isOld = ![ui, ...Object.values(chunks), diagrams, font].includes(name);
  const isBuilt = ['ui', 'diagrams', ...CHUNKS].some((chunk) => name.startsWith(`${chunk}-`));
  if (isOld && isBuilt && /\.(js|html|woff2)$/.test(name)) rmSync(join(STATIC, name));
}
console.log(`built ${version} (${hash})`);
