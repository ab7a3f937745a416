/** Provider of JupyterLab's inline completions: ghost text at the cursor of cells and files. */

import { t } from '@jupyter-ac/messages';
import type { InlineContext, InlineItem, InlineRequest } from '@jupyterlab/completer';
import type { Cell } from '@jupyterlab/notebook';
import { folderOf } from './current-folder.ts';

/** Characters that are sent at most; the server takes fewer, and the same ones while one types. */
const PREFIX_CHARS = 16_000;
const SUFFIX_CHARS = 4000;
const CELLS = 20;
/** How long an answer to the question whether it is on counts. */
const STATE_MS = 20_000;

export interface InlineState {
  readonly enabled: boolean;
  readonly delay_ms: number;
}

export interface CodeCell {
  readonly id: string;
  readonly text: string;
}

/** What is sent of a place in code. */
export interface InlinePlace {
  /** Under the server's root. */
  readonly path: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly language: string;
  /** Cells of the same type above and below. */
  readonly before: readonly CodeCell[];
  readonly after: readonly CodeCell[];
}

export interface InlinePorts {
  /** Asks the server whether code is completed. */
  state(): Promise<InlineState>;
  /** Asks for a completion; '' for none. Rejects when it is aborted, or the server refuses. */
  complete(folder: string, place: InlinePlace, signal: AbortSignal): Promise<string>;
  /** Path under the server's root; null for a document of another drive. */
  localPath(path: string): string | null;
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The last suggestion: typing along it asks nobody. */
interface Shown {
  readonly path: string;
  readonly cell: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly text: string;
}

export class InlineProvider {
  readonly name = t('AI Pair');
  readonly identifier = 'jupyter-ac';
  /** Our own delay comes before each request; JupyterLab waits until models have loaded. */
  readonly schema = {
    default: { enabled: true, timeout: 60_000, debouncerDelay: 0, autoFillInMiddle: true },
  };
  #state: Promise<InlineState> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #running = new AbortController();
  #shown: Shown | null = null;

  constructor(private readonly ports: InlinePorts) {}

  /** Never rejects: JupyterLab would show the error at each key. */
  async fetch(request: InlineRequest, context: InlineContext): Promise<{ items: InlineItem[] }> {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const place = this.#place(request, context);
    if (!place) return { items: [] };
    const cell = activeCell(context);
    const known = this.#remainder(place, cell);
    if (known !== null) return { items: known ? [{ insertText: known }] : [] };
    try {
      const { enabled, delay_ms } = await this.#currentState();
      if (!enabled || signal.aborted) return { items: [] };
      await this.ports.wait(delay_ms, signal);
      const text = await this.ports.complete(folderOf(place.path), place, signal);
      if (signal.aborted || !text) return { items: [] };
      const { path, prefix, suffix } = place;
      this.#shown = { path, cell, prefix, suffix, text };
      return { items: [{ insertText: text }] };
    } catch {
      return { items: [] };
    }
  }

  /** What is left of the last suggestion while the user types along it; null when it doesn't fit any more. */
  #remainder({ path, prefix, suffix }: InlinePlace, cell: string): string | null {
    const shown = this.#shown;
    if (!shown || shown.path !== path || shown.cell !== cell || shown.suffix !== suffix) return null;
    if (!prefix.startsWith(shown.prefix)) return null;
    const typed = prefix.slice(shown.prefix.length);
    // Nothing follows a suggestion that was taken until the next key.
    return shown.text.startsWith(typed) ? shown.text.slice(typed.length) : null;
  }

  /** Asks the server now and then; all keys until its answer wait for the same one. */
  #currentState(): Promise<InlineState> {
    const now = this.ports.now();
    if (!this.#state || now - this.#askedAt > STATE_MS) {
      this.#askedAt = now;
      this.#state = this.ports.state();
    }
    return this.#state;
  }

  #place({ text, offset, mimeType }: InlineRequest, { widget }: InlineContext): InlinePlace | null {
    const path = widget.context ? this.ports.localPath(widget.context.path) : null;
    if (path === null || !text.slice(0, offset).trim()) return null;
    const { content } = widget;
    const cells = content?.widgets ?? [];
    const at = content?.activeCell ? cells.indexOf(content.activeCell) : -1;
    const isAlike = ({ model }: Cell): boolean => model.type === content?.activeCell?.model.type;
    const above = cells.slice(0, Math.max(0, at)).filter(isAlike);
    const below = at < 0 ? [] : cells.slice(at + 1).filter(isAlike);
    return {
      path,
      prefix: text.slice(Math.max(0, offset - PREFIX_CHARS), offset),
      suffix: text.slice(offset, offset + SUFFIX_CHARS),
      language: languageOf(mimeType ?? ''),
      before: above.slice(-CELLS).map(codeCell),
      after: below.slice(0, CELLS).map(codeCell),
    };
  }
}

function activeCell({ widget }: InlineContext): string {
  return widget.content?.activeCell?.model.id ?? '';
}

function codeCell({ model }: Cell): CodeCell {
  return { id: model.id, text: model.sharedModel.getSource() };
}

/** Name of a language by its MIME type: `text/x-python` is `python`. */
function languageOf(mimeType: string): string {
  const name = (mimeType.split(/[/;]/)[1] ?? '').replace(/^x-/, '');
  if (name === 'ipythongfm') return 'markdown';
  return name === 'ipython' ? 'python' : name;
}
