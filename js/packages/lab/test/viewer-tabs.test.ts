import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  changesOf,
  fileName,
  locationOf,
  OPEN_VIEWER,
  type ViewerArguments,
  type ViewerContent,
  ViewerTabs,
  viewerArguments,
} from '../src/viewer-tabs.ts';
import { FakeCommands } from './support/commands.ts';
import { Widget } from './support/lumino.ts';

type Tab = Widget & { readonly content: FakeContent; readonly id: string; readonly title: { label: string } };

class FakeContent extends Widget {
  readonly open = vi.fn();

  constructor(
    public shown: ViewerArguments,
    readonly moved: () => void,
  ) {
    super();
  }
}

interface Restored {
  args(tab: Tab): Record<string, unknown>;
  name(tab: Tab): string;
}

function nothing(): never {
  throw new Error('restored nothing');
}

let commands: FakeCommands;
let tabs: ViewerTabs;
let width: number;
const add = vi.fn((_tab: Tab, _area: string, _options: { mode: string; ref?: string }) => {});
const activateById = vi.fn();
const tabOf = (call: number): Tab => add.mock.calls[call]?.[0] as Tab;
const DIFF = viewerArguments('work', '/home/ann/work', {
  ...{ path: 'src/a.py', line: 0, col: 0 },
  isDiff: true,
}) as ViewerArguments;

beforeEach(() => {
  vi.clearAllMocks();
  width = 1300;
  commands = new FakeCommands();
  const shell = {
    add,
    activateById,
    currentWidget: {
      node: {
        get clientWidth() {
          return width;
        },
      },
    },
  };
  tabs = new ViewerTabs(
    { commands: commands.real, shell } as unknown as JupyterFrontEnd,
    async (shown, moved) => {
      return new FakeContent(shown, moved) as unknown as ViewerContent;
    },
  );
});

it('opens the first one beside the documents if there is room, and the others after it', async () => {
  await tabs.open(DIFF);
  expect(add.mock.calls[0]?.slice(1)).toEqual(['main', { mode: 'split-right' }]);
  expect(tabOf(0).title.label).toBe('a.py (changes)');
  await tabs.open({ ...DIFF, path: 'b.py', file: '~/work/b.py' });
  expect(add.mock.calls[1]?.[2]).toEqual({ mode: 'tab-after', ref: tabOf(0).id });
});

it('opens it among the documents where there is little room', async () => {
  width = 800;
  await tabs.open(DIFF);
  expect(add.mock.calls[0]?.[2]).toEqual({ mode: 'tab-after' });
});

it('shows the tab that a file has already, however it was named', async () => {
  await tabs.open(changesOf('work/src', 'work/src/a.py', '~'));
  const again = { ...DIFF, line: 7 };
  await tabs.open(again);
  expect(add).toHaveBeenCalledOnce();
  expect(tabOf(0).content.open).toHaveBeenCalledWith(again);
  expect(activateById).toHaveBeenLastCalledWith(tabOf(0).id);
  await tabs.open({ ...DIFF, kind: 'file' });
  expect(add).toHaveBeenCalledTimes(2);
});

it('is restored with what it shows last, under the name that the layout knows', async () => {
  const restore = vi.fn(async (_tracker: unknown, _options: Restored) => {});
  tabs.restore({ restore, add() {} } as unknown as ILayoutRestorer);
  const { args, name } = restore.mock.lastCall?.[1] ?? nothing();
  await tabs.open(DIFF);
  const tab = tabOf(0);
  const known = name(tab);
  tab.content.shown = { ...DIFF, path: 'src/b.py', kind: 'file', line: 3 };
  tab.content.moved();
  expect(tab.title.label).toBe('b.py');
  expect(name(tab)).toBe(known);
  expect(args(tab)).toMatchObject({ path: 'src/b.py', kind: 'file', line: 3, name: known });

  await commands.get(OPEN_VIEWER).execute({ ...args(tab), path: 'src/c.py', file: '' });
  expect(name(tabOf(1))).toBe(known);
  expect(tabOf(1).content.shown).toMatchObject({ path: 'src/c.py', kind: 'file', line: 3 });
});

it.each([[undefined], [{}], [{ ...DIFF, kind: 'patch' }], [{ ...DIFF, path: '' }], [{ ...DIFF, repo: 3 }]])(
  'opens nothing for arguments that are none: %j',
  async (args) => {
    await commands.get(OPEN_VIEWER).execute(args);
    expect(add).not.toHaveBeenCalled();
  },
);

it('knows locations, and what a tab can not show', () => {
  const review = { path: 'a.py', line: 2, col: 1, isReview: true };
  const shown = viewerArguments('work', '', review);
  expect(shown).toMatchObject({ kind: 'review', file: '' });
  expect(locationOf(shown as ViewerArguments)).toEqual(review);
  expect(locationOf(DIFF)).toEqual({ path: 'src/a.py', line: 0, col: 0, isDiff: true });
  expect(viewerArguments('work', '', { path: '', line: 0, col: 0, mapFor: '1-a' })).toBeNull();
});

it.each([
  ['/home/ann/work/a.py', '~/work/a.py'],
  ['/root/a.py', '~/a.py'],
  ['~/a.py', '~/a.py'],
  ['/srv/a.py', '/srv/a.py'],
  ['/rooted/a.py', '/rooted/a.py'],
])('names %s as %s', (path, name) => {
  expect(fileName(path)).toBe(name);
});
