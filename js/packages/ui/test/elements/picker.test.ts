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
