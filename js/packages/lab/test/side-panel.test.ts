import type { ConnectionTarget, importUi } from '@jupyter-ac/page';
import type { HostedPanel, HostPorts, PanelOptions } from '@jupyter-ac/ui';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PanelHost } from '../src/panel-host.ts';
import { SidePanel } from '../src/side-panel.ts';
import { panelReport } from './support/report.ts';

const retarget = vi.fn(async (_target: { repo: string }) => {});
const ITEM = { kind: 'error', name: 'error of cell 1', text: 'x' } as const;
const attach = vi.fn(async (_item: object) => {});
const ask = vi.fn(async (_question: string) => 'So.');
const locate = vi.fn(async (path: string, _isTicked: boolean) => `in/${path}`);
const addContext = vi.fn(async (_mention: string) => {});
const hosted = { perform: vi.fn(), dispose: vi.fn() };
const host = vi.fn(async (_ports: HostPorts) => hosted as unknown as HostedPanel);
const focus = vi.fn();
const mountPanel = vi.fn((_node: HTMLElement, _options: PanelOptions) => ({
  retarget,
  ask,
  attach,
  locate,
  addContext,
  host,
  dispose() {},
  focus,
}));

const findNearbyRepositories = vi.fn(async (target: ConnectionTarget) => ({
  folder: target.kind === 'jupyter' ? target.repo : '',
}));

vi.mock('@jupyter-ac/page', async (original) => ({
  ...(await original<object>()),
  findNearbyRepositories: (target: ConnectionTarget) => findNearbyRepositories(target),
  importUi: (async () => ({ mountPanel })) as unknown as typeof importUi,
}));

let panel: SidePanel;
const folders = () => retarget.mock.calls.map(([target]) => target.repo);

async function shown(): Promise<void> {
  if (panel.folder === null) panel.follow('');
  panel.show();
  await vi.waitFor(() => expect(mountPanel).toHaveBeenCalledOnce(), 30_000);
  await Promise.resolve();
}

/** What the panel asks where it finds no repository. */
async function findNone(): Promise<unknown> {
  const options = mountPanel.mock.calls[0]?.[1];
  return options?.findNearbyRepositories?.().catch((error: Error) => error.message);
}

async function openNearby(path: string): Promise<void> {
  await mountPanel.mock.calls[0]?.[1].openRepository?.(path);
}

/** The page is loaded again, in the same tab. */
async function reload(folder: string): Promise<void> {
  panel.dispose();
  vi.clearAllMocks();
  panel = new SidePanel(async () => true);
  panel.hide();
  panel.follow(folder);
  await shown();
}

beforeEach(() => {
  sessionStorage.clear();
  vi.clearAllMocks();
  const config = document.createElement('script');
  config.id = 'jupyter-config-data';
  config.type = 'application/json';
  config.textContent = '{"baseUrl": "/"}';
  document.body.append(config);
  panel = new SidePanel(async () => true);
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

it('opens nothing before it knows where, and then at once', async () => {
  panel.show();
  await new Promise((resolve) => setTimeout(resolve));
  expect(mountPanel).not.toHaveBeenCalled();
  panel.follow('work');
  await vi.waitFor(() => expect(mountPanel).toHaveBeenCalledOnce());
  expect(mountPanel.mock.calls[0]?.[1].target).toMatchObject({ repo: 'work' });
});

it('goes again to the repository that was opened from a folder, also after a reload', async () => {
  panel.follow('work');
  await shown();
  expect(await findNone()).toEqual({ folder: 'work' });
  await openNearby('/home/ann/work/a');
  panel.follow('other');
  expect(await findNone()).toEqual({ folder: 'other' });
  panel.follow('work');
  await findNone();
  expect(folders()).toEqual(['/home/ann/work/a', 'other', 'work', '/home/ann/work/a']);
  await reload('work');
  expect(mountPanel.mock.calls[0]?.[1].target).toMatchObject({ repo: 'work' });
  await findNone();
  expect(folders()).toEqual(['/home/ann/work/a']);
});

it('comes back to the folder when the repository that was opened there is gone', async () => {
  panel.follow('work');
  await shown();
  await openNearby('/home/ann/work/a');
  expect(await findNone()).toEqual({ folder: 'work' });
  expect(await findNone()).toEqual({ folder: 'work' });
  expect(folders()).toEqual(['/home/ann/work/a', 'work']);
});

it('shows on request what is near the folder again', async () => {
  panel.follow('work');
  await shown();
  await openNearby('/home/ann/work/a');
  panel.chooseAgain();
  expect(await findNone()).toEqual({ folder: 'work' });
  panel.chooseAgain();
  expect(folders()).toEqual(['/home/ann/work/a', 'work']);
});

it('asks about a notebook once it shows the repository around it', async () => {
  const question = vi.fn((path: string, _serverPath: string) => ({ text: `Fix ${path}`, items: [ITEM] }));
  const first = panel.askAbout('work/a/n.ipynb', question, true);
  panel.show();
  await first;
  expect(mountPanel.mock.calls[0]?.[1]).toMatchObject({ target: { repo: 'work/a' } });
  expect(locate.mock.calls).toEqual([['work/a/n.ipynb', true]]);
  expect(question.mock.calls).toEqual([['in/work/a/n.ipynb', 'work/a/n.ipynb']]);
  expect(attach.mock.calls).toEqual([[ITEM]]);
  expect(ask.mock.calls).toEqual([['Fix in/work/a/n.ipynb']]);

  let arrive = (): void => {};
  retarget.mockImplementationOnce(() => new Promise((resolve) => (arrive = resolve)));
  const second = panel.askAbout('b/n.ipynb', (path) => ({ text: `Explain ${path}`, items: [] }), false);
  await Promise.resolve();
  expect(locate).toHaveBeenCalledOnce();
  arrive();
  await second;
  expect(ask.mock.lastCall).toEqual(['Explain in/b/n.ipynb']);
});

it('asks nothing where the notebook is not the panel’s', async () => {
  await shown();
  locate.mockRejectedValueOnce(new Error('1 dropped item not ticked'));
  await expect(panel.askAbout('n.ipynb', () => ({ text: 'Fix', items: [ITEM] }), true)).rejects.toThrow(
    'not ticked',
  );
  expect(ask).not.toHaveBeenCalled();
});

it('adds something of a notebook in the repository around it', async () => {
  panel.follow('other');
  panel.show();
  await panel.addContext('work/n.ipynb', '@cell:3');
  expect(addContext).toHaveBeenCalledWith('@cell:3');
  const target = retarget.mock.calls.at(-1)?.[0] ?? mountPanel.mock.calls[0]?.[1].target;
  expect(target).toMatchObject({ repo: 'work' });
});

it('gives its own commands to the application once it is loaded, about the repository that is asked for', async () => {
  panel.dispose();
  const ports = new PanelHost(() => false);
  panel = new SidePanel(async () => true, ports);
  panel.hide();
  const found = panel.hostedFor('work/a');
  panel.show();
  expect(await found).toBe(hosted);
  expect(host).toHaveBeenCalledExactlyOnceWith(ports);
  expect([panel.repo, panel.hosted]).toEqual(['work/a', hosted]);
  await panel.hostedFor('b');
  expect(folders()).toEqual(['b']);
  expect(panel.repo).toBe('b');
  expect(await panel.hostedFor(null)).toBe(hosted);
  panel.dispose();
  expect(hosted.dispose).toHaveBeenCalledOnce();
});

it('says that the panel can not be loaded, also to commands', async () => {
  host.mockRejectedValueOnce(new Error('not loaded'));
  panel.dispose();
  panel = new SidePanel(async () => true, new PanelHost(() => false));
  panel.hide();
  const found = panel.hostedFor('work');
  panel.show();
  await expect(found).rejects.toThrow('another version');
});

it('stays where a form would be lost, and goes on when that is saved', async () => {
  panel.dispose();
  const ports = new PanelHost(() => false);
  panel = new SidePanel(async () => true, ports);
  panel.hide();
  panel.followLater('a');
  await shown();
  await vi.waitFor(() => expect(panel.hosted).not.toBeNull());
  ports.report(panelReport({ isUnsaved: true }));
  panel.followLater('b');
  panel.followLater('c');
  expect(folders()).toEqual([]);
  ports.report(panelReport());
  expect(folders()).toEqual(['c']);
  ports.report(panelReport({ isUnsaved: true }));
  panel.followLater('d');
  panel.follow('e');
  ports.report(panelReport());
  expect(folders()).toEqual(['c', 'e']);
});

it('says when it was hidden', async () => {
  const onHidden = vi.fn();
  panel.onHidden = onHidden;
  panel.show();
  panel.hide();
  expect(onHidden).toHaveBeenCalledOnce();
});
