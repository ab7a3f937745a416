// Runs a documented program as a page of the stand-alone server would, in jsdom.
//
//   node documented_page.mjs NODE_MODULES BUNDLE PAGE_URL
//
// What the page logs is written on standard output, one JSON value (an array of the arguments) on a line.
// Each line of standard input is evaluated in the page; its end ends the page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';

const [modules, bundle, url] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), 'any.js'));
const { JSDOM, VirtualConsole } = require('jsdom');

const virtualConsole = new VirtualConsole();
virtualConsole.on('log', (...values) => process.stdout.write(`${JSON.stringify(values)}\n`));
for (const level of ['error', 'warn', 'jsdomError']) virtualConsole.on(level, console.error);
const { window } = new JSDOM('<!doctype html><body>', { url, runScripts: 'outside-only', virtualConsole });
window.eval(readFileSync(bundle, 'utf-8'));

readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => window.eval(line))
  .on('close', () => process.exit(0));
