/** Commands that the side panel performs. */

import { N_, t } from '@jupyter-ac/messages';
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
    label: N_('New Conversation'),
    caption: N_('Begin a new conversation; the present one stays in the list'),
  },
  stop: {
    id: 'jupyter-ac:stop',
    label: N_('Stop the Answer'),
    caption: N_('End the answer that is being written'),
  },
  compact: {
    id: 'jupyter-ac:summarise',
    label: N_('Summarise the Conversation'),
    caption: N_('Replace earlier messages by a summary in what is sent'),
  },
  trim: {
    id: 'jupyter-ac:trim-context',
    label: N_('Stop Sending Files That Are No Longer Ticked'),
    caption: N_('Take out of the context what earlier questions have brought'),
  },
  files: {
    id: 'jupyter-ac:show-files',
    label: N_('Show Files'),
    caption: N_('Show the files that can be ticked'),
  },
  context: {
    id: 'jupyter-ac:show-context',
    label: N_('Show Context'),
    caption: N_('Show what the model is sent, and what it costs'),
  },
  search: {
    id: 'jupyter-ac:search',
    label: N_('Search Files, Symbols and Text …'),
    caption: N_('Search everywhere in the repository'),
  },
  commit: { id: 'jupyter-ac:commit', label: N_('Commit …'), caption: N_('Choose files and commit them') },
  undo: {
    id: 'jupyter-ac:undo-edits',
    label: N_('Take Back the Edits of the Last Answer'),
    caption: N_('Restore what the last answer has changed'),
  },
  review: {
    id: 'jupyter-ac:review',
    label: N_('Review a Branch …'),
    caption: N_('Choose a branch whose changes are reviewed'),
  },
  plans: { id: 'jupyter-ac:plans', label: N_('Plans'), caption: N_('Show the plans of this repository') },
  panels: { id: 'jupyter-ac:panels', label: N_('Panels'), caption: N_('Show the panels written in Python') },
  browser: { id: 'jupyter-ac:browser', label: N_('Browser'), caption: N_('Show the pages of a browser') },
  model: {
    id: 'jupyter-ac:choose-model',
    label: N_('Choose a Model …'),
    caption: N_('Choose the model that answers'),
  },
  keys: { id: 'jupyter-ac:keys', label: N_('API Keys …'), caption: N_('Enter or remove keys of providers') },
  mode: {
    id: 'jupyter-ac:switch-mode',
    label: N_('Switch Between Code and Documents'),
    caption: N_('Choose what the map of the repository shows'),
  },
  settings: {
    id: 'jupyter-ac:settings',
    label: N_('Settings of the Panel …'),
    caption: N_('Models, keys and limits'),
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
      label: t(label),
      caption: () => obstacle() || t(caption),
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
