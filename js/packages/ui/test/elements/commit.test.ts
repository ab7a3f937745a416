import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

const FILE = {
  kind: 'modified',
  staged: false,
  partly: false,
  ticked: true,
  reason: '',
  secret: false,
  size: 3,
  files: 0,
};
const PARTLY = { ...FILE, path: 'a.txt', staged: true, partly: true, version: 'va' };
const CHANGED = { ...FILE, path: 'b.txt', version: 'vb' };
const NEW = { ...FILE, path: 'new.txt', kind: 'new', version: 'vn' };
const SECRET = {
  ...FILE,
  path: 'secrets.env',
  kind: 'new',
  ticked: false,
  secret: true,
  reason: 'Looks like a secret.',
  version: 'vs',
};
const MODULES = {
  ...FILE,
  path: 'node_modules/',
  kind: 'new',
  ticked: false,
  reason: 'Tools make this folder.',
  files: 1200,
  version: '',
};
const LISTED = {
  files: [PARTLY, CHANGED, NEW, SECRET, MODULES],
  left_out: 0,
  operation: null,
  refusal: '',
  no_model: '',
  undo: null,
};

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  Element.prototype.scrollIntoView = () => {};
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('Repo.get_commit_hooks', () => ({}));
  rpc.ready.set('Repo.list_programs', () => []);
  list();
  rpc.ready.set('LLMService.write_commit_message', () => ({ status: 'started' }));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

function list(more: object = {}): void {
  rpc.ready.set('LLMService.list_commit_candidates', () => ({ ...LISTED, ...more }));
}

async function open(): Promise<void> {
  await connect(rpc);
  await click(one('commit'));
  await drawn();
}

const row = (path: string) => all('commit-row').find((each) => each.dataset.path === path) as HTMLElement;
const box = (path: string) => row(path).querySelector('input') as HTMLInputElement;
const checked = () => all('commit-row').map((each) => [each.dataset.path, each.dataset.checked]);
const field = () => one('commit-message') as HTMLTextAreaElement;
const writing = () => String(rpc.last('LLMService.write_commit_message').args[0]);

async function tick(path: string): Promise<void> {
  await click(box(path));
  await drawn();
}

it('lists what a commit takes, what not, and why', async () => {
  await open();
  expect(focused()).toBe(field());
  expect(checked()).toEqual([
    ['a.txt', 'mixed'],
    ['b.txt', 'true'],
    ['new.txt', 'true'],
    ['secrets.env', 'false'],
    ['node_modules/', 'false'],
  ]);
  expect(row('secrets.env').textContent).toContain('Looks like a secret.');
  expect(row('node_modules/').textContent).toContain('1,200 files');
  expect(one('commit-submit').textContent).toContain('Commit 3 files');
});

it('takes the staged part of a file, the whole of it, or nothing, in this order', async () => {
  await open();
  await tick('a.txt');
  expect(row('a.txt').dataset.checked).toBe('true');
  expect(row('a.txt').textContent).toContain('whole file');
  await tick('a.txt');
  expect(row('a.txt').dataset.checked).toBe('false');
  await tick('a.txt');
  expect(row('a.txt').dataset.checked).toBe('mixed');
});

it('commits what is ticked, as it was listed, and is empty and closed then', async () => {
  await open();
  await tick('b.txt');
  await tick('node_modules/');
  await fill(field(), 'Mine');
  await press('Enter', { ctrlKey: true });
  const call = rpc.last('LLMService.commit_files');
  expect(call.args).toEqual([
    [
      { path: 'a.txt', version: 'va', part: 'staged' },
      { path: 'new.txt', version: 'vn', part: 'whole' },
      'node_modules/',
    ],
    'Mine',
    false,
  ]);
  expect(one('commit-submit').textContent).toContain('Committing');
  const outcome = { status: 'committed', sha: 'abc1234def', short_sha: 'abc1234', message: 'Mine\n\nAll.' };
  await rpc.emit('commitResult', { ...outcome, hooks: ['pre-commit'], notices: ['Mind a.txt.'] });
  await call.answer(outcome);
  await drawn();
  expect(all('commit-form')).toEqual([]);
  expect(focused()).toBe(one('commit'));
  const toasts = all('toast').map((toast) => toast.textContent ?? '');
  expect(
    toasts.filter((toast) => toast.includes('Committed abc1234: Mine (hooks: pre-commit)')),
  ).toHaveLength(1);
  expect(toasts.join()).toContain('Mind a.txt.');
  await click(one('commit'));
  await drawn();
  expect(field().value).toBe('');
  expect(row('b.txt').dataset.checked).toBe('true');
});

it('waits for the list when somebody commits before it is there', async () => {
  rpc.ready.delete('LLMService.list_commit_candidates');
  await open();
  await fill(field(), 'Mine');
  await press('Enter', { ctrlKey: true });
  expect(rpc.count('LLMService.commit_files')).toBe(0);
  await rpc.last('LLMService.list_commit_candidates').answer({ ...LISTED, files: [CHANGED] });
  await drawn();
  expect(rpc.last('LLMService.commit_files').args[0]).toEqual([
    { path: 'b.txt', version: 'vb', part: 'whole' },
  ]);
});

it('says in the form why nothing was committed, and keeps words and ticks', async () => {
  await open();
  await click(one('commit-submit'));
  expect(one('commit-error').textContent).toContain('Write a message');
  await tick('b.txt');
  await fill(field(), 'Mine');
  await click(one('commit-submit'));
  await rpc.last('LLMService.commit_files').answer({ status: 'failed', error: 'A hook refused.' });
  await drawn();
  expect(one('commit-error').textContent).toContain('A hook refused.');
  expect(field().value).toBe('Mine');
  expect(row('b.txt').dataset.checked).toBe('false');
  await rpc.emit('commitResult', {
    status: 'committed',
    sha: 'f',
    short_sha: 'f',
    message: 'Of another panel',
  });
  await drawn();
  expect(field().value).toBe('Mine');
});

it('asks before it commits what looks like a secret', async () => {
  await open();
  await tick('secrets.env');
  await fill(field(), 'Mine');
  await click(one('commit-submit'));
  const refused = { error: 'Nothing was committed.', secrets: ['secrets.env'] };
  await rpc.last('LLMService.commit_files').answer(refused);
  await drawn();
  expect(one('commit-secrets').textContent).toContain('secrets.env');
  await click(one('commit-secrets-in'));
  expect(rpc.last('LLMService.commit_files').args[2]).toBe(true);
  await rpc.last('LLMService.commit_files').answer(refused);
  await drawn();
  await click(one('commit-secrets-out'));
  await drawn();
  expect(all('commit-secrets')).toEqual([]);
  expect(row('secrets.env').dataset.checked).toBe('false');
});

it('streams the message that the model writes into the field, and brings the own words back', async () => {
  await open();
  await fill(field(), 'Mine');
  await click(one('commit-write'));
  const paths = rpc.last('LLMService.write_commit_message').args[1] as { path: string }[];
  expect(paths.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'new.txt']);
  await rpc.emit('streamDelta', writing(), 0, 'feat: ');
  await rpc.emit('streamDelta', 'another', 0, 'no');
  await rpc.emit('streamDelta', writing(), 6, 'count');
  await drawn();
  expect(field().value).toBe('feat: count');
  expect(field().readOnly).toBe(true);
  expect((one('commit-submit') as HTMLButtonElement).disabled).toBe(true);
  await rpc.emit('streamComplete', writing(), { response: 'feat: count\n\nBetter.' });
  await drawn();
  expect(field().value).toBe('feat: count\n\nBetter.');
  expect(field().readOnly).toBe(false);
  await click(one('commit-restore'));
  expect(field().value).toBe('Mine');
  await click(one('commit-restore'));
  expect(field().value).toBe('feat: count\n\nBetter.');
  await click(one('commit-write'));
  await rpc.emit('streamComplete', writing(), { response: 'fix: it' });
  await drawn();
  await click(one('commit-restore'));
  expect(field().value).toBe('Mine');
});

it('stops writing by button and by Escape, and keeps the words when nothing came', async () => {
  rpc.ready.set('LLMService.cancel_streaming', () => ({ status: 'cancelling' }));
  await open();
  await fill(field(), 'Mine');
  await click(one('commit-write'));
  expect(one('commit-write').textContent).toContain('Stop');
  await click(one('commit-write'));
  expect(rpc.last('LLMService.cancel_streaming').args).toEqual([writing()]);
  await rpc.emit('streamComplete', writing(), { response: '', cancelled: true });
  await drawn();
  expect(field().value).toBe('Mine');
  expect(all('commit-restore')).toEqual([]);
  await click(one('commit-write'));
  await press('Escape');
  expect(rpc.count('LLMService.cancel_streaming')).toBe(2);
  expect(all('commit-form')).toHaveLength(1);
  await rpc.emit('streamComplete', writing(), { response: '', error: 'The provider is down.' });
  await drawn();
  expect(one('commit-error').textContent).toContain('The provider is down.');
  expect(field().value).toBe('Mine');
});

it('undoes the last commit and has its message in the field again', async () => {
  list({ undo: { sha: 'abc1234def', short_sha: 'abc1234', subject: 'Mine' } });
  await open();
  expect(one('commit-form').textContent).toContain('abc1234');
  rpc.ready.set('LLMService.undo_commit', () => ({
    status: 'undone',
    short_sha: 'abc1234',
    message: 'Mine\n\nAll.',
  }));
  list();
  await click(one('commit-undo'));
  await drawn();
  expect(field().value).toBe('Mine\n\nAll.');
  expect(all('commit-undo')).toEqual([]);
  expect(one('toast').textContent).toContain('Undid the commit abc1234');
});

it('says why a commit can not be undone', async () => {
  list({ undo: { sha: 'a', short_sha: 'a', subject: 'Mine' } });
  await open();
  rpc.ready.set('LLMService.undo_commit', () => ({ error: 'It is pushed already.' }));
  await click(one('commit-undo'));
  await drawn();
  expect(one('commit-error').textContent).toContain('It is pushed already.');
});

it('takes all that git tracks in the middle of a merge', async () => {
  list({ operation: 'merge' });
  await open();
  expect(one('commit-form').textContent).toContain('A merge is under way');
  expect(box('b.txt').disabled).toBe(true);
  expect(row('a.txt').dataset.checked).toBe('true');
  expect(box('new.txt').disabled).toBe(false);
});

it('keeps ticks when the list is asked for again, and shows what is left out', async () => {
  await open();
  await tick('b.txt');
  list({ left_out: 4200, refusal: 'Files are in conflict.' });
  await session.commit.list();
  await drawn();
  expect(row('b.txt').dataset.checked).toBe('false');
  expect(one('commit-form').textContent).toContain('4,200 more files');
  expect(one('commit-form').textContent).toContain('Files are in conflict.');
  expect((one('commit-submit') as HTMLButtonElement).disabled).toBe(true);
});

it('shows nothing that was listed before when it is opened anew', async () => {
  list({ undo: { sha: 'abc', short_sha: 'abc', subject: 'Before' } });
  await open();
  expect(all('commit-undo')).toHaveLength(1);
  await click(one('commit'));
  rpc.ready.delete('LLMService.list_commit_candidates');
  await click(one('commit'));
  await drawn();
  expect(checked()).toEqual([]);
  expect(all('commit-undo')).toEqual([]);
  expect(one('commit-form').textContent).toContain('Looking at what has changed');
});

it('ticks and unticks a whole part, but for what is left out for a reason', async () => {
  await open();
  const parts = [...one('commit-form').querySelectorAll('.heading input')] as HTMLInputElement[];
  await click(parts[2] as HTMLInputElement);
  await drawn();
  expect(row('new.txt').dataset.checked).toBe('false');
  await click(parts[2] as HTMLInputElement);
  await drawn();
  expect(checked().slice(2)).toEqual([
    ['new.txt', 'true'],
    ['secrets.env', 'false'],
    ['node_modules/', 'false'],
  ]);
});

it('shows the changes of a file over the form, which stays open', async () => {
  await open();
  await click(all('commit-diff')[0] as HTMLElement);
  await drawn();
  expect(one('viewer').dataset.path).toBe('a.txt');
  one('viewer').dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }));
  await drawn();
  expect(all('commit-form')).toHaveLength(1);
});

it('writes no message without a model, and says why', async () => {
  list({ no_model: 'No language model is set up.' });
  await open();
  expect((one('commit-write') as HTMLButtonElement).disabled).toBe(true);
  expect(one('commit-write').title).toContain('No language model');
});

it('can commit again when the connection was lost in the middle of a commit', async () => {
  await open();
  await fill(field(), 'Mine');
  await click(one('commit-submit'));
  await rpc.become({ state: 'waiting', delayMs: 10, reason: 'gone', code: 1006 });
  await connect(rpc);
  await drawn();
  expect(session.commit.isBusy).toBe(false);
  expect(session.commit.message).toBe('Mine');
});

it('has no commit button with a server that has no such form', async () => {
  rpc.lacking.add('LLMService.commit_files');
  await connect(rpc);
  expect((one('commit').getRootNode() as ShadowRoot).host.hasAttribute('hidden')).toBe(true);
});
