/** Open documents of JupyterLab: tells the server of them, edits notebooks, reloads what changed on disk. */

import type { NotebookCell, NotebookEdit, NotebookEdited, OpenNotebookRow } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { OpenDocuments } from '@jupyter-ac/page';
import type { DocumentContext, JupyterFrontEnd } from '@jupyterlab/application';
import type { SharedNotebook } from '@jupyterlab/notebook';
import { DRIVES } from './current-folder.ts';
import { cellsOf, editNotebook, languageOf } from './open-notebook.ts';

/** Characters of the sources of a notebook; a longer one counts as a file. */
const MAX_SOURCES = 2_000_000;

export class LabDocuments implements OpenDocuments {
  readonly #app: JupyterFrontEnd;
  readonly #root: string | null;
  readonly #reverts = new WeakMap<DocumentContext, Promise<void>>();
  /** When the user last did something in a document, as of `performance.now`. */
  readonly #lastUse = new WeakMap<DocumentContext, number>();
  /** What is called when an edited notebook was saved, by the file's path. */
  readonly #saveCalls = new Map<DocumentContext, Map<string, () => void>>();

  /** @param root - the server's root folder, absolute or starting with `~`; null when it isn't known, as in Notebook 7 */
  constructor(app: JupyterFrontEnd, root: string | null) {
    this.#app = app;
    this.#root = root;
  }

  /** Follows in which document the user works. */
  followUse(target: Pick<EventTarget, 'addEventListener'>): void {
    const note = () => {
      const context = this.#app.shell.currentWidget?.context;
      if (context) this.#lastUse.set(context, performance.now());
    };
    for (const type of ['pointerdown', 'keydown']) target.addEventListener(type, note, true);
  }

  unsaved(): readonly string[] {
    return this.#contexts()
      .filter((context) => context.model.dirty)
      .map((context) => this.#pathOf(context));
  }

  notebooks(paths: readonly string[], outputs: readonly string[] = []): readonly OpenNotebookRow[] {
    const now = performance.now();
    return this.#contexts().flatMap((context) => {
      const path = this.#pathOf(context);
      const notebook = documentOf(context);
      // The page doesn't know the repository's root, nor its links: the server finds out which file it is.
      if (!notebook || !paths.some((wanted) => isSameEnd(path, wanted))) return [];
      const cells = cellsOf(notebook, new Set(outputs));
      if (lengthOf(cells) > MAX_SOURCES) return [];
      return {
        path,
        language: languageOf(notebook),
        nbformat_minor: notebook.nbformat_minor,
        cells,
        unsaved: context.model.dirty,
        idle_ms: Math.round(now - (this.#lastUse.get(context) ?? 0)),
      };
    });
  }

  edit({ path, file, operations }: NotebookEdit, saved: (file: string) => void): NotebookEdited {
    const context = this.#contexts().find((one) => this.#pathOf(one) === path);
    const notebook = context && documentOf(context);
    if (!context || !notebook) return { status: 'changed' };
    if (context.model.readOnly || context.contentsModel?.writable === false)
      return { status: 'refused', reason: t('%1 is open read-only; edit a copy of it.', file) };
    const edited = editNotebook(notebook, operations);
    if (edited.status === 'applied') this.#callWhenSaved(context, file, () => saved(file));
    return edited;
  }

  changed(paths: readonly string[]): void {
    for (const context of this.#contexts()) {
      // The page doesn't know the repository's root, so paths are compared by their end; unchanged files aren't reloaded.
      if (!paths.some((path) => this.#pathOf(context).endsWith(`/${path}`))) continue;
      // Its server saves it without a word to this page.
      if (context.model.collaborative) this.#tellSaved(context);
      const before = this.#reverts.get(context) ?? Promise.resolve();
      const renewal = before.then(() => this.#revertIfChanged(context)).catch(() => {});
      this.#reverts.set(context, renewal);
    }
  }

  #callWhenSaved(context: DocumentContext, file: string, call: () => void): void {
    const waiting = this.#saveCalls.get(context);
    if (waiting) {
      waiting.set(file, call);
      return;
    }
    this.#saveCalls.set(context, new Map([[file, call]]));
    const listen = (_: unknown, state: string): void => {
      if (!state.startsWith('completed')) return;
      context.saveState.disconnect(listen);
      this.#tellSaved(context);
    };
    context.saveState.connect(listen);
  }

  #tellSaved(context: DocumentContext): void {
    const calls = this.#saveCalls.get(context);
    this.#saveCalls.delete(context);
    for (const call of calls?.values() ?? []) call();
  }

  #contexts(): DocumentContext[] {
    const contents = this.#app.serviceManager.contents;
    const found = new Set<DocumentContext>();
    for (const { context } of this.#app.shell.widgets('main')) {
      if (context?.model && DRIVES.has(contents.driveName(context.path))) found.add(context);
    }
    return [...found];
  }

  #pathOf(context: DocumentContext): string {
    return `${this.#root ?? 'server:'}/${this.#app.serviceManager.contents.localPath(context.path)}`;
  }

  /** Reverts a clean document when its file has changed since it was read. */
  async #revertIfChanged(context: DocumentContext): Promise<void> {
    if (!isClean(context)) return;
    const file = await this.#app.serviceManager.contents.get(context.path, { content: false });
    if (isClean(context) && file.last_modified !== context.contentsModel?.last_modified) {
      await context.revert();
    }
  }
}

function isClean(context: DocumentContext): boolean {
  return !context.isDisposed && !context.model.dirty;
}

function documentOf(context: DocumentContext): SharedNotebook | null {
  const shared = context.model.sharedModel;
  return shared && 'cells' in shared ? (shared as SharedNotebook) : null;
}

function lengthOf(cells: readonly NotebookCell[]): number {
  return cells.reduce((sum, cell) => sum + cell.source.length, 0);
}

function isSameEnd(path: string, wanted: string): boolean {
  return path.split('/').at(-1) === wanted.split('/').at(-1);
}
