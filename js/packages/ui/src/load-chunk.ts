/** Loads separate bundles of the UI on demand (code splitting). */

import { BUILD_HASH } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { type Chunk, chunkFile, importSource } from '@jupyter-ac/page';
import type * as agent from './agent/index.ts';
import type * as colours from './colours/index.ts';
import { DiagramFrame } from './controllers/diagram-frame.ts';
import { addMathsFont } from './controllers/maths-font.ts';
import type * as dialogs from './dialogs/index.ts';
import type * as markdown from './markdown/index.ts';
import type * as maths from './maths/index.ts';
import type * as panels from './panels/index.ts';
import type * as viewer from './viewer/index.ts';

export type ViewerModule = typeof viewer;
export type LoadViewer = () => Promise<ViewerModule>;
export type MarkdownModule = typeof markdown;
export type LoadMarkdown = () => Promise<MarkdownModule>;
export type MathsModule = typeof maths;
export type LoadMaths = () => Promise<MathsModule>;
export type DialogsModule = typeof dialogs;
export type LoadDialogs = () => Promise<DialogsModule>;
export type ColoursModule = typeof colours;
export type LoadColours = () => Promise<ColoursModule>;
export type AgentModule = typeof agent;
export type LoadAgent = () => Promise<AgentModule>;
export type PanelsModule = typeof panels;
export type LoadPanels = () => Promise<PanelsModule>;
/** Views that cover the panel, each in a bundle of its own. */
export type View = 'browser' | 'plans' | 'panels';
/** Parts of the panel that are loaded when the section they belong to is shown. */
export type Part = 'context' | 'picker';
/** Loads the bundle of a view or a part, and registers its elements. */
export type RegisterView = (view: View | Part) => Promise<void>;
/** Fetches a bundle's source text, for a page that can't import it by URL. */
export type ChunkSource = (chunk: Chunk) => Promise<string>;

const RETRY_AFTER_MS = 30_000;
const NAMES: Readonly<Record<Chunk, string>> = {
  viewer: t('The viewer of files'),
  markdown: t('What shows answers'),
  maths: t('What sets formulas'),
  colours: t('What colours code'),
  dialogs: t('The dialog'),
  browser: t('The view of browsers'),
  agent: t('What shows runs'),
  plans: t('The view of plans'),
  panels: t('What shows panels'),
  context: t('The drawing of the context'),
  picker: t('The menu of files'),
};

export function viewerLoader(source?: ChunkSource, home?: string): LoadViewer {
  return loader<ViewerModule>('viewer', source, home);
}

export function markdownLoader(source?: ChunkSource, home?: string): LoadMarkdown {
  return loader<MarkdownModule>('markdown', source, home);
}

/** Also registers the font for formulas, where it can be fetched. */
export function mathsLoader(source?: ChunkSource, home = import.meta.url): LoadMaths {
  const load = loader<MathsModule>('maths', source, home);
  return async () => {
    const module = await load();
    if (isAddress(home)) addMathsFont(home);
    return module;
  };
}

export function dialogsLoader(source?: ChunkSource, home?: string): LoadDialogs {
  return loader<DialogsModule>('dialogs', source, home);
}

export function coloursLoader(source?: ChunkSource, home?: string): LoadColours {
  return loader<ColoursModule>('colours', source, home);
}

export function agentLoader(source?: ChunkSource, home?: string): LoadAgent {
  return loader<AgentModule>('agent', source, home);
}

export function panelsLoader(source?: ChunkSource, home?: string): LoadPanels {
  return loader<PanelsModule>('panels', source, home);
}

export function viewRegistrar(source?: ChunkSource, home?: string): RegisterView {
  const loaders = new Map<View | Part, () => Promise<{ register(): void }>>();
  return async (view) => {
    const load = loaders.get(view) ?? loader(view, source, home);
    loaders.set(view, load);
    (await load()).register();
  };
}

/** Loads a bundle, if need be again every 30 seconds; null when `stop` is aborted before it is there. */
export async function loadInsistently<Module>(
  load: () => Promise<Module>,
  stop: AbortSignal,
): Promise<Module | null> {
  while (!stop.aborted) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    }
  }
  return null;
}

/** Fallback diagram renderer; null for a UI imported from source text: Mermaid is too large for a comm. */
export function diagramFrame(home = import.meta.url): DiagramFrame | null {
  return isAddress(home) ? new DiagramFrame(home) : null;
}

/**
 * @param home - URL of the UI's bundle
 * @returns function that loads the bundle once, and again after a failure
 */
function loader<Module>(chunk: Chunk, source?: ChunkSource, home = import.meta.url): () => Promise<Module> {
  let loading: Promise<Module> | null = null;
  return () => {
    loading ??= load<Module>(chunk, source, home).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

function isAddress(home: string): boolean {
  return /^https?:/.test(home);
}

async function load<Module>(chunk: Chunk, source: ChunkSource | undefined, home: string): Promise<Module> {
  // A UI imported from source text has no URL, so no files beside it.
  const url = isAddress(home) ? new URL(chunkFile(chunk, BUILD_HASH), home).href : null;
  try {
    if (url) return (await import(/* webpackIgnore: true */ url)) as Module;
  } catch {
    // The server has another version, or is gone.
  }
  if (!source)
    throw new Error(t('%1 could not be loaded: reload the page, or restart the server.', NAMES[chunk]));
  return importSource<Module>(await source(chunk));
}
