/** Gets the viewer of files, a bundle of its own, when it is first wanted. */

import { BUILD_HASH } from '@jupyter-ac/link';
import { importSource, viewerFile } from '@jupyter-ac/page';
import type * as viewer from './viewer/index.ts';

export type ViewerModule = typeof viewer;
export type LoadViewer = () => Promise<ViewerModule>;

const NO_VIEWER = 'The viewer of files could not be loaded: reload the page, or restart the server.';

/**
 * @param source - its text, for a page that can't fetch it from where the UI came from
 * @param home - where the UI came from
 * @returns loads it once; after a failure again
 */
export function viewerLoader(source?: () => Promise<string>, home = import.meta.url): LoadViewer {
  let loading: Promise<ViewerModule> | null = null;
  return () => {
    loading ??= load(source, home).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function load(source: (() => Promise<string>) | undefined, home: string): Promise<ViewerModule> {
  // A UI that was run from its text has nothing beside it.
  const url = /^https?:/.test(home) ? new URL(viewerFile(BUILD_HASH), home).href : null;
  try {
    if (url) return (await import(/* webpackIgnore: true */ url)) as ViewerModule;
  } catch {
    // The server is another version, or has gone.
  }
  if (!source) throw new Error(NO_VIEWER);
  return importSource<ViewerModule>(await source());
}
