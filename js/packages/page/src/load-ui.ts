/** Imports the UI's bundle, from the server or from source text. */

import { staticUrl } from './connection-target.ts';
import type { PageConfig } from './page-config.ts';

/** File name of the bundle; the hash is the build hash of the loader. */
export function uiFile(hash: string): string {
  return `ui-${hash}.js`;
}

/** Bundles loaded on demand: file viewer, Markdown, formula renderer, syntax highlighter, dialogs, views of browsers and plans, agent runs, panels of plugins, drawing of the context, menu of files. */
export type Chunk =
  | 'viewer'
  | 'markdown'
  | 'maths'
  | 'colours'
  | 'dialogs'
  | 'browser'
  | 'agent'
  | 'plans'
  | 'panels'
  | 'context'
  | 'picker';

export function chunkFile(chunk: Chunk, hash: string): string {
  return `${chunk}-${hash}.js`;
}

/** File name of the font for formulas. */
export function fontFile(hash: string): string {
  return `maths-${hash}.woff2`;
}

/** Rejects when the server has no such file (another version) or can't be reached. */
export function importUi<Module>(page: PageConfig, hash: string): Promise<Module> {
  return import(/* webpackIgnore: true */ staticUrl(page, uiFile(hash))) as Promise<Module>;
}

/** Imports source text as a module. */
export async function importSource<Module>(source: string): Promise<Module> {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return (await import(/* webpackIgnore: true */ url)) as Module;
  } finally {
    URL.revokeObjectURL(url);
  }
}
