import type { importUi } from '@jupyter-ac/page';
import type { PanelOptions } from '@jupyter-ac/ui';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SidePanel } from '../src/side-panel.ts';

const retarget = vi.fn();
const mountPanel = vi.fn((_node: HTMLElement, _options: PanelOptions) => ({
  retarget,
  dispose() {},
  focus() {},
}));

vi.mock('@jupyter-ac/page', async (original) => ({
  ...(await original<object>()),
  importUi: (async () => ({ mountPanel })) as unknown as typeof importUi,
}));

let panel: SidePanel;
const folders = () => retarget.mock.calls.map(([target]) => target.repo);

async function shown(): Promise<void> {
  panel.show();
  await vi.waitFor(() => expect(mountPanel).toHaveBeenCalledOnce(), 30_000);
  await Promise.resolve();
}

beforeEach(() => {
  vi.clearAllMocks();
  const config = document.createElement('script');
  config.id = 'jupyter-config-data';
  config.type = 'application/json';
  config.textContent = '{"baseUrl": "/"}';
  document.body.append(config);
  panel = new SidePanel();
  panel.hide();
});

afterEach(() => {
  panel.dispose();
  document.body.replaceChildren();
});

it('opens where it was told to before anybody saw it, with drafts of its own', async () => {
  panel.follow('work');
  panel.follow('work/a');
  await shown();
  expect(mountPanel.mock.calls[0]?.[1]).toMatchObject({ name: 'side', target: { repo: 'work/a' } });
  expect(retarget).not.toHaveBeenCalled();
});

it('goes along while it is seen, and once for each folder', async () => {
  await shown();
  for (const folder of ['a', 'a', 'b']) panel.follow(folder);
  expect(folders()).toEqual(['a', 'b']);
});

it('opens no repositories that nobody sees, and catches up when it is shown', async () => {
  await shown();
  panel.hide();
  panel.follow('a');
  panel.follow('b');
  expect(retarget).not.toHaveBeenCalled();
  panel.show();
  panel.hide();
  panel.show();
  expect(folders()).toEqual(['b']);
});
