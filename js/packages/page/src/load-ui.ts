/** Gets the UI's module, from the server or from source text. */

import { staticUrl } from './connection-target.ts';
import type { PageConfig } from './page-config.ts';

/** The bundle's file name; the hash is the one that the loader was built with. */
export function uiFile(hash: string): string {
  return `ui-${hash}.js`;
}

/** What the UI loads when it is first wanted: the viewer of files, the setting of formulas, the colours of code. */
export type Chunk = 'viewer' | 'maths' | 'colours';

export function chunkFile(chunk: Chunk, hash: string): string {
  return `${chunk}-${hash}.js`;
}

/** The font of formulas. */
export function fontFile(hash: string): string {
  return `maths-${hash}.woff2`;
}

/** Rejects when the server has no such file (another version) or can't be reached. */
export function importUi<Module>(page: PageConfig, hash: string): Promise<Module> {
  return import(/* webpackIgnore: true */ staticUrl(page, uiFile(hash))) as Promise<Module>;
}

/** Runs the bundle's text as a module of its own. */
export async function importSource<Module>(source: string): Promise<Module> {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return (await import(/* webpackIgnore: true */ url)) as Module;
  } finally {
    URL.revokeObjectURL(url);
  }
}
