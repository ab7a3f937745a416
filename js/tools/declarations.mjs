// The types of a package for its users, in one file.
import { basename, join } from 'node:path';
import ts from 'typescript';

const OPTIONS = {
  declaration: true,
  emitDeclarationOnly: true,
  allowImportingTsExtensions: true,
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};

/**
 * Puts the declarations of modules one after the other, without what they import from each other and export
 * of each other.
 *
 * @param folder of the sources
 * @param modules all whose declarations the last one, the entry, refers to
 */
export function declarationsOf(folder, modules) {
  const program = ts.createProgram(
    modules.map((name) => join(folder, name)),
    OPTIONS,
  );
  const wrong = ts.getPreEmitDiagnostics(program);
  const told = new Map();
  program.emit(undefined, (path, text) => told.set(basename(path), text));
  if (wrong.length) throw new Error(ts.formatDiagnostics(wrong, HOST));
  // Each begins with a sentence on the module.
  const texts = modules.map((name) => told.get(name.replace(/\.ts$/, '.d.ts')).replace(/^\/\*\*.*\n/, ''));
  const text = texts.join('').replace(/^import .*;\n|^export \{.*\};\n/gm, '');
  return `${text}export {};\n`; // what isn't marked as exported isn't
}

const HOST = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => '',
  getNewLine: () => '\n',
};
