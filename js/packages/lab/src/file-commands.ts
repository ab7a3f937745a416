/** Commands on files: in the menu of JupyterLab's file browser, and on the active document. */

import { t } from '@jupyter-ac/messages';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';

/** What the commands do, in a panel about the repository around a path. */
export interface FileActions {
  /** Whether all of these are ticked; null while the panel doesn't know. */
  areTicked(paths: readonly string[]): boolean | null;
  // Each resolves to a sentence for the user, or ''.
  /** Ticks or unticks files and folders. */
  tick(folder: string, paths: readonly string[], isTicked: boolean): Promise<string>;
  /** Ticks files and moves the cursor into the input; rejects with one sentence. */
  ask(folder: string, paths: readonly string[]): Promise<string>;
  /** Shows what has changed since the last commit; rejects with one sentence. */
  showChanges(path: string): Promise<string>;
}

export const FILE_COMMANDS = {
  ask: 'jupyter-ac:ask-files',
  tick: 'jupyter-ac:tick-files',
  untick: 'jupyter-ac:untick-files',
  changes: 'jupyter-ac:show-file-changes',
  activeChanges: 'jupyter-ac:show-changes',
} as const;

/** Ids of those for the palette. */
export const FILE_COMMANDS_IN_PALETTE: readonly string[] = [FILE_COMMANDS.activeChanges];

interface Chosen {
  /** Under the server's root, without drives. */
  readonly paths: readonly string[];
  /** The folder whose repository is meant. */
  readonly folder: string;
  readonly isOneFile: boolean;
}

/** @param report - shows a sentence to the user */
export function addFileCommands(
  { commands, shell, serviceManager: { contents } }: JupyterFrontEnd,
  browser: IDefaultFileBrowser | null,
  actions: FileActions,
  report: (sentence: string) => void,
): void {
  const chosen = (): Chosen => {
    const items = browser ? [...browser.selectedItems()] : [];
    const paths = items.map(({ path }) => contents.localPath(path));
    const [first] = items;
    const top = paths[0] ?? '';
    const folder = first?.type === 'directory' ? top : top.slice(0, Math.max(0, top.lastIndexOf('/')));
    return { paths, folder, isOneFile: items.length === 1 && first?.type !== 'directory' };
  };
  const activePath = (): string => {
    const path = shell.currentWidget?.context?.path;
    return path === undefined ? '' : contents.localPath(path);
  };
  const perform = (act: () => Promise<string>): void => {
    act().then(
      (sentence) => sentence && report(sentence),
      (error: unknown) => report(error instanceof Error ? error.message : String(error)),
    );
  };
  const mark = (isTicked: boolean) => (): void => {
    const { folder, paths } = chosen();
    perform(() => actions.tick(folder, paths, isTicked));
  };
  const isAny = (): boolean => chosen().paths.length > 0;
  commands.addCommand(FILE_COMMANDS.ask, {
    label: () => (chosen().isOneFile ? t('Ask About This File') : t('Ask About These Files')),
    caption: t('Tick what is selected, and put the cursor into the panel’s input'),
    isEnabled: isAny,
    execute: () => {
      const { folder, paths } = chosen();
      perform(() => actions.ask(folder, paths));
    },
  });
  commands.addCommand(FILE_COMMANDS.tick, {
    label: t('Send With the Next Question'),
    caption: t('Tick what is selected in the panel'),
    isEnabled: isAny,
    isVisible: () => isAny() && actions.areTicked(chosen().paths) !== true,
    execute: mark(true),
  });
  commands.addCommand(FILE_COMMANDS.untick, {
    label: t('Don’t Send With the Next Question'),
    caption: t('Untick what is selected in the panel'),
    isEnabled: isAny,
    isVisible: () => isAny() && actions.areTicked(chosen().paths) === true,
    execute: mark(false),
  });
  commands.addCommand(FILE_COMMANDS.changes, {
    label: t('Show Changes Since the Last Commit'),
    caption: t('Show the difference between this file and the last commit'),
    isVisible: () => chosen().isOneFile,
    execute: () => {
      const [path = ''] = chosen().paths;
      perform(() => actions.showChanges(path));
    },
  });
  commands.addCommand(FILE_COMMANDS.activeChanges, {
    label: t('Show Changes of the Active File Since the Last Commit'),
    caption: t('Show the difference between the active file and the last commit'),
    isEnabled: () => activePath() !== '',
    execute: () => perform(() => actions.showChanges(activePath())),
  });
}
