import type { PanelCommandName } from '@jupyter-ac/ui';
import { beforeEach, expect, it, vi } from 'vitest';
import { addPanelCommands, PANEL_COMMANDS } from '../src/panel-commands.ts';
import { PanelHost } from '../src/panel-host.ts';
import { FakeCommands } from './support/commands.ts';
import { panelReport } from './support/report.ts';

let commands: FakeCommands;
let host: PanelHost;
const perform = vi.fn(async (_name: PanelCommandName) => {});
const report = vi.fn();
const NEW = PANEL_COMMANDS.new.id;
const STOP = PANEL_COMMANDS.stop.id;

beforeEach(() => {
  vi.clearAllMocks();
  commands = new FakeCommands();
  host = new PanelHost(() => false);
  addPanelCommands({ commands: commands.real }, host, perform, report);
});

it('performs them in the panel, and says what stands in their way', async () => {
  commands.get(NEW).execute();
  expect(perform).toHaveBeenCalledWith('new');
  perform.mockRejectedValueOnce(new Error('Wait for the end of the answer.'));
  commands.get(STOP).execute();
  await vi.waitFor(() => expect(report).toHaveBeenCalledWith('Wait for the end of the answer.'));
});

it('enables all of them until the panel is loaded, then those that are possible', () => {
  expect([...commands.added.values()].every((command) => command.isEnabled?.())).toBe(true);
  host.report(panelReport());
  expect(commands.get(NEW).isEnabled?.()).toBe(true);
  expect(commands.get(STOP).isEnabled?.()).toBe(false);
  expect(commands.text(STOP, 'caption')).toBe('No answer is being written.');
  expect(commands.get(STOP).isVisible?.()).toBe(true);
  expect(commands.get(PANEL_COMMANDS.plans.id).isVisible?.()).toBe(false);
});

it('tells JupyterLab only of what has changed', () => {
  host.report(panelReport());
  const count = Object.keys(PANEL_COMMANDS).length;
  expect(commands.notifyCommandChanged).toHaveBeenCalledTimes(count);
  host.report(panelReport({ tokens: 7 }));
  expect(commands.notifyCommandChanged).toHaveBeenCalledTimes(count);
  host.report(panelReport({ obstacles: {} }));
  expect(commands.notifyCommandChanged).toHaveBeenCalledTimes(2 * count);
});
