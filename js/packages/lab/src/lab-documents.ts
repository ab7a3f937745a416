/** Open documents of JupyterLab: reports the unsaved ones to the server, and reloads those changed on disk. */

import type { OpenDocuments } from '@jupyter-ac/page';
import type { DocumentContext, JupyterFrontEnd } from '@jupyterlab/application';
import { DRIVES } from './current-folder.ts';

export class LabDocuments implements OpenDocuments {
  readonly #app: JupyterFrontEnd;
  readonly #root: string | null;
  readonly #reverts = new WeakMap<DocumentContext, Promise<void>>();

  /** @param root - the server's root folder, absolute or starting with `~`; null when it isn't known */
  constructor(app: JupyterFrontEnd, root: string | null) {
    this.#app = app;
    this.#root = root;
  }

  unsaved(): readonly string[] {
    if (this.#root === null) return [];
    return this.#contexts()
      .filter((context) => context.model.dirty)
      .map((context) => this.#pathOf(context));
  }

  changed(paths: readonly string[]): void {
    for (const context of this.#contexts()) {
      // The page doesn't know the repository's root, so paths are compared by their end; unchanged files aren't reloaded.
      if (!paths.some((path) => this.#pathOf(context).endsWith(`/${path}`))) continue;
      const before = this.#reverts.get(context) ?? Promise.resolve();
      const renewal = before.then(() => this.#revertIfChanged(context)).catch(() => {});
      this.#reverts.set(context, renewal);
    }
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
    return `${this.#root ?? ''}/${this.#app.serviceManager.contents.localPath(context.path)}`;
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
