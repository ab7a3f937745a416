import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one } from '../support/page.ts';
import { rawRows } from '../support/raw-rows.ts';

let rpc: FakeRpc;
let session: Session;
const input = () => one<HTMLTextAreaElement>('input');
const offers = () => all('chip').map(({ dataset }) => `${dataset.kind}:${dataset.path}`);

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/a.py', 'src/b.py', 'c.md']));
  await connect(rpc);
  input().focus();
  await drawn();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('files named in the input', () => {
  it('are offered once, but for the ticked and the unknown', async () => {
    await fill(input(), 'Compare src/b.py with src/a.py, `b.py`, c.md and d.md');
    expect(offers()).toEqual(['file:src/b.py', 'file:c.md']);
    expect(session.selection.paths).toEqual(['src/a.py']);
    expect(rpc.count('LLMService.set_selected_files')).toBe(0);
  });

  it('are ticked by a press only, and the focus returns to the input', async () => {
    await fill(input(), 'See c.md');
    await click(one('chip-tick'));
    expect(session.selection.has('c.md')).toBe(true);
    expect(offers()).toEqual([]);
    expect(focused()).toBe(input());
    expect(input().value).toBe('See c.md');
  });

  it('are offered no more when the chip is closed, until they are named again', async () => {
    await fill(input(), 'See c.md');
    await click(one('chip-remove'));
    await fill(input(), 'See c.md now');
    expect(offers()).toEqual([]);
    await fill(input(), '');
    await fill(input(), 'c.md');
    expect(offers()).toEqual(['file:c.md']);
  });
});
