/** Tabs with the viewer of files and differences, in JupyterLab's main area; restored after a reload. */

import { t } from '@jupyter-ac/messages';
import type { FileLocation } from '@jupyter-ac/ui';
import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import { MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import type { Widget } from '@lumino/widgets';
import { tabIcon } from './icon.ts';

export const OPEN_VIEWER = 'jupyter-ac:open-viewer';
const NAMESPACE = 'jupyter-ac-viewer';
/** From this width on, the first viewer stands beside the documents. */
const WIDE_PX = 1100;

/** What a tab shows; these are the arguments of the command that opens it. */
export interface ViewerArguments {
  /** A folder in the repository: under the server's root, or absolute. */
  readonly repo: string;
  /** In the repository; '' while it isn't known, then `serverPath` says which file it is. */
  readonly path: string;
  /** Under the server's root; '' when `path` is known. */
  readonly serverPath: string;
  /** The same file has the same name in all arguments; '' where it isn't known. */
  readonly file: string;
  readonly kind: 'file' | 'diff' | 'review';
  readonly line: number;
  readonly col: number;
}

/** The content of a tab. */
export interface ViewerContent extends Widget {
  readonly shown: ViewerArguments;
  open(shown: ViewerArguments): void;
}

export type MakeContent = (shown: ViewerArguments, moved: () => void) => Promise<ViewerContent>;

export class ViewerTabs {
  readonly #tracker = new WidgetTracker<MainAreaWidget<ViewerContent>>({ namespace: NAMESPACE });
  /** By these the layout knows the tabs, whatever they show by now. */
  readonly #names = new WeakMap<Widget, string>();
  #count = 0;

  /** @param make - makes the content of a tab */
  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly make: MakeContent,
  ) {
    app.commands.addCommand(OPEN_VIEWER, {
      label: t('Open the Viewer of Files and Differences'),
      isVisible: () => false,
      execute: (args) => {
        const shown = parseArguments(args);
        return shown && this.open(shown, typeof args?.name === 'string' ? args.name : undefined);
      },
    });
  }

  /** Opens the tabs again that were open when the page was left. */
  restore(restorer: ILayoutRestorer): void {
    void restorer.restore(this.#tracker, {
      command: OPEN_VIEWER,
      args: (widget) => ({ ...widget.content.shown, name: this.#names.get(widget) }),
      name: (widget) => this.#names.get(widget) ?? '',
    });
  }

  /** Shows a file or its differences, in the tab that shows them already, or in a new one. */
  async open(shown: ViewerArguments, name = nameOf(shown)): Promise<Widget> {
    const same = this.#tracker.find(({ content }) => isSame(content.shown, shown));
    if (same) {
      same.content.open(shown);
      this.app.shell.activateById(same.id);
      return same;
    }
    const moved = (): void => {
      widget.title.label = labelOf(content.shown);
      widget.title.caption = captionOf(content.shown);
      void this.#tracker.save(widget);
    };
    const content = await this.make(shown, () => moved());
    const widget = new MainAreaWidget({ content });
    this.#count += 1;
    widget.id = `${NAMESPACE}-${this.#count}`;
    widget.title.closable = true;
    widget.toolbar.hide();
    widget.title.icon = tabIcon;
    widget.title.label = labelOf(shown);
    widget.title.caption = captionOf(shown);
    this.#names.set(widget, name);
    const place = this.#place();
    // The layout is stored when the tab is added: by then it must have its name.
    await this.#tracker.add(widget);
    this.app.shell.add(widget, 'main', place);
    this.app.shell.activateById(widget.id);
    return widget;
  }

  /** After the viewer that was used last; the first one beside the documents, if there is room. */
  #place(): { mode: string; ref?: string } {
    const { currentWidget } = this.#tracker;
    if (currentWidget) return { mode: 'tab-after', ref: currentWidget.id };
    const width = this.app.shell.currentWidget?.node.clientWidth ?? 0;
    return { mode: width >= WIDE_PX ? 'split-right' : 'tab-after' };
  }
}

/**
 * What to show for a location; null for what a tab can't show, such as the map.
 *
 * @param root - absolute path of the repository's top; '' when it isn't known
 */
export function viewerArguments(repo: string, root: string, location: FileLocation): ViewerArguments | null {
  const { path, line, col, isDiff, isReview, mapFor } = location;
  if (mapFor !== undefined || !path) return null;
  const kind = isReview ? 'review' : isDiff ? 'diff' : 'file';
  return { repo, path, serverPath: '', file: root && fileName(`${root}/${path}`), kind, line, col };
}

/** The changes of a file of the server since the last commit. */
export function changesOf(folder: string, serverPath: string, serverRoot: string | null): ViewerArguments {
  const file = serverRoot === null ? '' : fileName(`${serverRoot}/${serverPath}`);
  return { repo: folder, path: '', serverPath, file, kind: 'diff', line: 0, col: 0 };
}

export function locationOf({ path, line, col, kind }: ViewerArguments): FileLocation {
  return {
    ...{ path, line, col },
    ...(kind === 'diff' ? { isDiff: true } : {}),
    ...(kind === 'review' ? { isReview: true } : {}),
  };
}

/** The usual home folders. */
const HOME = /^(?:\/root|\/(?:home|Users)\/[^/]+)(?=\/|$)/;

/** The server's root may be known relative to the home folder only. */
export function fileName(path: string): string {
  return path.replace(HOME, '~');
}

/** null for what isn't one; the arguments come from a stored layout, too. */
function parseArguments(args: Readonly<Record<string, unknown>> | undefined): ViewerArguments | null {
  const { repo, path, serverPath, file, kind, line, col } = args ?? {};
  if (typeof repo !== 'string' || typeof path !== 'string' || typeof serverPath !== 'string') return null;
  if (!path && !serverPath) return null;
  if (kind !== 'file' && kind !== 'diff' && kind !== 'review') return null;
  const name = typeof file === 'string' ? file : '';
  return { repo, path, serverPath, file: name, kind, line: numberOf(line), col: numberOf(col) };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}

function isSame(one: ViewerArguments, other: ViewerArguments): boolean {
  const isFile = one.file !== '' && one.file === other.file;
  return one.kind === other.kind && (isFile || nameOf(one) === nameOf(other));
}

function nameOf({ repo, path, serverPath, kind }: ViewerArguments): string {
  return `${kind}:${repo}:${path || `/${serverPath}`}`;
}

function labelOf({ path, serverPath, kind }: ViewerArguments): string {
  const whole = path || serverPath;
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  return kind === 'diff' ? `${name} (changes)` : kind === 'review' ? `${name} (review)` : name;
}

function captionOf({ path, serverPath, kind }: ViewerArguments): string {
  const name = path || serverPath;
  if (kind === 'diff') return t('%1: what has changed since the last commit', name);
  return kind === 'review' ? t('%1: what the branch under review changes', name) : name;
}
