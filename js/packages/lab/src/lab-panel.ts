/** The side panel in JupyterLab: where it is, which repository it follows, and what of it is shown elsewhere. */

import { t } from '@jupyter-ac/messages';
import type { ConversationRef, FileLocation, PanelCommandName } from '@jupyter-ac/ui';
import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import type { IStatusBar } from '@jupyterlab/statusbar';
import { anyFolder, currentFolder, folderOf } from './current-folder.ts';
import { addFileCommands, FILE_COMMANDS_IN_PALETTE } from './file-commands.ts';
import type { InputFocus } from './input-focus.ts';
import { askForModel } from './known-model.ts';
import type { LabSettings } from './lab-settings.ts';
import { openEditor } from './open-editor.ts';
import { addPanelCommands } from './panel-commands.ts';
import { PanelHost } from './panel-host.ts';
import { SidePanel } from './side-panel.ts';
import { changesOf, ViewerTabs, viewerArguments } from './viewer-tabs.ts';
import { WorkNotices } from './work-notices.ts';

export const OPEN = 'jupyter-ac:open';
export const CHOOSE = 'jupyter-ac:choose-repository';
export const FOLLOW = 'jupyter-ac:follow-document';
/** Debounce: the active document changes several times in a row while a layout is restored. */
const SETTLE_MS = 150;
/** A page that is loaded shows the server's folder for a moment before it goes where its address says. */
const START_MS = 1000;
const RANK = 600;
/** Without a time JupyterLab only lists a notification. */
const NOTICE_MS = 8000;

export interface LabPanelParts {
  readonly settings: LabSettings;
  readonly browser: IDefaultFileBrowser | null;
  /** The main area has tabs. */
  readonly canHaveTabs: boolean;
  /** The server's root folder, absolute or starting with `~`; null when it isn't known. */
  readonly root: string | null;
}

export class LabPanel {
  readonly side: SidePanel;
  readonly host = new PanelHost((location) => this.#openLocation(location));
  readonly tabs: ViewerTabs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #area: 'left' | 'right' | null = null;

  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly parts: LabPanelParts,
  ) {
    this.side = new SidePanel(
      async (path, line, col) =>
        parts.settings.values.fileLinks === 'editor' && openEditor(app, path, line, col),
      this.host,
    );
    this.tabs = new ViewerTabs(app, async (shown, moved) => {
      const { viewerContent } = await import('./viewer-content.ts');
      return viewerContent(shown, moved);
    });
    this.#watchWork();
    const follow = (): void => this.#followSoon();
    app.shell.currentChanged?.connect(follow);
    parts.browser?.model.pathChanged.connect(follow);
    parts.settings.subscribe(follow);
    void Promise.all([app.restored, parts.browser?.model.restored]).then(follow);
  }

  /** Puts it into the side bar of the settings, and into the other one when they change. */
  place(restorer: ILayoutRestorer | null): void {
    const { settings } = this.parts;
    const put = (): void => {
      const { side } = settings.values;
      if (side === this.#area) return;
      const wasShown = this.#area !== null && this.side.isVisible;
      this.#area = side;
      this.app.shell.add(this.side, side, { rank: RANK });
      if (wasShown) this.app.shell.activateById(this.side.id);
    };
    put();
    settings.subscribe(put);
    restorer?.add(this.side, this.side.id);
  }

  /** Shows the item of the status bar while the settings say so. */
  addStatus(statusBar: IStatusBar): void {
    const { settings } = this.parts;
    let remove: (() => void) | null = null;
    const update = async (): Promise<void> => {
      if (!settings.values.statusBar) {
        remove?.();
        remove = null;
        return;
      }
      const { StatusItem } = await import('./status-item.ts');
      if (remove || !settings.values.statusBar) return;
      const item = new StatusItem(() => void this.show(), askForModel);
      item.showReport(this.host.last);
      const stop = this.host.subscribe((report) => item.showReport(report));
      const registered = statusBar.registerStatusItem(item.id, { item, align: 'right', rank: 30 });
      remove = () => {
        stop();
        registered.dispose();
      };
    };
    settings.subscribe(() => void update());
    void update();
  }

  /** Adds the commands; returns the ids of those for the palette. */
  addCommands(input: InputFocus, report: (sentence: string) => void): string[] {
    const { app, side } = this;
    const { settings, browser } = this.parts;
    app.commands.addCommand(OPEN, {
      label: t('Ask in the AI Pair Panel'),
      caption: t('Put the cursor into the panel’s input, or back where it was'),
      execute: () => input.toggle(),
    });
    input.listen(OPEN);
    app.commands.addCommand(CHOOSE, {
      label: t('Choose Another Repository Near This Folder'),
      caption: t('Show what is near a folder without a repository again, after one was opened there'),
      execute: () => side.chooseAgain(),
    });
    app.commands.addCommand(FOLLOW, {
      label: t('Follow the Active Document'),
      caption: t('Show the repository of the notebook or file that you work in'),
      isToggleable: true,
      isToggled: () => settings.values.followDocument,
      isEnabled: () => settings.canSet,
      execute: () => settings.set('followDocument', !settings.values.followDocument),
    });
    settings.subscribe(() => app.commands.notifyCommandChanged(FOLLOW));
    addFileCommands(app, browser, this.#fileActions(), report);
    const perform = async (name: PanelCommandName): Promise<void> => {
      await this.show();
      await (await side.hostedFor(null)).perform(name);
    };
    const panelCommands = addPanelCommands(app, this.host, perform, report);
    return [OPEN, CHOOSE, FOLLOW, ...FILE_COMMANDS_IN_PALETTE, ...panelCommands];
  }

  /** Brings the panel to the front; resolves when it has the focus. */
  async show(): Promise<void> {
    if (this.side.isVisible) return;
    this.app.shell.activateById(this.side.id);
    // Lumino activates, which focuses the input, with the next frame: what comes then may take the focus.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  }

  async #showConversation(conversation: ConversationRef): Promise<void> {
    await this.show();
    try {
      this.side.hosted?.showConversation(conversation);
    } catch (error) {
      Notification.warning(error instanceof Error ? error.message : String(error), { autoClose: NOTICE_MS });
    }
  }

  #fileActions(): Parameters<typeof addFileCommands>[2] {
    const { side, tabs } = this;
    return {
      areTicked: (paths) => side.hosted?.isTicked(paths) ?? null,
      tick: async (folder, paths, isTicked) => {
        await this.show();
        return (await side.hostedFor(folder)).tick(paths, isTicked);
      },
      ask: async (folder, paths) => {
        await this.show();
        await (await side.hostedFor(folder)).mention(paths);
        side.focusInput();
        return '';
      },
      showChanges: async (path) => {
        if (this.#hasTabs) {
          await tabs.open(changesOf(folderOf(path), path, this.parts.root));
          return '';
        }
        await this.show();
        await (await side.hostedFor(folderOf(path))).showChanges(path);
        return '';
      },
    };
  }

  get #hasTabs(): boolean {
    return this.parts.canHaveTabs && this.parts.settings.values.viewer === 'tab';
  }

  #openLocation(location: FileLocation): boolean {
    if (!this.#hasTabs || this.side.repo === null) return false;
    const isPlain = !location.isDiff && !location.isReview && !location.anchor;
    if (isPlain && this.parts.settings.values.fileLinks === 'editor') return false;
    const shown = viewerArguments(this.side.repo, this.host.last?.root ?? '', location);
    if (!shown) return false;
    void this.tabs.open(shown);
    return true;
  }

  #followSoon(): void {
    const { app, side } = this;
    const { browser, settings } = this.parts;
    clearTimeout(this.#timer);
    const isStart = side.folder === null && !currentFolder(app, browser);
    this.#timer = setTimeout(
      () => {
        if (side.folder !== null && !settings.values.followDocument) return;
        side.followLater(currentFolder(app, browser) ?? side.folder ?? anyFolder(app) ?? '');
      },
      isStart ? START_MS : SETTLE_MS,
    );
  }

  #watchWork(): void {
    const { settings } = this.parts;
    const notices = new WorkNotices(Notification, {
      isSeen: () => this.side.isVisible && document.hasFocus(),
      show: (conversation) => void this.#showConversation(conversation),
      seconds: () => (settings.values.notifications ? settings.values.notificationSeconds : null),
      now: () => performance.now(),
    });
    this.host.subscribe((report) => notices.look(report));
    this.host.onEnd((activity) => notices.ended(activity));
    const look = (): void => {
      if (this.host.last) notices.look(this.host.last);
    };
    this.side.onHidden = look;
    window.addEventListener('blur', look);
  }
}
