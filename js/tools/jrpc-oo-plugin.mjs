// `@flatmax/jrpc-oo` ships one ES module with branches that only node takes; their `require`s
// would be left in our bundles. In a browser these branches are dead: say so to the bundler.
import { readFile } from 'node:fs/promises';

const BUNDLE = /@flatmax[\\/]jrpc-oo[\\/]dist[\\/]bundle\.js$/;
const NODE_BRANCHES = [
  "typeof module !== 'undefined' && typeof module.exports !== 'undefined'",
  '"object"==typeof exports&&"undefined"!=typeof module',
];

/** The module's source as a browser runs it. */
export function browserOnly(source) {
  for (const branch of NODE_BRANCHES) {
    if (!source.includes(branch)) throw new Error(`jrpc-oo has changed: it has no ${branch}`);
  }
  return NODE_BRANCHES.reduce((text, branch) => text.replaceAll(branch, 'false'), source);
}

/** For esbuild. */
export const jrpcOo = {
  name: 'jrpc-oo',
  setup(build) {
    build.onLoad({ filter: BUNDLE }, async ({ path }) => ({
      contents: browserOnly(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** For vite, whose test runner offers `module` and `exports` to ES modules too. */
export const jrpcOoInTests = {
  name: 'jrpc-oo',
  enforce: 'pre',
  transform(source, id) {
    return BUNDLE.test(id.split('?')[0]) ? browserOnly(source) : null;
  },
};
