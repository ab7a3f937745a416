import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import { onOpenLocation } from '../../src/elements/location-links.ts';
import type { Session } from '../../src/model/session.ts';
import { answered, answerOf, completion } from '../support/answers.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one } from '../support/page.ts';

const UNDO = 'LLMService.undo_edits';
const CHAT = 'LLMService.chat_streaming';
const PENDING = { status: 'pending', message: 'Waits for you.' };
const FAILED = {
  status: 'failed',
  error_type: 'anchor_not_found',
  message: 'The old text is not in `b.py`; quote the file exactly.',
  cause: 'whitespace',
  near: { line: 4, text: '\treturn 1\n' },
};
const SHIFTED = {
  ...FAILED,
  cause: 'indentation',
  correctable: true,
  corrected: { old: '\treturn 1\n', new: '\treturn 2\n' },
};
const ANSWER = answerOf('First.\n\n', { path: 'a.py', old: 'price = 1\n', new: 'cost = 1\n' }, 'Then.\n\n', {
  path: 'b.py',
  old: '  return 1\n',
  new: '  return 2\n',
  result: FAILED,
});

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  Element.prototype.scrollIntoView = () => {};
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function open(message: object, more: object = {}): Promise<void> {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages: [message], ...more }));
  await connect(rpc);
}

/** Asks, and returns the request's id. */
async function ask(): Promise<string> {
  rpc.ready.set(CHAT, () => ({ status: 'started' }));
  await connect(rpc);
  session.draft.set('Change it.');
  await session.ask();
  await drawn();
  return String(rpc.last(CHAT).args[0]);
}

const cards = () => all('edit-card');
const statuses = () => cards().map(({ dataset }) => dataset.status);
const words = (element: Element | null | undefined) =>
  element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

describe('an answer with edits', () => {
  it('has a card in the place of each block, and nothing of its markers', async () => {
    await open(answered('r', ANSWER));
    const answer = one('message').querySelector('.answer');
    expect([...(answer?.children ?? [])].map(({ className }) => className)).toEqual([
      'prose',
      'edit-card good',
      'prose',
      'edit-card bad',
    ]);
    expect(answer?.textContent).not.toContain('🟧');
    expect(cards().map(({ dataset }) => [dataset.path, dataset.status])).toEqual([
      ['a.py', 'applied'],
      ['b.py', 'failed'],
    ]);
    expect(cards()[0]?.getAttribute('aria-label')).toBe('Edit of a.py: Applied');
  });

  it('shows what has changed in the file of one that is applied, at its line', async () => {
    const opened: unknown[] = [];
    onOpenLocation(document.body, (location) => opened.push(location));
    await open(answered('r', ANSWER));
    await click(one('edit-changes')); // none at the one that failed
    expect(opened).toEqual([{ path: 'a.py', line: 7, col: 0, isDiff: true }]);
  });

  it('marks the words that differ', async () => {
    await open(answered('r', ANSWER));
    const marks = [...(cards()[0]?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent);
    expect(marks).toEqual(['price', 'cost']);
    expect(words(cards()[0]?.querySelector('.edit-facts'))).toBe('line 7 +1 −1');
  });

  it('says why one failed and shows the closest place beside what was looked for', async () => {
    await open(answered('r', ANSWER));
    const card = cards()[1];
    const notes = [...(card?.querySelectorAll('.edit-note') ?? [])].map(words);
    expect(notes).toEqual([
      'The lines to replace differ from the file’s in white space.',
      'What the model is toldThe old text is not in b.py; quote the file exactly.',
    ]);
    expect(card?.querySelector('details')?.open).toBe(false);
    const panes = [...(card?.querySelectorAll('figcaption') ?? [])].map((pane) => pane.textContent);
    expect(panes).toEqual(['Looked for', 'Closest in the file: line 4']);
  });

  it('shows a block with its indentation corrected, and applies it on a click', async () => {
    const block = { path: 'b.py', old: '  return 1\n', new: '  return 2\n', result: SHIFTED };
    await open(answered('r', answerOf(block)));
    const [card] = cards();
    expect([...(card?.querySelectorAll('.diff > div') ?? [])].map((line) => line.textContent)).toEqual([
      '\treturn 1',
      '\treturn 2',
    ]);
    expect(words(card?.querySelector('.edit-badge'))).toBe('Indentation corrected');
    expect(card?.querySelector('.near')).toBe(null);
    expect(words(one('edit-summary').querySelector('.edit-line'))).toBe(
      '1 with corrected indentation in 1 file',
    );
    await click(one('edit-correct'));
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', [0]]);
  });

  it('has one card for a block that was written anew, in its place', async () => {
    const block = (result: object) => ({ path: 'b.py', old: 'a\n', new: 'b\n', result });
    const answer = answerOf(
      'First.\n\n',
      block({ ...FAILED, redone: true, redone_by: 2 }),
      block({}),
      'Again.\n\n',
      block({ ...FAILED, attempt: 1, redone: true, redone_by: 3 }),
      block({ attempt: 2 }),
    );
    await open(answered('r', answer, { attempts: [{}, {}, {}] }));
    expect(cards().map(({ dataset }) => [dataset.index, dataset.status])).toEqual([
      ['3', 'applied'],
      ['1', 'applied'],
    ]);
    const children = [...(one('message').querySelector('.answer')?.children ?? [])];
    expect(children.map(({ className }) => className)).toEqual([
      'prose',
      'edit-card good',
      'edit-card good',
      'prose',
    ]);
  });

  it('ticks a file that was kept out of the context on a click, and prepares the question', async () => {
    const result = { status: 'not_in_context', message: 'git ignores it.', withheld: true };
    rpc.ready.set('LLMService.set_selected_files', (files: unknown) => files);
    await open(answered('r', answerOf({ path: '.env', old: 'a\n', new: 'b\n', result })));
    expect(words(one('edit-tick'))).toBe('Tick and ask again');
    session.draft.set('Mine.');
    await click(one('edit-tick'));
    await click(one('edit-tick'));
    expect(rpc.last('LLMService.set_selected_files').args).toEqual([['src/a.py', '.env']]);
    const prompt = 'This file is in the context as of now; send its edits again:\n- .env';
    expect(session.draft.text).toBe(`Mine.\n\n${prompt}`);
    expect(rpc.calls.some(({ method }) => method === CHAT)).toBe(false);
  });

  it('offers no tick where the server has added the file, or asked again', async () => {
    const result = { status: 'not_in_context', message: '' };
    const redone = { ...result, withheld: true, redone: true };
    await open(answered('r', answerOf({ path: 'a', result }, { path: 'b', result: redone })));
    expect(all('edit-tick')).toEqual([]);
  });

  it('sums up, and leads to what failed', async () => {
    await open(answered('r', ANSWER, { attempts: [{}, {}] }));
    expect(words(one('edit-summary').querySelector('.edit-line'))).toBe(
      '1 applied, 1 failed in 2 files, 2 attempts',
    );
    await click(one('edit-summary').querySelector('.edit-missed button'));
    expect(focused()).toBe(cards()[1]);
  });

  it('says which file goes, and where to', async () => {
    const as = (kind: string, more: object) => ({
      path: `${kind}.py`,
      result: { kind, is_create: false, ...more },
    });
    await open(
      answered(
        'r',
        answerOf(as('delete', { added: 0, removed: 3 }), as('rename', { new_path: 'to.py', added: 0 })),
      ),
    );
    expect(cards().map((card) => words(card.querySelector('.edit-head')))).toEqual([
      'delete.py delete −3 Applied',
      'rename.py → to.py rename −1 Applied',
    ]);
  });

  it('puts away what was tried again in the same turn', async () => {
    const again = { ...FAILED, redone: true, near: null };
    const block = { path: 'a.py', old: '1\n', new: '2\n' };
    await open(answered('r', answerOf({ ...block, result: again }, { ...block, result: { attempt: 1 } })));
    expect(words(cards()[0]?.querySelector('.edit-badge'))).toBe('Tried again');
    expect(cards()[0]?.querySelector('.diff')).toBeNull();
    expect(words(cards()[1]?.querySelector('.edit-facts'))).toContain('attempt 2');
    expect(all('edit-correct')).toEqual([]);
  });

  it('names the cells of a notebook that its texts name', async () => {
    const block = { path: 'n.ipynb', old: '# %% cell=3\nx = 1\n', new: '# %% cell=3\nx = 2\n' };
    await open(answered('r', answerOf(block, { ...block, path: 'n.py' })));
    expect(cards().map((card) => words(card.querySelector('.edit-facts')).includes('Cell 3'))).toEqual([
      true,
      false,
    ]);
  });

  it('folds a long change', async () => {
    const next = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('');
    await open(answered('r', answerOf({ path: 'new.py', new: next })));
    const count = () => one('edit-card').querySelectorAll('.diff > div').length;
    expect(count()).toBe(24);
    const fold = one('edit-card').querySelector('[data-fold]');
    expect(words(fold)).toBe('Show all 60 lines');
    await click(fold);
    expect(count()).toBe(60);
    expect(fold?.getAttribute('aria-expanded')).toBe('true');
  });

  it('names blocks of a stopped answer as not applied', async () => {
    const { blocks, content } = ANSWER;
    await open({ ...answered('r', { content, blocks, results: [] }), state: 'cancelled' });
    expect(statuses()).toEqual(['skipped', 'skipped']);
    expect(words(cards()[0]?.querySelector('.edit-badge'))).toBe('Not applied');
  });
});

describe('an answer that comes in', () => {
  it('has a pending card that grows, and keeps what is finished', async () => {
    const id = await ask();
    const { content, blocks } = ANSWER;
    const [first] = blocks as { span: number[]; old_span: number[] }[];
    const begun = first?.old_span[0] ?? 0;
    await rpc.emit('streamDelta', id, 0, content.slice(0, begun + 12));
    const open = { ...first, complete: false, old_span: [begun, begun], new_span: [0, 0] };
    await rpc.emit('editBlocks', id, [open]);
    await drawn();
    expect(statuses()).toEqual(['pending']);
    expect(words(one('edit-card').querySelector('.edit-badge'))).toBe('Being written');
    expect(words(one('edit-card').querySelector('.diff'))).toBe('price = 1');
    const answer = all('message')[1];
    const [prose, card] = [answer?.querySelector('.prose'), one('edit-card')];
    await rpc.emit('streamDelta', id, begun + 12, content.slice(begun + 12));
    await rpc.emit('editBlocks', id, blocks);
    await drawn();
    expect(statuses()).toEqual(['pending', 'pending']);
    expect(words(card.querySelector('.edit-badge'))).toBe('Waiting');
    const line = card.querySelector('.del');
    await rpc.emit('streamComplete', id, completion(ANSWER));
    await drawn();
    expect(statuses()).toEqual(['applied', 'failed']);
    expect(answer?.querySelector('.prose')).toBe(prose);
    expect([cards()[0], card.querySelector('.del')]).toEqual([card, line]);
  });
});

describe('review before apply', () => {
  const waiting = answerOf(
    { path: 'a.py', old: '1\n', new: '2\n', result: PENDING },
    { path: 'b.py', old: '1\n', new: '2\n', result: PENDING },
  );
  const decided = (...states: string[]) => ({
    edit_results: waiting.results.map((row, index) => ({ ...row, status: states[index] })),
    files_modified: ['a.py'],
    can_undo: true,
  });

  it('is a switch', async () => {
    await open(answered('r', ANSWER), { edits_review: false });
    expect(one('edits-review').getAttribute('aria-checked')).toBe('false');
    await click(one('edits-review'));
    expect(one('edits-review').getAttribute('aria-checked')).toBe('true');
    expect(rpc.last('LLMService.set_edits_review').args).toEqual([true]);
  });

  it('asks about each block, and the keyboard goes on to the next', async () => {
    await open(answered('r', waiting));
    expect(all('edit-accept')).toHaveLength(2);
    const [accept] = all('edit-accept');
    accept?.focus();
    await click(accept);
    expect(accept?.getAttribute('aria-disabled')).toBe('true');
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', [0]]);
    await rpc.emit('editsChanged', 'r', decided('applied', 'pending'));
    await rpc.last('LLMService.apply_edits').answer({ status: 'ok' });
    await drawn();
    expect(statuses()).toEqual(['applied', 'pending']);
    expect(focused()).toBe(one('edit-accept'));
    await click(one('edit-reject'));
    await rpc.emit('editsChanged', 'r', decided('applied', 'rejected'));
    await drawn();
    expect(statuses()).toEqual(['applied', 'rejected']);
    one('undo');
  });

  it('takes all at once', async () => {
    await open(answered('r', waiting));
    await click(one('edit-reject-all'));
    expect(rpc.last('LLMService.reject_edits').args).toEqual(['r', []]);
    await rpc.last('LLMService.reject_edits').answer({ error: 'Busy.' });
    await drawn();
    expect(words(one('toast'))).toContain('Busy.');
    await click(one('edit-accept-all'));
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', []]);
  });
});

describe('a file that runs by itself', () => {
  const reason = 'pytest runs it';
  const guarded = { status: 'pending', message: `It waits: ${reason}.`, protected: reason };
  const block = (path: string, result: object) => ({ path, old: '1\n', new: '2\n', result });
  const mixed = answerOf(
    block('a.py', PENDING),
    block('conftest.py', guarded),
    block('b.py', PENDING),
    block('tests/conftest.py', { ...SHIFTED, protected: reason }),
  );

  it('has a card that says why, and a button of its own', async () => {
    await open(answered('r', mixed));
    const card = cards()[1];
    expect([...(card?.querySelectorAll('p') ?? [])].map(words)).toEqual(['Runs by itself: pytest runs it.']);
    const accept = card?.querySelector<HTMLElement>('[data-ac="edit-accept"]');
    expect(words(accept)).toBe('Apply anyway');
    expect(accept?.getAttribute('aria-label')).toBe(
      'Apply anyway: conftest.py. It runs by itself: pytest runs it',
    );
    await click(accept);
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', [1]]);
    expect(words(cards()[3])).toContain('Runs by itself: pytest runs it.');
  });

  it('is left out where all are accepted, which is said', async () => {
    await open(answered('r', mixed));
    expect(words(one('edit-accept-all'))).toBe('Accept all (2)');
    expect(words(one('edit-summary'))).toContain('1 edit of files that run by themselves: look at each.');
    await click(one('edit-accept-all'));
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', []]);
    await rpc.last('LLMService.apply_edits').answer({ status: 'ok', note: 'One still waits.' });
    await drawn();
    expect(words(one('toast'))).toContain('One still waits.');
  });

  it('never gets the keyboard by itself', async () => {
    await open(answered('r', answerOf(block('a.py', PENDING), block('conftest.py', guarded))));
    const [accept] = all('edit-accept');
    accept?.focus();
    await click(accept);
    const edit_results = mixed.results
      .slice(0, 2)
      .map((row, index) => (index ? row : { ...row, status: 'applied' }));
    await rpc.emit('editsChanged', 'r', { edit_results, files_modified: ['a.py'], can_undo: true });
    await drawn();
    expect(statuses()).toEqual(['applied', 'pending']);
    expect(focused()).toBe(one('edit-summary'));
  });

  it('is asked about before an undo changes it', async () => {
    const undo = 'LLMService.undo_edits';
    await open(answered('r', ANSWER));
    one('undo').focus();
    const confirm = { status: 'confirm', files_restored: [], protected: [{ file: '.envrc', reason }] };
    await click(one('undo'));
    await rpc.last(undo).answer(confirm);
    await drawn();
    expect(words(one('undo-confirm'))).toContain('.envrc: pytest runs it.');
    expect(focused()).toBe(one('undo-keep'));
    await click(one('undo-keep'));
    expect(all('undo-confirm')).toEqual([]);
    await click(one('undo'));
    await rpc.last(undo).answer(confirm);
    await drawn();
    await click(one('undo-confirmed'));
    expect(rpc.last(undo).args).toEqual(['r', [], ['.envrc']]);
    await rpc.last(undo).answer({ status: 'undone', files_restored: ['.envrc'] });
    await drawn();
    expect(all('undo-confirm')).toEqual([]);
    expect(words(one('toast'))).toContain('Taken back in 1 file.');
  });
});

describe('an edit in another format', () => {
  const texts = { old: 'price = 1\n', new: 'cost = 1\n' };
  const suggested = { status: 'suggested', added: 0, removed: 0, texts };
  const block = (result: object) => ({ path: 'a.py', old: '-x\n', new: '+y\n', result });

  it('is shown by its texts and applied by its own button alone', async () => {
    const unfit = { ...suggested, error_type: 'anchor_not_found', message: 'Quote it.', cause: 'stale' };
    const guarded = { ...suggested, protected: 'pytest runs it' };
    await open(answered('r', answerOf(block(suggested), block(unfit), block(guarded), block(suggested))));
    const lines = [...(cards()[0]?.querySelectorAll('.diff > div') ?? [])].map((line) => line.textContent);
    expect(lines).toEqual(['price = 1', 'cost = 1']);
    expect(cards().map((card) => words(card.querySelector('.edit-badge')))).toEqual([
      'Suggested',
      'Does not fit',
      'Suggested',
      'Suggested',
    ]);
    expect(all('edit-accept').map(words)).toEqual(['Apply', 'Apply anyway', 'Apply']);
    expect(words(cards()[1])).toContain('The file has other lines there.');
    await click(all('edit-accept')[0]);
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', [0]]);
    await rpc.last('LLMService.apply_edits').answer({ status: 'ok' });
    await drawn();
    await click(one('edit-apply-suggested'));
    expect(rpc.last('LLMService.apply_edits').args).toEqual(['r', [0, 3]]);
    expect(all('edit-accept-all')).toEqual([]);
  });

  it('stands in its place, though it is numbered behind the answer’s own', async () => {
    const { content, blocks, results } = answerOf(block(suggested), 'Then.\n\n', block({}));
    const swapped = (rows: object[]) => rows.map((row, at) => ({ ...row, index: 1 - at })).reverse();
    await open(answered('r', { content, blocks: swapped(blocks), results: swapped(results) }));
    expect(statuses()).toEqual(['suggested', 'applied']);
  });
});

describe('undo', () => {
  it('stands below an answer with edits, and says why it was refused', async () => {
    await open(answered('r', ANSWER));
    one('undo').focus();
    await click(one('undo'));
    await rpc.last(UNDO).answer({ status: 'refused', reason: '`a.py` has changed.' });
    await drawn();
    expect(words(one('toast'))).toContain('a.py has changed.');
    await click(one('undo'));
    const edit_results = ANSWER.results.map((row) => ({ ...row, status: 'undone' }));
    await rpc.emit('editsChanged', 'r', { edit_results, files_modified: [], can_undo: false });
    await drawn();
    expect(all('undo')).toEqual([]);
    expect(statuses()).toEqual(['undone', 'undone']);
    expect(focused()).toBe(one('edit-summary'));
  });

  it('takes back one edit by its card', async () => {
    await open(answered('r', ANSWER));
    expect(all('edit-undo').length).toBe(1); // none at the one that failed
    await click(one('edit-undo'));
    expect(rpc.last(UNDO).args).toEqual(['r', [0], []]);
  });

  it('takes back the edits of one file', async () => {
    const block = (path: string) => ({ path, old: 'a\n', new: 'b\n' });
    await open(answered('r', answerOf(block('a'), block('b'), block('a'))));
    expect(all('undo-file').map(({ dataset }) => dataset.path)).toEqual(['a', 'b']);
    await click(all('undo-file')[0]);
    expect(rpc.last(UNDO).args).toEqual(['r', [0, 2], []]);
  });

  it('shows what others have made of the edits, and offers the rest', async () => {
    const block = (path: string) => ({ path, old: 'a\n', new: 'b\n' });
    const edits = [
      { index: 0, standing: 'undone', can_undo: false },
      { index: 1, standing: 'changed', can_undo: false },
    ];
    rpc.ready.set('LLMService.get_edit_standings', () => [{ request_id: 'r', edits }]);
    await open(answered('r', answerOf(block('a'), block('b'), block('c'))));
    await drawn();
    expect(statuses()).toEqual(['undone', 'changed', 'applied']);
    expect(cards().map((card) => words(card.querySelector('.edit-badge')))).toEqual([
      'Undone',
      'Changed since',
      'Applied',
    ]);
    expect(words(one('edit-summary').querySelector('.edit-line'))).toBe(
      '1 applied, 1 changed since, 1 undone in 3 files',
    );
    expect(words(one('undo'))).toBe('Undo 1 of 3 edits');
    await click(one('undo'));
    expect(rpc.last(UNDO).args).toEqual(['r', [2], []]);
  });

  it('offers what can be taken back where not all can', async () => {
    await open(answered('r', ANSWER));
    await click(one('undo'));
    await rpc.last(UNDO).answer({ status: 'refused', reason: '`a.py` has changed.', indices: [3] });
    await drawn();
    expect(words(one('undo-confirm'))).toContain('a.py has changed. Undo 1 edit that can be');
    await click(one('undo-confirmed'));
    expect(rpc.last(UNDO).args).toEqual(['r', [3], []]);
  });

  it('is not offered by a server that lacks it', async () => {
    rpc.lacking.add(UNDO);
    await open(answered('r', ANSWER));
    expect([...all('undo'), ...all('edit-undo')]).toEqual([]);
  });
});

describe('what failed', () => {
  const result = completion(ANSWER, { retry_prompt: 'Please redo `b.py`.' });

  it('is prepared as a question in the input, and not sent', async () => {
    const id = await ask();
    await rpc.emit('streamComplete', id, result);
    await drawn();
    expect(one<HTMLTextAreaElement>('input').value).toBe('Please redo `b.py`.');
    expect(rpc.count(CHAT)).toBe(1);
  });

  it('never takes the place of what was typed meanwhile', async () => {
    const id = await ask();
    await fill(one<HTMLTextAreaElement>('input'), 'And then');
    await rpc.emit('streamComplete', id, result);
    await drawn();
    expect(one<HTMLTextAreaElement>('input').value).toBe('And then');
    await click(one('edit-retry'));
    await click(one('edit-retry'));
    expect(one<HTMLTextAreaElement>('input').value).toBe('And then\n\nPlease redo `b.py`.');
  });

  it('is no longer asked for once it has been corrected', async () => {
    const id = await ask();
    await rpc.emit('streamComplete', id, result);
    await rpc.emit('sessionChanged', {
      messages: [
        { role: 'user', request_id: id, content: 'Change it.' },
        { ...answered(id, ANSWER), retry_prompt: 'Please redo `b.py`.' },
        { role: 'system', content: 'Committed abc: Fix it', request_id: 'e1' },
      ],
    });
    await drawn();
    one('edit-retry');
    const edit_results = ANSWER.results.map((row) => ({ ...row, status: 'applied' }));
    await rpc.emit('editsChanged', id, { edit_results, files_modified: [], can_undo: true });
    await drawn();
    expect(all('edit-retry')).toEqual([]);
    expect(one<HTMLTextAreaElement>('input').value).toBe('');
  });

  it('is only offered where another panel asked', async () => {
    await connect(rpc);
    await rpc.emit('userMessage', { content: 'Change it.', request_id: 'other' });
    await rpc.emit('streamComplete', 'other', result);
    await drawn();
    expect(one<HTMLTextAreaElement>('input').value).toBe('');
    one('edit-retry');
  });
});
