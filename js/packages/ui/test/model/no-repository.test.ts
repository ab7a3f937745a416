import { beforeEach, expect, it, vi } from 'vitest';
import { NoRepositoryStore } from '../../src/model/no-repository.ts';
import { settle } from '../support/fake-rpc.ts';
import { AROUND, folderPorts } from '../support/folder.ts';

const ports = {
  findNearbyRepositories: vi.fn(),
  initRepository: vi.fn(),
  openPlainFolder: vi.fn(),
  openRepository: vi.fn(),
};
const onMade = vi.fn();
const onError = vi.fn();
let store: NoRepositoryStore;

beforeEach(() => {
  vi.resetAllMocks();
  ports.findNearbyRepositories.mockImplementation(folderPorts().findNearbyRepositories);
  ports.initRepository.mockResolvedValue(undefined);
  ports.openRepository.mockResolvedValue(undefined);
  store = new NoRepositoryStore(ports, onMade, onError);
});

it('makes nothing before it has named the folder and been answered', async () => {
  await store.init();
  store.ask(true);
  await store.init();
  expect(store.isAsking).toBe(false);
  await store.refresh();
  await store.init();
  expect(ports.initRepository).not.toHaveBeenCalled();
  store.ask(true);
  store.ask(false);
  await store.init();
  expect(ports.initRepository).not.toHaveBeenCalled();
  store.ask(true);
  await store.init();
  expect(ports.initRepository.mock.calls).toEqual([[AROUND.folder]]);
  expect([onMade.mock.calls.length, store.isAsking, store.isInitialising]).toEqual([1, false, false]);
});

it('makes one repository, however often it is told to', async () => {
  await store.refresh();
  store.ask(true);
  await Promise.all([store.init(), store.init()]);
  expect(ports.initRepository).toHaveBeenCalledOnce();
});

it('does not ask where no repository may be made', async () => {
  ports.findNearbyRepositories.mockImplementation(
    folderPorts({ refusal: 'This is the home directory.' }).findNearbyRepositories,
  );
  await store.refresh();
  store.ask(true);
  expect([store.canInit, store.isAsking]).toEqual([false, false]);
});

it('asks no more when another look finds another state', async () => {
  await store.refresh();
  store.ask(true);
  ports.findNearbyRepositories.mockRejectedValueOnce(new Error('The folder is gone.'));
  await store.refresh();
  expect([store.nearby, store.problem, store.isAsking]).toEqual([null, 'The folder is gone.', false]);
});

it('says why none was made', async () => {
  ports.initRepository.mockRejectedValue(new Error('Not writable.'));
  await store.refresh();
  store.ask(true);
  await store.init();
  expect(onError.mock.calls).toEqual([['Not writable.']]);
  expect(onMade).not.toHaveBeenCalled();
});

it('goes to the repository that somebody else has made meanwhile', async () => {
  ports.initRepository.mockRejectedValue(new Error('It is one already.'));
  await store.refresh();
  store.ask(true);
  ports.findNearbyRepositories.mockResolvedValueOnce(null);
  await store.init();
  await settle();
  expect([onMade.mock.calls.length, store.isAsking]).toEqual([1, false]);
});

it('looks once at a time, and tells nobody any more when another folder is shown', async () => {
  let found = (_around: null): void => {};
  ports.findNearbyRepositories.mockReturnValueOnce(
    new Promise((resolve) => {
      found = resolve;
    }),
  );
  const looks = Promise.all([store.refresh(), store.refresh()]);
  store.dispose();
  found(null);
  await looks;
  expect([ports.findNearbyRepositories.mock.calls.length, onMade.mock.calls.length]).toEqual([1, 0]);
});

it('leaves another folder alone that is shown meanwhile', async () => {
  await store.refresh();
  store.ask(true);
  const made = store.init();
  store.dispose();
  await made;
  expect(onMade).not.toHaveBeenCalled();
});

it('opens one repository at a time, and says why it could not', async () => {
  let fail = (_error: Error): void => {};
  ports.openRepository.mockReturnValueOnce(
    new Promise((_, reject) => {
      fail = reject;
    }),
  );
  const opened = store.open('/w/a');
  await store.open('/w/b');
  expect([store.opening, ports.openRepository.mock.calls]).toEqual(['/w/a', [['/w/a']]]);
  fail(new Error('It is gone.'));
  await opened;
  await settle();
  expect([store.opening, onError.mock.calls]).toEqual(['', [['It is gone.']]]);
});

it('opens a folder without a repository once it has named it, and says what was in the way', async () => {
  await store.openPlain();
  expect(ports.openPlainFolder).not.toHaveBeenCalled();
  await store.refresh();
  await Promise.all([store.openPlain(), store.openPlain()]);
  expect(ports.openPlainFolder.mock.calls).toEqual([[AROUND.folder]]);
  expect([onMade.mock.calls.length, store.opening]).toEqual([1, '']);
  ports.openPlainFolder.mockRejectedValue(new Error('The disk is full.'));
  await store.openPlain();
  expect(onError.mock.calls).toEqual([['The disk is full.']]);
  expect(onMade).toHaveBeenCalledTimes(1);
});

it.each([null, 'It holds everything.'])(
  'opens none without a repository where that may not be: %s',
  async (refusal) => {
    ports.findNearbyRepositories.mockImplementation(
      folderPorts({ plainRefusal: refusal }).findNearbyRepositories,
    );
    await store.refresh();
    await store.openPlain();
    expect(ports.openPlainFolder).not.toHaveBeenCalled();
  },
);
