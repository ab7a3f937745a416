import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

const BRANCH = 'LLMService.branch_session';
const FILES = 'LLMService.get_question_files';
const ASKED = [
  { role: 'user', content: 'One', request_id: 'x', state: 'done' },
  { role: 'assistant', content: 'So.', request_id: 'x', state: 'done' },
];

let rpc: FakeRpc;
let session: Session;
let selected: string[];

beforeEach(async () => {
  rpc = new FakeRpc();
  selected = ['c.md'];
  ({ session } = await mount(rpc));
  let state: object = { ...STATE, messages: ASKED };
  rpc.ready.set('LLMService.get_current_state', () => ({ ...state, selected_files: selected }));
  rpc.ready.set('LLMService.set_selected_files', (files) => {
    selected = files as string[];
    return selected;
  });
  rpc.ready.set(BRANCH, () => {
    state = { ...STATE, session_id: 't', messages: [] };
    return { ...state, question: 'One', images: [] };
  });
  await connect(rpc);
  await drawn();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

/** Edits the first question, of which the server says so. */
async function edit(answer: unknown): Promise<void> {
  rpc.ready.set(FILES, () => answer);
  await click(one('question-edit'));
  await drawn();
}

const words = () => one('asked-files').querySelector('.words')?.textContent?.replace(/\s+/g, ' ').trim();

it('offers the files that were ticked then, and ticks them beside the others', async () => {
  await edit({ files: ['src/a.py', 'src/b.py'], left_out: [] });
  expect(rpc.last(FILES).args).toEqual(['x']);
  expect(words()).toBe('2 files were ticked when this was asked, and aren’t now: src/a.py, src/b.py.');
  expect(selected).toEqual(['c.md']);
  await click(one('asked-files-tick'));
  await drawn();
  expect(selected).toEqual(['c.md', 'src/a.py', 'src/b.py']);
  expect(all('asked-files')).toEqual([]);
  expect(focused()).toBe(one('input'));
  expect(session.toasts.toasts.map(({ message }) => message)).toContain('2 files ticked');
});

it('says what is left out, and why, also where nothing can be ticked', async () => {
  const left_out = ['.env', 'b', 'c', 'd'].map((path) => ({ path, reason: 'it looks like a secret' }));
  await edit({ files: [], left_out });
  expect(words()).toContain('.env was ticked, too, and is left out: it looks like a secret.');
  expect(all('asked-file-left-out')).toHaveLength(3);
  expect(words()).toContain('… and 1 more is left out.');
  expect(all('asked-files-tick')).toEqual([]);
  await click(one('asked-files-close'));
  expect([all('asked-files'), focused()]).toEqual([[], one('input')]);
});

it('names some of many files, and no longer those that the user has ticked', async () => {
  await edit({ files: ['1', '2', '3', '4', '5'], left_out: [] });
  expect(words()).toBe('5 files were ticked when this was asked, and aren’t now: 1, 2, 3 and 2 more.');
  session.selection.mark(['1', '2', '3', '4'], true);
  await drawn();
  expect(words()).toBe('1 file was ticked when this was asked, and isn’t now: 5.');
  session.selection.mark(['5'], true);
  await drawn();
  expect(all('asked-files')).toEqual([]);
});

it('belongs to the question: not to another conversation, and not after it is sent', async () => {
  await edit({ files: ['src/a.py'], left_out: [] });
  expect(all('asked-files')).toHaveLength(1);
  await rpc.emit('sessionChanged', { session_id: 'other', messages: [] });
  await drawn();
  expect(all('asked-files')).toEqual([]);
  await rpc.emit('sessionChanged', { session_id: 't', messages: [] });
  await drawn();
  expect(all('asked-files')).toHaveLength(1);
  void session.ask();
  await drawn();
  expect(all('asked-files')).toEqual([]);
});

it.each([{ files: [], left_out: [] }, { error: 'No.' }, 'odd'])('shows nothing for %j', async (answer) => {
  await edit(answer);
  expect([all('asked-files'), session.draft.text]).toEqual([[], 'One']);
});

it('isn’t asked for at a server that is too old', async () => {
  rpc.lacking.add(FILES);
  await edit({ files: ['src/a.py'], left_out: [] });
  expect([rpc.count(FILES), session.draft.text, all('asked-files')]).toEqual([0, 'One', []]);
});
