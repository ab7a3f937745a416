import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FLAGS } from '../../src/model/tree.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let session: Session;
const row = (path: string) => all('picker-row').find(({ dataset }) => dataset.path === path) as HTMLElement;
const action = (id: string) => all('picker-action').find(({ dataset }) => dataset.action === id);
const paths = () => all('picker-row').map(({ dataset }) => dataset.path);

function answerTree(head = 'main 1234'): void {
  const rows = [
    ['a.py', 10, 300, FLAGS.modified, 2, 1],
    ['b.md', 90, 100, 0],
    ['d/c.py', 5, 200, 0],
  ];
  rpc.ready.set('Repo.get_tree_rows', () => ({
    ...{ version: `${head}`, since: '', head, total: rows.length, rows, removed: [], next: null },
  }));
}

beforeEach(async () => {
  localStorage.clear();
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  answerTree();
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, selected_files: ['a.py'] }));
  for (const name of ['stage_files', 'discard_changes', 'rename_file', 'create_file', 'delete_file'])
    rpc.ready.set(`Repo.${name}`, () => ({ status: 'ok' }));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function openMenu(path: string): Promise<void> {
  row(path).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  await drawn();
}

describe('the menu of a file', () => {
  it('opens by its button, by a right click and by keys, and Escape gives the focus to the tree', async () => {
    await click(row('b.md').querySelector('[data-ac="picker-menu"]'));
    expect(one('picker-popup').getAttribute('aria-label')).toBe('Actions for b.md');
    expect(focused()).toBe(action('open'));
    await press('End');
    expect(focused()).toBe(action('delete'));
    await press('s');
    expect(focused()).toBe(action('stage'));
    await press('Escape');
    expect(all('picker-popup')).toEqual([]);
    expect(focused()?.getAttribute('role')).toBe('tree');
    await press('F10', { shiftKey: true });
    expect(all('picker-popup')).toHaveLength(1);
    await press('Escape');
    await openMenu('a.py');
    expect(all('picker-popup')).toHaveLength(1);
    document.dispatchEvent(new Event('pointerdown'));
    await drawn();
    expect(all('picker-popup')).toEqual([]);
  });

  it('stages, and says why it does not', async () => {
    await openMenu('b.md');
    expect(action('stage')?.getAttribute('aria-disabled')).toBe('true');
    expect(action('stage')?.textContent).toContain('There is nothing to stage.');
    await click(action('stage'));
    expect(rpc.calls.some(({ method }) => method === 'Repo.stage_files')).toBe(false);
    await press('Escape');
    await openMenu('a.py');
    await click(action('stage'));
    expect(rpc.last('Repo.stage_files').args).toEqual([['a.py']]);
  });

  it('discards only after a question that names the file and what is lost', async () => {
    await openMenu('a.py');
    await click(action('discard'));
    expect(one('picker-confirmation').textContent).toContain('Discard the changes of a.py?');
    expect(one('picker-confirmation').textContent).toContain('2 added lines and 1 removed line are lost');
    expect(focused()).toBe(one('picker-cancel'));
    await press('Escape');
    expect(all('picker-confirmation')).toEqual([]);
    expect(rpc.calls.some(({ method }) => method === 'Repo.discard_changes')).toBe(false);
    await openMenu('a.py');
    await click(action('discard'));
    await click(one('picker-confirm'));
    expect(rpc.last('Repo.discard_changes').args).toEqual([['a.py']]);
    expect(all('picker-confirmation')).toEqual([]);
  });

  it('renames with F2; the tick goes with the name, and a refusal stays in the form', async () => {
    rpc.ready.set('Repo.rename_file', () => {
      throw new Error('‘b.md’ exists already; choose another name.');
    });
    row('a.py').click();
    await drawn();
    session.selection.replace(['a.py']);
    one('picker').querySelector<HTMLElement>('[role="tree"]')?.focus();
    await press('F2');
    const field = one('picker-form').querySelector('input') as HTMLInputElement;
    expect(focused()).toBe(field);
    expect(field.value).toBe('a.py');
    await fill(field, 'b.md');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(one('picker-problem').textContent).toContain('exists already');
    rpc.ready.set('Repo.rename_file', () => ({ status: 'ok' }));
    await fill(field, 'e/z.py');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(rpc.last('Repo.rename_file').args).toEqual(['a.py', 'e/z.py']);
    expect(session.selection.paths).toEqual(['e/z.py']);
    expect(all('picker-form')).toEqual([]);
  });

  it('makes files and folders where they are wanted', async () => {
    await openMenu('d/c.py');
    await click(action('new-file'));
    await fill(one('picker-form').querySelector('input') as HTMLInputElement, 'x.py');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(rpc.last('Repo.create_file').args).toEqual(['d/x.py', '']);
    await openMenu('d');
    await click(action('new-folder'));
    await fill(one('picker-form').querySelector('input') as HTMLInputElement, 'deep');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(rpc.last('Repo.create_file').args).toEqual(['d/deep/.gitkeep', '']);
    await click(one('picker-new'));
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(one('picker-problem').textContent).toContain('Type a name first.');
  });

  it('deletes by its key only after a question', async () => {
    row('b.md').click();
    one('picker').querySelector<HTMLElement>('[role="tree"]')?.focus();
    await press('Delete');
    expect(one('picker-confirmation').textContent).toContain('Delete b.md?');
    await click(one('picker-confirm'));
    expect(rpc.last('Repo.delete_file').args).toEqual(['b.md']);
  });
});

describe('the order of the files', () => {
  it('is chosen, reversed by choosing it again, and remembered', async () => {
    expect(paths()).toEqual(['d', 'd/c.py', 'a.py', 'b.md']);
    await click(one('picker-sort'));
    const key = (name: string) => all('sort-key').find(({ dataset }) => dataset.key === name);
    await click(key('lines'));
    expect(paths()).toEqual(['d', 'd/c.py', 'b.md', 'a.py']);
    await click(key('lines'));
    expect(paths()).toEqual(['d', 'd/c.py', 'a.py', 'b.md']);
    expect(one('picker-sort').dataset.reversed).toBe('true');
    expect(localStorage.getItem('jupyter-ac.files-sorting')).toContain('lines');
    await click(one('collapse-all'));
    expect(paths()).toEqual(['d', 'a.py', 'b.md']);
    await click(one('picker-sort'));
    await click(one('expand-all'));
    expect(paths()).toEqual(['d', 'd/c.py', 'a.py', 'b.md']);
  });
});

describe('the branches', () => {
  const BRANCHES = [
    { name: 'main', sha: '1', message: 'one', is_current: true, is_remote: false },
    { name: 'side', sha: '2', message: 'two', is_current: false, is_remote: false },
    { name: 'origin/theirs', sha: '3', message: 'three', is_current: false, is_remote: true },
  ];
  const branch = (name: string) => all('branch').find(({ dataset }) => dataset.branch === name);

  beforeEach(() => {
    rpc.ready.set('Repo.list_all_branches', () => BRANCHES);
  });

  it('are refused with the reason while files have changes; a new one is not', async () => {
    await click(one('branch-menu'));
    expect(one('branch-refusal').textContent).toContain('Files have changes');
    await click(branch('side'));
    expect(rpc.calls.some(({ method }) => method === 'Repo.checkout_branch')).toBe(false);
    await click(one('branch-new'));
    rpc.ready.set('Repo.create_branch', () => ({ error: 'git takes no branch named "x y".' }));
    await fill(one('picker-form').querySelector('input') as HTMLInputElement, 'x y');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(one('picker-problem').textContent).toContain('git takes no branch');
    expect(rpc.last('Repo.create_branch').args).toEqual(['x y']);
  });

  it('are switched, local and remote', async () => {
    rpc.ready.set('Repo.get_tree_rows', () => ({
      ...{
        version: '2',
        since: '',
        head: 'main 1',
        total: 1,
        rows: [['b.md', 1, 1, 0]],
        removed: [],
        next: null,
      },
    }));
    await session.files.refresh();
    await drawn();
    rpc.ready.set('Repo.checkout_branch', (name) => ({ status: 'ok', branch: name, sha: '3' }));
    await click(one('branch-menu'));
    expect(branch('main')?.getAttribute('aria-checked')).toBe('true');
    expect(all('branch-refusal')).toEqual([]);
    await click(branch('origin/theirs'));
    expect(rpc.last('Repo.checkout_branch').args).toEqual(['origin/theirs']);
    expect(all('picker-popup')).toEqual([]);
  });

  it('are said to be unreadable', async () => {
    rpc.ready.set('Repo.list_all_branches', () => {
      throw new Error('git is gone.');
    });
    await click(one('branch-menu'));
    expect(one('picker-popup').textContent).toContain('could not be read: git is gone.');
  });
});

describe('the sets of ticked files', () => {
  const set = (name: string) => all('file-set').find(({ dataset }) => dataset.name === name);
  const does = (name: string, id: string) => set(name)?.querySelector(`[data-action="${id}"]`);

  beforeEach(() => {
    rpc.ready.set('LLMService.list_file_sets', () => [
      { name: 'docs', paths: ['b.md', 'gone.md'] },
      { name: 'code', paths: ['d/c.py'] },
    ]);
    for (const name of ['save', 'rename', 'delete']) rpc.ready.set(`LLMService.${name}_file_set`, () => []);
  });

  it('are loaded in place of the ticks or beside them, and missing files are named', async () => {
    await click(one('picker-sets'));
    await click(set('docs')?.querySelector('[data-ac="set-load"]'));
    expect(session.selection.paths).toEqual(['b.md']);
    expect(all('toast').at(-1)?.textContent).toContain('these files are gone or can’t be sent: gone.md.');
    await click(one('picker-sets'));
    await click(does('code', 'add'));
    expect(session.selection.paths).toEqual(['b.md', 'd/c.py']);
  });

  it('are saved, updated, renamed and forgotten', async () => {
    await click(one('picker-sets'));
    await click(one('set-save'));
    expect(one('picker-form').textContent).toContain('set of 1 ticked file');
    await fill(one('picker-form').querySelector('input') as HTMLInputElement, 'mine');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(rpc.last('LLMService.save_file_set').args).toEqual(['mine', ['a.py']]);
    await click(one('picker-sets'));
    await click(does('docs', 'update'));
    expect(rpc.last('LLMService.save_file_set').args).toEqual(['docs', ['a.py']]);
    await click(does('docs', 'rename'));
    await fill(one('picker-form').querySelector('input') as HTMLInputElement, 'texts');
    one('picker-form').dispatchEvent(new Event('submit', { cancelable: true }));
    await drawn();
    expect(rpc.last('LLMService.rename_file_set').args).toEqual(['docs', 'texts']);
    await click(one('picker-sets'));
    await click(does('code', 'delete'));
    expect(one('picker-confirmation').textContent).toContain('Forget the set code?');
    await click(one('picker-confirm'));
    expect(rpc.last('LLMService.delete_file_set').args).toEqual(['code']);
  });
});
