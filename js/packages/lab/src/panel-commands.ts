/** Commands that the side panel performs. */

import type { PanelCommandName } from '@jupyter-ac/ui';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { PanelHost } from './panel-host.ts';

interface LabCommand {
  readonly id: string;
  readonly label: string;
  readonly caption: string;
}

export const PANEL_COMMANDS: Readonly<Record<PanelCommandName, LabCommand>> = {
  new: {
    id: 'jupyter-ac:new-conversation',
    label: 'New Conversation',
    caption: 'Begin a new conversation; the present one stays in the list',
  },
  stop: { id: 'jupyter-ac:stop', label: 'Stop the Answer', caption: 'End the answer that is being written' },
  compact: {
    id: 'jupyter-ac:summarise',
    label: 'Summarise the Conversation',
    caption: 'Replace earlier messages by a summary in what is sent',
  },
  trim: {
    id: 'jupyter-ac:trim-context',
    label: 'Stop Sending Files That Are No Longer Ticked',
    caption: 'Take out of the context what earlier questions have brought',
  },
  files: { id: 'jupyter-ac:show-files', label: 'Show Files', caption: 'Show the files that can be ticked' },
  context: {
    id: 'jupyter-ac:show-context',
    label: 'Show Context',
    caption: 'Show what the model is sent, and what it costs',
  },
  search: {
    id: 'jupyter-ac:search',
    label: 'Search Files, Symbols and Text …',
    caption: 'Search everywhere in the repository',
  },
  commit: { id: 'jupyter-ac:commit', label: 'Commit …', caption: 'Choose files and commit them' },
  undo: {
    id: 'jupyter-ac:undo-edits',
    label: 'Take Back the Edits of the Last Answer',
    caption: 'Restore what the last answer has changed',
  },
  review: {
    id: 'jupyter-ac:review',
    label: 'Review a Branch …',
    caption: 'Choose a branch whose changes are reviewed',
  },
  plans: { id: 'jupyter-ac:plans', label: 'Plans', caption: 'Show the plans of this repository' },
  panels: { id: 'jupyter-ac:panels', label: 'Panels', caption: 'Show the panels written in Python' },
  browser: { id: 'jupyter-ac:browser', label: 'Browser', caption: 'Show the pages of a browser' },
  model: {
    id: 'jupyter-ac:choose-model',
    label: 'Choose a Model …',
    caption: 'Choose the model that answers',
  },
  keys: { id: 'jupyter-ac:keys', label: 'API Keys …', caption: 'Enter or remove keys of providers' },
  mode: {
    id: 'jupyter-ac:switch-mode',
    label: 'Switch Between Code and Documents',
    caption: 'Choose what the map of the repository shows',
  },
  settings: {
    id: 'jupyter-ac:settings',
    label: 'Settings of the Panel …',
    caption: 'Models, keys and limits',
  },
};

/**
 * Adds the commands; returns their ids. Until the panel is loaded all of them are enabled: it says what is impossible.
 *
 * @param perform - shows the panel and performs a command in it; rejects with one sentence
 * @param report - shows a sentence to the user
 */
export function addPanelCommands(
  { commands }: Pick<JupyterFrontEnd, 'commands'>,
  host: PanelHost,
  perform: (name: PanelCommandName) => Promise<void>,
  report: (sentence: string) => void,
): string[] {
  const names = Object.keys(PANEL_COMMANDS) as PanelCommandName[];
  for (const name of names) {
    const { id, label, caption } = PANEL_COMMANDS[name];
    const obstacle = (): string | undefined => (host.last ? host.last.obstacles[name] : '');
    commands.addCommand(id, {
      label,
      caption: () => obstacle() || caption,
      isEnabled: () => obstacle() === '',
      isVisible: () => obstacle() !== undefined,
      execute: () => {
        perform(name).catch((error: unknown) => {
          report(error instanceof Error ? error.message : String(error));
        });
      },
    });
  }
  let last = '';
  host.subscribe(({ obstacles }) => {
    const text = JSON.stringify(obstacles);
    if (text === last) return;
    last = text;
    for (const name of names) commands.notifyCommandChanged(PANEL_COMMANDS[name].id);
  });
  return names.map((name) => PANEL_COMMANDS[name].id);
}
