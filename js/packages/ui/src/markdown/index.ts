/** Bundle that renders Markdown, loaded beside the first state of the conversation; until then texts are shown as they are. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import type { DiagramRenderer } from '@jupyter-ac/page';
import type { LoadColours, LoadDialogs, LoadMaths } from '../load-chunk.ts';
import { CodeHighlighter } from './code-highlighter.ts';
import { DiagramBlocks } from './diagrams.ts';
import { FormulaRenderer } from './formulas.ts';
import { RepositoryImages } from './images.ts';
import { MarkdownRenderer } from './markdown-renderer.ts';
import { NotebookCode } from './notebook-code.ts';
import { PostProcessor } from './post-processor.ts';

export interface MarkdownParts {
  readonly loadMaths: LoadMaths;
  readonly loadColours: LoadColours;
  readonly loadDialogs: LoadDialogs;
  /** Returns the current renderer of diagrams; null for none. */
  readonly diagrams: () => DiagramRenderer | null;
  /** Returns the panel's connection. */
  readonly rpc: () => Rpc;
}

export function newMarkdownRenderer(parts: MarkdownParts): MarkdownRenderer {
  return new MarkdownRenderer(
    new PostProcessor(
      new FormulaRenderer(parts.loadMaths),
      new CodeHighlighter(parts.loadColours),
      new DiagramBlocks(parts.diagrams),
      new NotebookCode(parts.loadDialogs, parts.rpc),
      new RepositoryImages(parts.rpc),
    ),
  );
}
