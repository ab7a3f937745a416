// Runs a documented program as a page of the stand-alone server would: bundled with what it imports, in jsdom.
//
//   node documented_page.mjs NODE_MODULES PROGRAM PAGE_URL
//
// What the page logs is written on standard output, one JSON value (an array of the arguments) on a line.
// Each line of standard input is evaluated in the page; its end ends the page.
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';

const [modules, program, url] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), 'any.js'));
const { build } = require('esbuild');
const { JSDOM, VirtualConsole } = require('jsdom');

const { outputFiles } = await build({
  entryPoints: [program],
  bundle: true,
  format: 'iife',
  platform: 'browser',
  external: ['crypto'], // as docs/doors.md says
  nodePaths: [path.resolve(modules)],
  write: false,
});

const virtualConsole = new VirtualConsole();
virtualConsole.on('log', (...values) => process.stdout.write(`${JSON.stringify(values)}\n`));
for (const level of ['error', 'warn', 'jsdomError']) virtualConsole.on(level, console.error);
const { window } = new JSDOM('<!doctype html><body>', { url, runScripts: 'outside-only', virtualConsole });
window.eval(outputFiles[0].text);

readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => window.eval(line))
  .on('close', () => process.exit(0));
