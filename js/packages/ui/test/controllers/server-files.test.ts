import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { locateServerFile } from '../../src/controllers/server-files.ts';
import { Session } from '../../src/model/session.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { folderPorts } from '../support/folder.ts';
import { rawRows } from '../support/raw-rows.ts';

const ROOT = '/home/me/work/repo';
const STATE = { messages: [], session_id: 's', init_complete: true, active_streams: [], repo_root: ROOT };

let rpc: FakeRpc;
let session: Session;
let config: HTMLElement;

beforeEach(() => {
  config = document.createElement('script');
  config.id = 'jupyter-config-data';
  (config as HTMLScriptElement).type = 'application/json';
  config.textContent = '{"serverRoot": "/home/me"}';
  document.body.append(config);
  rpc = new FakeRpc();
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/n.ipynb', 'n.ipynb', 'a.py']));
  rpc.ready.set('LLMService.get_context_breakdown', () => ({}));
  rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, selected_files: ['a.py'] }));
  session = new Session(rpc, {
    version: '0.1.0',
    storage: null,
    draftKey: () => 'd',
    diagnose: async () => '',
    ...folderPorts(),
  });
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

async function open(): Promise<void> {
  await rpc.become({ state: 'open', first: true });
  await settle();
}

const locate = (path: string, isTicked = true) =>
  locateServerFile(session, path, isTicked, new AbortController().signal);

it('is found in the repository and ticked beside the others, as soon as the panel is ready', async () => {
  const found = locate('work/repo/src/n.ipynb');
  await open();
  expect(await found).toBe('src/n.ipynb');
  expect(session.selection.paths).toEqual(['a.py', 'src/n.ipynb']);
});

it('can be found without a tick', async () => {
  await open();
  expect(await locate('work/repo/src/n.ipynb', false)).toBe('src/n.ipynb');
  expect(session.selection.paths).toEqual(['a.py']);
});

it('is refused when it is elsewhere', async () => {
  await open();
  await expect(locate('other/n.ipynb')).rejects.toThrow('not among the files');
  expect(session.selection.paths).toEqual(['a.py']);
});

it('is found by the end of its path where the root of the server is not known, if it is the only one', async () => {
  config.remove();
  await open();
  expect(await locate('repo/n.ipynb')).toBe('n.ipynb');
  expect(await locate('RTC:src/n.ipynb')).toBe('src/n.ipynb');
  await expect(locate('n.ipynb')).rejects.toThrow('not among the files');
});
