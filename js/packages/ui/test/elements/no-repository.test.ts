import '../support/jsdom.ts';
import type { NearbyRepositories } from '@jupyter-ac/page/nearby-repositories';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { RepositoryPorts } from '../../src/model/no-repository.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { folderPorts } from '../support/folder.ts';
import { mount, STATE } from '../support/mounted.ts';
import { all, click, deep, drawn, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;
let ports: RepositoryPorts;
const initRepository = vi.fn();
const openRepository = vi.fn();
const openPlainFolder = vi.fn();

async function show(around: Partial<NearbyRepositories> = {}): Promise<void> {
  ports = { ...folderPorts(around), initRepository, openPlainFolder, openRepository };
  ({ session } = await mount(rpc, ports));
  await rpc.become({ state: 'refused', code: 4404, reason: 'There is no repository.' });
  await drawn();
}

const words = (name: string) => one(name).textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
const overlay = () => [...deep(document)].find(({ className }) => className === 'overlay')?.textContent ?? '';

beforeEach(() => {
  vi.resetAllMocks();
  rpc = new FakeRpc();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

it('names the folder and offers what is near, the repository around it first', async () => {
  await show();
  expect(words('init-folder')).toBe('/home/ann/garden');
  expect(all('nearby-row').map(({ dataset, textContent }) => [dataset.path, textContent?.trim()])).toEqual([
    ['/home/ann', '/home/ann'],
    ['/home/ann/garden/beds', 'beds'],
    ['/home/ann/garden/old/shed', 'old/shed'],
  ]);
  expect(words('init')).toBe('Initialise a repository in garden …');
  expect(overlay()).not.toContain('Not all folders');
  await click(all('nearby-row')[2]);
  expect(openRepository.mock.calls).toEqual([['/home/ann/garden/old/shed']]);
});

it('says when not all was looked at', async () => {
  await show({ isComplete: false });
  expect(overlay()).toContain('Not all folders inside were looked at');
  await click(one('init'));
  expect(words('init-question')).toContain('There may be more of them');
});

it('asks, says what happens to repositories inside, and makes one after a yes', async () => {
  await show();
  await click(one('init'));
  const question = words('init-question');
  expect(question).toContain('git init makes a repository of /home/ann/garden, with all that lies in it.');
  expect(all('nested-row').map(({ textContent }) => textContent?.trim())).toEqual(['beds', 'old/shed']);
  expect(question).toContain('Each stays a repository of its own: git sees it as embedded');
  expect(focused()).toBe(one('init-cancel'));
  await click(one('init-cancel'));
  expect([all('init-question').length, initRepository.mock.calls.length]).toEqual([0, 0]);
  expect(focused()).toBe(one('init'));
  await click(one('init'));
  await click(one('init-confirm'));
  expect(initRepository.mock.calls).toEqual([['/home/ann/garden']]);
  expect(rpc.retries).toBe(1);
});

it('takes Escape for a no', async () => {
  await show();
  await click(one('init'));
  await press('Escape');
  expect(all('init-question')).toEqual([]);
  expect(initRepository).not.toHaveBeenCalled();
});

it('says what would happen to repositories that were not found', async () => {
  await show({ above: [], below: [] });
  expect(one('init').className).toContain('primary');
  await click(one('init'));
  expect(words('init-question')).toContain(
    'No repository was found inside, two levels deep. One that lies deeper stays',
  );
  expect(all('nested-row')).toEqual([]);
});

it('offers no new one where that is refused, and says why', async () => {
  await show({ refusal: 'No repository is created in `/`.' });
  expect(all('init')).toEqual([]);
  expect(overlay()).toContain('No repository is created in /.');
  expect(all('nearby-row')).toHaveLength(3);
});

it('has a name for the root of a file system, too', async () => {
  await show({ folder: '/', above: [], below: [] });
  expect(words('init')).toBe('Initialise a repository in / …');
});

it('writes out what can not be seen in a name', async () => {
  await show({ folder: '/w/a\u202eb', below: [{ path: '/w/x', name: 'x\u200by' }] });
  expect(words('init-folder')).toBe('/w/a\\u{202e}b');
  expect(all('nearby-row').map(({ textContent }) => textContent?.trim())).toContain('x\\u{200b}y');
});

it('offers nothing while the folder has no name, and says why', async () => {
  ports = {
    ...folderPorts(),
    findNearbyRepositories: async () => {
      throw new Error('The server is too old.');
    },
  };
  ({ session } = await mount(rpc, ports));
  await rpc.become({ state: 'refused', code: 4404, reason: 'There is no repository.' });
  await drawn();
  expect(all('init')).toEqual([]);
  expect(overlay()).toContain('There is no repository.');
  expect(overlay()).toContain('The server is too old.');
});

it('sees at a glance that the folder has become a repository', async () => {
  const findNearbyRepositories = vi.fn<RepositoryPorts['findNearbyRepositories']>(
    folderPorts().findNearbyRepositories,
  );
  ({ session } = await mount(rpc, { ...folderPorts(), findNearbyRepositories }));
  await rpc.become({ state: 'refused', code: 4404, reason: 'There is no repository.' });
  await drawn();
  expect(rpc.retries).toBe(0);
  findNearbyRepositories.mockResolvedValueOnce(null);
  session.refreshStandings();
  await drawn();
  expect(rpc.retries).toBe(1);
});

it('works without git after a click, says what is different, and makes a repository later', async () => {
  await show();
  await click(one('plain-open'));
  expect(openPlainFolder.mock.calls).toEqual([['/home/ann/garden']]);
  expect(rpc.retries).toBe(1);

  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, has_git: false }));
  await rpc.become({ state: 'open', first: true });
  await drawn();
  expect(words('plain-note')).toContain('nothing is staged or committed');
  await click(one('plain-init'));
  expect(words('init-question')).toContain('git init makes a repository of /home/ann/garden');
  await click(one('init-cancel'));
  expect(all('init-question')).toEqual([]);
  await click(one('plain-note').querySelector('[aria-label="Close this notice"]'));
  expect(all('plain-note')).toEqual([]);
});

it.each([null, 'It holds everything.'])(
  'offers no work without git where that may not be: %s',
  async (plainRefusal) => {
    await show({ plainRefusal });
    expect(all('plain-open')).toEqual([]);
  },
);
