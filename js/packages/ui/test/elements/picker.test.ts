import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, drawn, fill, one, press } from '../support/page.ts';
import { rawRows } from '../support/raw-rows.ts';

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('the filter of files', () => {
  it('marks the best match, which Enter ticks and unticks', async () => {
    rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/alpha.py', 'docs/beta.md', 'docs/alphabet.md']));
    await connect(rpc);
    const filter = one('picker-filter') as HTMLInputElement;
    filter.focus();
    await fill(filter, 'alpha.');
    await drawn();
    const marked = () => all('picker-row').filter((row) => row.classList.contains('active'));
    expect(marked().map((row) => row.dataset.path)).toEqual(['src/alpha.py']);
    await press('Enter');
    await drawn();
    expect(session.selection.paths).toContain('src/alpha.py');
    await press('Enter');
    await drawn();
    expect(session.selection.paths).not.toContain('src/alpha.py');
  });
});

describe('an excluded row', () => {
  const row = (path: string) =>
    all('picker-row').find((candidate) => candidate.dataset.path === path) as HTMLElement;
  const box = (path: string) => row(path).querySelector('input') as HTMLInputElement;

  beforeEach(async () => {
    rpc.ready.set('LLMService.set_excluded_index_files', (paths) => paths);
    rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
    rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/a.py', 'src/b.py', 'c.py']));
    await connect(rpc);
  });

  it('is made by Shift+click on its box, which shows no tick, and says so in words', async () => {
    const click = new MouseEvent('click', { shiftKey: true, bubbles: true, cancelable: true });
    box('src/a.py').dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);
    await drawn();
    expect(row('src/a.py').dataset.excluded).toBe('all');
    expect(row('src/a.py').textContent).toContain('never sent');
    expect(row('src').dataset.excluded).toBe('some');
    expect(row('src').textContent).toContain('partly');
    expect(box('src/a.py').checked).toBe(false);
    expect(one('picker-excluded-count').textContent?.trim()).toBe('1');
    expect(one('picker-excluded-count').title).toBe('1 file is excluded: nothing of it is sent.');
  });

  it('is included and ticked by a click, and only included by Shift+click', async () => {
    session.selection.adopt([]);
    session.files.excluded.adopt(['src/a.py', 'c.py']);
    await drawn();
    box('c.py').click();
    await expect.poll(() => session.selection.paths).toEqual(['c.py']);
    row('src/a.py').dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }));
    await drawn();
    expect(row('src/a.py').dataset.excluded).toBe('none');
    expect(session.selection.paths).toEqual(['c.py']);
  });

  it('is made and unmade by Shift+Space', async () => {
    session.files.setActive('c.py');
    one('picker').querySelector<HTMLElement>('[role="tree"]')?.focus();
    await press(' ', { shiftKey: true });
    await drawn();
    expect(row('c.py').dataset.excluded).toBe('all');
    await press(' ', { shiftKey: true });
    await drawn();
    expect(row('c.py').dataset.excluded).toBe('none');
  });
});
