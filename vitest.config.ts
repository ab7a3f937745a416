import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { jrpcOoInTests } from './js/tools/jrpc-oo-plugin.mjs';
import { pythonBatches } from './js/tools/python-batches-plugin.mjs';

const entities = fileURLToPath(new URL('./js/packages/ui/src/markdown/entities.ts', import.meta.url));
const lumino = fileURLToPath(new URL('./js/packages/lab/test/support/lumino.ts', import.meta.url));
const notebook = fileURLToPath(new URL('./js/packages/lab/test/support/notebook.ts', import.meta.url));
const apputils = fileURLToPath(new URL('./js/packages/lab/test/support/apputils.ts', import.meta.url));
const model = 'js/packages/ui/test/model/**/*.test.ts';

export default defineConfig({
  define: { __AC_HASH__: '"000000"', __AC_VERSION__: '"0.1.0"', __AC_CATALOGUES__: '[]' },
  plugins: [jrpcOoInTests, pythonBatches],
  resolve: {
    alias: [
      { find: /^entities$/, replacement: entities },
      { find: /^@lumino\/widgets$/, replacement: lumino },
      { find: /^@jupyterlab\/notebook$/, replacement: notebook },
      { find: /^@jupyterlab\/apputils$/, replacement: apputils },
    ],
  },
  test: {
    // Bounds are for what never comes; a machine with much to do takes its time for what comes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Files share a process and its modules: loading Lit and a page anew for each takes longer than its tests.
    isolate: false,
    server: { deps: { inline: [/@flatmax/, /markdown-it/] } },
    projects: [
      { extends: true, test: { name: 'model', environment: 'node', include: [model] } },
      { extends: true, test: { name: 'tools', environment: 'node', include: ['js/tools/*.test.mjs'] } },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['js/packages/*/test/**/*.test.ts'],
          exclude: [model],
        },
      },
    ],
  },
});
