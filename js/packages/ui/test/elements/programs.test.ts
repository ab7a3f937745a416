import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { answered, answerOf } from '../support/answers.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one, press } from '../support/page.ts';
import { rawRows } from '../support/raw-rows.ts';

const STRIP = {
  kind: 'filter',
  name: 'strip',
  command: 'python3 tools/strip.py',
  scope: 'local',
  files: ['tools/strip.py'],
  state: 'not_allowed',
  reason: '',
};
const EDITOR = { ...STRIP, kind: 'editor', name: 'core.editor', command: 'vi', state: 'never_run' };
const HOOKS = { hooks: ['pre-commit', 'commit-msg'], folder: '.githooks', commands: [], refusal: '' };
const ANSWER = answerOf('First.\n\n', {
  path: 'a.nb',
  old: '1\n',
  new: '2\n',
  result: { status: 'applied', filter: 'strip', notes: ["Applied, not staged: the filter isn't allowed"] },
});

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  Element.prototype.scrollIntoView = () => {};
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('Repo.get_commit_hooks', () => HOOKS);
  rpc.ready.set('Repo.list_programs', () => [STRIP, EDITOR]);
  rpc.ready.set('Repo.stage_files', () => ({ status: 'ok' }));
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['a.nb'], { modified: ['a.nb'] }));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

const words = (element: Element) => element.textContent?.replace(/\s+/g, ' ').trim() ?? '';

async function openCard(): Promise<void> {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages: [answered('r', ANSWER)] }));
  await connect(rpc);
  await click(one('edit-allow'));
  await drawn();
}

it('asks with the command before a filter may run, and stages the file then', async () => {
  await openCard();
  const question = words(one('program-question'));
  expect(question).toContain('Let the filter strip run in this repository?');
  expect(question).toContain('python3 tools/strip.py');
  expect(question).toContain("From this repository's configuration");
  expect(focused()).toBe(one('program-cancel'));
  rpc.ready.set('Repo.list_programs', () => [{ ...STRIP, state: 'allowed' }]);
  rpc.ready.set('Repo.allow_program', () => ({ ...STRIP, state: 'allowed' }));
  await click(one('program-allow'));
  await drawn();
  expect(rpc.last('Repo.allow_program').args).toEqual(['filter', 'strip', 'python3 tools/strip.py']);
  expect(rpc.last('Repo.stage_files').args).toEqual([['a.nb']]);
  expect(all('program-question')).toEqual([]);
  expect(words(one('edit-card'))).toContain('not staged');
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['a.nb'], { staged: ['a.nb'] }, { version: 'e-3' }));
  await rpc.emit('filesModified', ['a.nb']);
  await drawn();
  expect(words(one('edit-card'))).toContain('Applied and staged.');
  expect(words(one('edit-card'))).not.toContain('not staged');
  expect(all('edit-allow')).toEqual([]);
});

it('says that a file is not staged while a part of it is not', async () => {
  const mixed = rawRows(['a.nb'], { staged: ['a.nb'], modified: ['a.nb'] }, { version: 'e-2' });
  rpc.ready.set('Repo.get_tree_rows', () => mixed);
  await openCard();
  expect(words(one('edit-card'))).toContain('not staged');
});

it('allows nothing when the person says no, and says why the server refuses', async () => {
  await openCard();
  await press('Escape');
  await drawn();
  expect(all('program-question')).toEqual([]);
  await click(one('edit-allow'));
  await drawn();
  await click(one('program-allow'));
  await rpc.last('Repo.allow_program').fail('conflict', 'It is another command now.');
  await drawn();
  expect(words(one('program-question'))).toContain('It is another command now.');
  expect(rpc.calls.filter(({ method }) => method === 'Repo.stage_files')).toEqual([]);
});

it('names what a commit runs, and what may not run, before the click', async () => {
  await connect(rpc);
  await click(one('commit'));
  await drawn();
  expect(words(one('commit-hooks'))).toBe('Runs pre-commit, commit-msg (.githooks).');
  expect(all('commit-denied').map(words)).toEqual(["The filter strip isn't allowed to run. Allow …"]);
  await click(one('commit-allow'));
  await drawn();
  expect(words(one('program-question'))).toContain('strip');
});

it('asks a server that has no such programs for none', async () => {
  rpc.lacking.add('Repo.allow_program');
  await connect(rpc);
  await click(one('commit'));
  await drawn();
  expect(all('commit-hooks')).toEqual([]);
  expect(rpc.calls.some(({ method }) => method === 'Repo.list_programs')).toBe(false);
});
