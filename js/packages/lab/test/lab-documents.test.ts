import type { DocumentContext, JupyterFrontEnd } from '@jupyterlab/application';
import { expect, it, vi } from 'vitest';
import { LabDocuments } from '../src/lab-documents.ts';

class FakeContext implements DocumentContext {
  isDisposed = false;
  readonly model = { dirty: false };
  contentsModel = { last_modified: 'read' };
  reverts = 0;

  constructor(readonly path: string) {}

  async revert(): Promise<void> {
    this.reverts += 1;
    this.contentsModel = { last_modified: 'changed' };
  }
}

const get = vi.fn(async () => ({ last_modified: 'changed' }));

function documents(contexts: readonly FakeContext[], root: string | null = '~/work'): LabDocuments {
  const widgets = () => [{ title: {} }, ...contexts.map((context) => ({ context }))];
  const contents = {
    localPath: (path: string) => path.replace(/^\w+:/, ''),
    driveName: (path: string) => /^(\w+):/.exec(path)?.[1] ?? '',
    get,
  };
  return new LabDocuments(
    { shell: { widgets }, serviceManager: { contents } } as unknown as JupyterFrontEnd,
    root,
  );
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

it('names the documents with unsaved changes, each once', () => {
  const [clean, dirty] = [new FakeContext('repo/a.py'), new FakeContext('repo/b.py')];
  dirty.model.dirty = true;
  expect(documents([clean, dirty, dirty]).unsaved()).toEqual(['~/work/repo/b.py']);
});

it('knows documents of a shared drive, and none of a drive that is elsewhere', () => {
  const contexts = [new FakeContext('RTC:a.py'), new FakeContext('Cloud:b.py')];
  for (const context of contexts) context.model.dirty = true;
  expect(documents(contexts).unsaved()).toEqual(['~/work/a.py']);
});

it('names nothing where the server tells no folder', () => {
  const dirty = new FakeContext('a.py');
  dirty.model.dirty = true;
  expect(documents([dirty], null).unsaved()).toEqual([]);
});

it('reads a clean document again that has changed elsewhere', async () => {
  const [changed, other] = [new FakeContext('repo/src/a.py'), new FakeContext('repo/a.py')];
  documents([changed, other]).changed(['src/a.py']);
  await settle();
  expect([changed.reverts, other.reverts]).toEqual([1, 0]);
});

it('finds it where the repository begins above the folder of the server', async () => {
  const changed = new FakeContext('a.py');
  documents([changed], '~/repo/src').changed(['src/a.py']);
  await settle();
  expect(changed.reverts).toBe(1);
});

it('leaves a document with unsaved changes alone', async () => {
  const dirty = new FakeContext('a.py');
  dirty.model.dirty = true;
  documents([dirty]).changed(['a.py']);
  await settle();
  expect(dirty.reverts).toBe(0);
});

it('leaves one alone that becomes dirty or goes meanwhile', async () => {
  const [typed, closed] = [new FakeContext('a.py'), new FakeContext('b.py')];
  documents([typed, closed]).changed(['a.py', 'b.py']);
  await Promise.resolve();
  typed.model.dirty = true;
  closed.isDisposed = true;
  await settle();
  expect([typed.reverts, closed.reverts]).toEqual([0, 0]);
});

it('leaves one alone whose file is the one that was read, as after its own saving', async () => {
  const saved = new FakeContext('a.ipynb');
  saved.contentsModel = { last_modified: 'changed' };
  documents([saved]).changed(['a.ipynb']);
  await settle();
  expect(saved.reverts).toBe(0);
});

it('reads once what several panels report', async () => {
  const changed = new FakeContext('a.py');
  const all = documents([changed]);
  for (let panel = 0; panel < 3; panel += 1) all.changed(['a.py']);
  await settle();
  expect(changed.reverts).toBe(1);
});

it('goes on after a file that is gone', async () => {
  const gone = new FakeContext('a.py');
  const all = documents([gone]);
  get.mockRejectedValueOnce(new Error('404'));
  all.changed(['a.py']);
  await settle();
  expect(gone.reverts).toBe(0);
  all.changed(['a.py']);
  await settle();
  expect(gone.reverts).toBe(1);
});
