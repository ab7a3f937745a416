/** Commands of a panel for the menus and the palette of the application around it. */

import { t } from '@jupyter-ac/messages';
import { openBrowser, openPanels, openSettings } from '../elements/header.ts';
import { inputCommands } from '../elements/input-commands.ts';
import { openSearch } from '../elements/location-links.ts';
import type { ShownSection } from '../model/layout.ts';
import type { Session } from '../model/session.ts';
import type { PanelCommandName } from './ports.ts';

export interface PanelCommand {
  readonly name: PanelCommandName;
  /** Why it is impossible now; '' when it is possible. */
  readonly obstacle: string;
  run(): void;
}

const NO_ANSWER = t('No answer is being written.');
/** Those of the input that make no sense outside of it. */
const INPUT_ONLY: ReadonlySet<string> = new Set(['help']);

/** The commands that the server offers. */
export function panelCommands(session: Session, host: HTMLElement): readonly PanelCommand[] {
  const { chat, settings, rpc } = session;
  const asTyped = inputCommands(session, host)
    .filter(({ name }) => !INPUT_ONLY.has(name))
    .map(({ name, obstacle, run }): PanelCommand => ({ name: name as PanelCommandName, obstacle, run }));
  const { firstTab } = settings;
  const all: readonly (PanelCommand | false | null)[] = [
    { name: 'stop', obstacle: chat.stream ? '' : NO_ANSWER, run: () => void chat.stop() },
    { name: 'search', obstacle: '', run: () => openSearch(host) },
    { name: 'files', obstacle: '', run: () => showSection(host, 'files') },
    { name: 'context', obstacle: '', run: () => showSection(host, 'context') },
    firstTab && { name: 'settings', obstacle: '', run: () => openSettings(host, firstTab) },
    settings.offers('keys') && {
      name: 'keys',
      obstacle: '',
      run: () => openSettings(host, 'keys'),
    },
    rpc.offers('Planner.list_plans') && {
      name: 'plans',
      obstacle: '',
      run: () => host.dispatchEvent(new CustomEvent('ac-plans')),
    },
    rpc.offers('Browser.targets') && { name: 'browser', obstacle: '', run: () => openBrowser(host) },
    rpc.offers('Panels.list') && { name: 'panels', obstacle: '', run: () => openPanels(host) },
  ];
  return [...asTyped, ...all.filter((one): one is PanelCommand => Boolean(one))];
}

/** Asks the panel to show a section of it. */
function showSection(host: HTMLElement, detail: ShownSection): void {
  host.dispatchEvent(new CustomEvent('ac-section', { detail }));
}
