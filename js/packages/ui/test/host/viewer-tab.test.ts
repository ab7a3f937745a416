import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLocation } from '../../src/elements/location-links.ts';
import { type MountedViewer, mountViewerTab, type ViewerConnection } from '../../src/host/viewer-tab.ts';
import type { ViewerModule } from '../../src/load-chunk.ts';
import type { FileLocation } from '../../src/model/file-location.ts';
import type { Session } from '../../src/model/session.ts';
import type { OpenViewer, ViewerPorts } from '../../src/viewer/index.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, drawn, one } from '../support/page.ts';

const DIFF: FileLocation = { path: 'c.md', line: 0, col: 0, isDiff: true };
let rpc: FakeRpc;
let session: Session;
let node: HTMLElement;
let tab: MountedViewer | null = null;
const disconnect = vi.fn();
const moved = vi.fn();
const show = vi.fn();
const dispose = vi.fn();
const openViewer = vi.fn((_host: HTMLElement, location: FileLocation, ports: ViewerPorts): OpenViewer => {
  ports.moved(location);
  return { show, focus() {}, dispose };
});

function mountTab(location = DIFF, serverPath = '', key = 'weather'): MountedViewer {
  const at = document.createElement('div');
  document.body.append(at);
  node = at;
  return mountViewerTab(
    at,
    { location, serverPath, moved },
    {
      key,
      load: async () => ({ openViewer }) as unknown as ViewerModule,
      connect: () =>
        ({ session, markdown: Promise.resolve(null), disconnect }) as unknown as ViewerConnection,
    },
  );
}

beforeEach(async () => {
  vi.clearAllMocks();
  rpc = new FakeRpc();
  const mounted = await mount(rpc);
  session = mounted.session;
  mounted.app.remove();
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, repo_root: '/srv/weather' }));
  document.body.innerHTML =
    '<script id="jupyter-config-data" type="application/json">{"serverRoot": "/srv"}</script>';
});

afterEach(() => {
  tab?.dispose();
  tab = null;
  session.dispose();
  document.body.replaceChildren();
});

it('shows a file once it is connected: no dialog, nothing to close', async () => {
  tab = mountTab();
  await drawn();
  expect(node.firstElementChild?.shadowRoot?.textContent).toContain('Connecting');
  await connect(rpc);
  expect(openViewer).toHaveBeenCalledOnce();
  expect(one('viewer').getAttribute('role')).toBe('region');
  expect(one('viewer').querySelector('[aria-label="Close the file"]')).toBeNull();
  expect(moved).toHaveBeenLastCalledWith(DIFF, '/srv/weather');
  tab.show({ path: 'src/a.py', line: 3, col: 0 });
  await drawn();
  expect(show).toHaveBeenCalledWith({ path: 'src/a.py', line: 3, col: 0 });
});

it('finds a file by its path on the server', async () => {
  tab = mountTab({ ...DIFF, path: '' }, 'weather/src/a.py');
  await connect(rpc);
  expect(openViewer.mock.calls[0]?.[1]).toEqual({ ...DIFF, path: 'src/a.py' });
});

it('says that a file is in no repository, or why there is no connection', async () => {
  tab = mountTab({ ...DIFF, path: '' }, 'elsewhere.txt');
  await connect(rpc);
  expect(openViewer).not.toHaveBeenCalled();
  expect(node.firstElementChild?.shadowRoot?.textContent).toContain('elsewhere.txt is in no repository');
  await rpc.become({ state: 'refused', code: 4403, reason: 'Not allowed here.' });
  await drawn();
  expect(node.firstElementChild?.shadowRoot?.textContent).toContain('Not allowed here.');
});

it('is drawn again after the application has moved it in the page', async () => {
  tab = mountTab();
  await connect(rpc);
  const { firstElementChild } = node;
  firstElementChild?.remove();
  expect(dispose).toHaveBeenCalledOnce();
  node.append(firstElementChild as Element);
  await drawn();
  expect(openViewer).toHaveBeenCalledTimes(2);
});

it('follows links in what it shows', async () => {
  tab = mountTab();
  await connect(rpc);
  openLocation(one('viewer'), { path: 'src/a.py', line: 1, col: 0 });
  await drawn();
  expect(show).toHaveBeenCalledWith({ path: 'src/a.py', line: 1, col: 0 });
});

it('shares a connection with the other tabs of a repository, until the last one is closed', () => {
  const tabs = [mountTab(), mountTab(), mountTab(DIFF, '', 'other')];
  tabs[0]?.dispose();
  tabs[0]?.dispose();
  expect(disconnect).not.toHaveBeenCalled();
  tabs[2]?.dispose();
  expect(disconnect).toHaveBeenCalledOnce();
  tabs[1]?.dispose();
  expect(disconnect).toHaveBeenCalledTimes(2);
  expect(all('viewer')).toEqual([]);
});
