import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';
import { callRow, questionRow, runRow } from '../support/runs.ts';

const CHAT = 'LLMService.chat_streaming';
const ANSWER = 'LLMService.answer_tool';
const UNDO = 'LLMService.undo_run';

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.list_pending_tools', () => []);
  rpc.ready.set('Settings.get_config_content', () => '{"agent": {"max_steps": 25, "max_usd": 1}}');
});

afterEach(() => {
  vi.restoreAllMocks();
  session.dispose();
  document.body.replaceChildren();
});

const words = (element: Element | null | undefined) =>
  element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const input = () => one<HTMLTextAreaElement>('input');
const cards = () => all('tool-card');
const statuses = () => cards().map(({ dataset }) => `${dataset.tool}: ${dataset.status}`);

/** Shows an answer of the history. */
async function open(run: object, content = 'First.\n\nThen.\n'): Promise<void> {
  const message = { role: 'assistant', request_id: 'r', state: 'done', content, run };
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages: [message] }));
  await connect(rpc);
  await drawn();
}

/** Asks, and returns the request's id. */
async function ask(): Promise<string> {
  rpc.ready.set(CHAT, () => ({ status: 'started' }));
  await connect(rpc);
  await fill(input(), 'Fix it.');
  input().focus();
  await press('Enter');
  return String(rpc.last(CHAT).args[0]);
}

/** A run that waits for the user. */
async function wait(question: object = {}, more: object = {}): Promise<string> {
  const id = await ask();
  await tell(id, {
    status: 'waiting',
    duration_ms: null,
    result: '',
    question: questionRow(question),
    ...more,
  });
  return id;
}

async function tell(id: string, call: object, run: object = {}): Promise<void> {
  const row = runRow({ request_id: id, state: 'running', ...run });
  await rpc.emit('toolUpdated', { request_id: id, run: row, call: callRow(call) });
  await drawn();
}

describe('the switch', () => {
  const choose = async (mode: string) => {
    const field = one<HTMLSelectElement>('agent-switch');
    field.value = mode;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await drawn();
  };

  it('sends its mode with the question, and says the limits before', async () => {
    rpc.ready.set(CHAT, () => ({ status: 'started' }));
    await connect(rpc);
    expect(one('agent-switch').dataset.mode).toBe('ask');
    expect(one('agent-limits').hidden).toBe(true);
    await choose('agent');
    expect(words(one('agent-limits'))).toBe('up to 25 steps · $1.00');
    await fill(input(), 'Fix it.');
    input().focus();
    await press('Enter');
    expect(rpc.last(CHAT).args.at(-1)).toBe('agent');
  });

  it('is off where the server has no agent, and says why', async () => {
    rpc.lacking.add(ANSWER);
    await connect(rpc);
    expect(one<HTMLSelectElement>('agent-switch').disabled).toBe(true);
    expect(words(one('agent-limits'))).toContain('no agent');
  });

  it('is off after a refusal', async () => {
    await connect(rpc);
    await choose('sandbox');
    await fill(input(), 'Fix it.');
    input().focus();
    await press('Enter');
    await rpc.last(CHAT).fail('access_denied', 'Runs need execute access.');
    await drawn();
    expect(one<HTMLSelectElement>('agent-switch').disabled).toBe(true);
    expect(one<HTMLSelectElement>('agent-switch').value).toBe('ask');
    expect(words(one('agent-limits'))).toBe('Runs need execute access.');
  });
});

describe('the cards', () => {
  const calls = [
    callRow({ tool: 'read_file', title: 'a.py' }),
    callRow({ call_id: 'c2', step: 2, status: 'failed' }),
  ];

  it('stand behind the text of their steps, with time and tokens', async () => {
    await open(runRow({ calls, steps: [8, 15] }));
    const answer = one('message').querySelector('.answer');
    const parts = [...(answer?.children ?? [])].map(
      (part) => part.className || part.localName.replace(/-[0-9a-f]+$/, ''),
    );
    expect(parts).toEqual(['prose', 'ac-tool-calls', 'prose', 'ac-tool-calls']);
    expect(statuses()).toEqual(['read_file: done', 'run_command: failed']);
    expect(words(cards()[0])).toBe('read_file a.py 1.2 s · 340 tokens Done');
  });

  it('unfold to arguments and result, as plain text', async () => {
    await open(runRow({ calls: [callRow({ result: '<b>3</b> passed', left_out: 5000 })], steps: [8] }));
    const head = cards()[0]?.querySelector<HTMLElement>('.head');
    expect(head?.getAttribute('aria-expanded')).toBe('false');
    await click(head);
    expect([...(cards()[0]?.querySelectorAll('pre') ?? [])].map((pre) => pre.textContent)).toEqual([
      '{\n  "command": [\n    "pytest",\n    "-q",\n    "tests"\n  ]\n}',
      '<b>3</b> passed',
    ]);
    expect(words(cards()[0])).toContain('5,000 more characters');
    await click(head);
    expect(cards()[0]?.querySelector('pre')).toBe(null);
  });

  it('come while the answer streams, beside the amounts', async () => {
    const id = await ask();
    await tell(id, { status: 'running', duration_ms: null });
    expect(statuses()).toEqual(['run_command: running']);
    expect(words(one('run-line'))).toMatch(
      /^Agent: 3 of 25 steps · 41k of 400k tokens · \$0.12 of \$1.00 · 2 min/,
    );
    await tell(id, {});
    expect(statuses()).toEqual(['run_command: done']);
    await rpc.emit('streamComplete', id, {
      response: 'So.',
      run: runRow({ request_id: id, calls: [callRow()] }),
    });
    await drawn();
    expect(all('run-line')).toEqual([]);
    expect(one('run-summary').dataset.state).toBe('done');
  });
});

describe('a question', () => {
  it('has the exact text, its reason, what to beware of, and whether it is sandboxed', async () => {
    await wait({ text: 'rm -rf b\u202euild', warning: 'It deletes files.', is_sandboxed: false });
    expect(one('tool-text').textContent).toBe('rm -rf b\\u{202e}uild');
    const said = words(one('tool-question'));
    for (const part of ['run_command', 'not sandboxed', 'runs code of this', 'It deletes files.'])
      expect(said).toContain(part);
    expect(one('tool-question').querySelector('[role="alert"]')?.contains(one('tool-text'))).toBe(true);
    expect(all('tool-approve').map(words)).toEqual([
      'Allow once a',
      'For this session s',
      'Always: pytest -q …',
    ]);
  });

  it('says how long a text is that does not fit', async () => {
    const id = await wait({ text: 'print(1)\n'.repeat(40).trim() }, { tool: 'run_cell' });
    expect(words(one('tool-lines'))).toBe('40 lines: scroll to see all.');
    await tell(id, { status: 'waiting', question: questionRow({ text: 'print(1)' }) });
    expect(all('tool-lines')).toEqual([]);
  });

  it('of an edit shows what would change, allowed once', async () => {
    const text = 'a.py\n@@ -1 +1 @@\n-one\n+ONE';
    await wait({ text, scopes: ['once'], is_sandboxed: false }, { tool: 'edit', title: 'a.py' });
    expect(words(one('tool-question'))).toContain('Make this edit?');
    expect(words(one('tool-question'))).not.toContain('sandboxed');
    expect(words(one('tool-text'))).toContain('-one +ONE');
    expect(all('tool-approve').map(words)).toEqual(['Allow once a']);
  });

  it('offers only what the server offers; of an address its origin', async () => {
    await wait(
      { scopes: ['once', 'session'], prefix: [], origin: 'https://a.example' },
      { tool: 'fetch_url' },
    );
    expect(all('tool-approve').map(words)).toEqual(['Allow once a', 'https://a.example for this session s']);
    expect(words(one('tool-question'))).toContain('in the sandbox');
  });

  it('sends the scope of the button, and can be answered once', async () => {
    const id = await wait();
    await click(all('tool-approve')[2]);
    expect(rpc.last(ANSWER).args).toEqual([id, 'c1', 'allow', 'prefix', '']);
    await click(one('tool-refuse'));
    expect(rpc.count(ANSWER)).toBe(1);
    await rpc.last(ANSWER).answer({ status: 'ok' });
    await tell(id, { status: 'running' });
    expect(all('tool-question')).toEqual([]);
    expect(focused()).toBe(cards()[0]?.querySelector('.head'));
  });

  it('is refused with a reason', async () => {
    const id = await wait();
    await fill(one<HTMLInputElement>('tool-reason'), 'Use uv.');
    one('tool-reason').focus();
    await press('a');
    expect(rpc.count(ANSWER)).toBe(0);
    await press('Enter');
    expect(rpc.last(ANSWER).args).toEqual([id, 'c1', 'refuse', 'once', 'Use uv.']);
  });

  it('takes the focus from an empty input, and keys decide a moment later', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const id = await wait();
    expect(focused()).toBe(one('tool-question'));
    expect(one('tool-question').getAttribute('aria-keyshortcuts')).toBe('a s n');
    await press('a');
    expect(rpc.count(ANSWER)).toBe(0);
    now.mockReturnValue(5000);
    await press('a', { ctrlKey: true });
    await press('a', { repeat: true });
    expect(rpc.count(ANSWER)).toBe(0);
    await press('s');
    expect(rpc.last(ANSWER).args).toEqual([id, 'c1', 'allow', 'session', '']);
  });

  it.each([
    ['a', 'allow'],
    ['n', 'refuse'],
  ])('is decided by the key %s', async (key, decision) => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    await wait();
    now.mockReturnValue(5000);
    await press(key);
    expect(rpc.last(ANSWER).args[2]).toBe(decision);
  });

  it('ignores the key of a scope that is not offered', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    await wait({ scopes: ['once'] });
    now.mockReturnValue(5000);
    await press('s');
    expect(rpc.count(ANSWER)).toBe(0);
  });

  it('leaves the focus to whoever is typing, in the panel or elsewhere', async () => {
    const id = await ask();
    await fill(input(), 'And the');
    await tell(id, { status: 'waiting', question: questionRow() });
    expect(focused()).toBe(input());
    const cell = document.createElement('textarea');
    document.body.append(cell);
    cell.focus();
    await tell(id, { call_id: 'c2', status: 'waiting', question: questionRow() });
    expect(focused()).toBe(cell);
    expect(all('tool-question')).toHaveLength(2);
  });

  it('leaves the focus to another question', async () => {
    const id = await wait();
    const [first] = all('tool-question');
    await tell(id, { call_id: 'c2', status: 'waiting', question: questionRow() });
    expect(focused()).toBe(first);
  });

  it('of the model is answered with a text', async () => {
    const id = await wait(
      { wants_text: true, text: 'Which port?', why: '', prefix: [] },
      { tool: 'ask_user' },
    );
    const field = one<HTMLTextAreaElement>('tool-answer');
    expect(focused()).toBe(field);
    await press('Enter');
    expect(rpc.count(ANSWER)).toBe(0);
    await fill(field, 'a 8080');
    await press('Enter', { shiftKey: true });
    expect(rpc.count(ANSWER)).toBe(0);
    await press('Enter');
    expect(rpc.last(ANSWER).args).toEqual([id, 'c1', 'allow', 'once', 'a 8080']);
  });

  it('of the model can stay without an answer', async () => {
    await wait({ wants_text: true, text: 'Which port?' }, { tool: 'ask_user' });
    await fill(one<HTMLTextAreaElement>('tool-answer'), 'No idea');
    await click(one('tool-refuse'));
    expect(rpc.last(ANSWER).args.slice(2)).toEqual(['refuse', 'once', '']);
  });

  it('is found again after a reload', async () => {
    rpc.ready.set('LLMService.list_pending_tools', () => [
      { request_id: 'r', call_id: 'c9', question: questionRow() },
    ]);
    rpc.ready.set('LLMService.attach_stream', () => ({ text: 'First.', done: false }));
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      active_streams: [{ request_id: 'r' }],
    }));
    await connect(rpc);
    await drawn();
    expect(words(one('tool-text'))).toBe('pytest -q tests');
    await click(all('tool-approve')[0]);
    expect(rpc.last(ANSWER).args).toEqual(['r', 'c9', 'allow', 'once', '']);
  });
});

describe('the end of a run', () => {
  const changed = { files_changed: ['a.py', 'b\u202e.py'], can_undo: true };

  it('says why it ended, what it used, and which files it changed', async () => {
    await open(runRow({ ...changed, state: 'limit', reason: 'The run has used its 25 steps.' }));
    const said = words(one('run-summary'));
    expect(said).toContain('Ended at a limit Agent · 3 steps · 41k tokens · $0.12 · 2 min');
    expect(said).toContain('The run has used its 25 steps.');
    expect([...one('run-files').querySelectorAll('.file')].map(words)).toEqual(['a.py', 'b\\u{202e}.py']);
  });

  it('opens what differs in a file', async () => {
    await open(runRow(changed));
    const opened = vi.fn();
    document.body.addEventListener('ac-place', (event) => opened((event as CustomEvent).detail), {
      once: true,
    });
    one('run-files').querySelector<HTMLElement>('.file')?.click();
    expect(opened).toHaveBeenCalledWith({ path: 'a.py', line: 0, col: 0, isDiff: true });
  });

  it('takes back the run, and says what was left alone', async () => {
    await open(runRow(changed));
    expect(one('run-undo').dataset.run).toBe('turn-1');
    one('run-undo').focus();
    await click(one('run-undo'));
    await click(one('run-undo'));
    expect(rpc.count(UNDO)).toBe(1);
    expect(rpc.last(UNDO).args).toEqual(['turn-1', 1]);
    const kept = [{ path: 'b.py', reason: 'It was changed since.' }];
    await rpc.last(UNDO).answer({ status: 'undone', files_restored: ['a.py'], files_kept: kept });
    await rpc.emit('toolUpdated', { request_id: 'r', run: runRow({ ...changed, can_undo: false }) });
    await drawn();
    expect(words(one('run-undone'))).toBe('Restored: a.py Left alone: b.py: It was changed since.');
    expect(all('run-undo')).toEqual([]);
    expect(focused()).toBe(one('run-summary'));
  });

  it('shows the changes of the run in one diff, and hides them', async () => {
    await open(runRow({ files_changed: ['a.py', 'b.py'] }));
    await click(one('run-diff-open'));
    expect(rpc.last('LLMService.get_run_diff').args).toEqual(['turn-1']);
    const diff = 'diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+ONE\n';
    await rpc.last('LLMService.get_run_diff').answer({ diff });
    await drawn();
    expect(one('diff-file').dataset.path).toBe('a.py');
    expect(words(one('run-diff'))).toContain('ONE');
    await click(one('run-diff-open'));
    expect(all('run-diff')).toEqual([]);
    await click(one('run-diff-open'));
    await rpc.last('LLMService.get_run_diff').fail('not_found', 'The run is not known any more.');
    await drawn();
    expect(words(one('run-diff'))).toBe('The run is not known any more.');
  });

  it('goes back to a step, after a question', async () => {
    const calls = [
      callRow({ tool: 'read_file' }),
      callRow({ call_id: 'c2', step: 2 }),
      callRow({ call_id: 'c3', step: 2 }),
    ];
    await open(runRow({ ...changed, changed_steps: [2], calls, steps: [8, 15] }));
    expect(one('run-back').dataset.step).toBe('2');
    await click(one('run-back'));
    await click(one('run-back-cancel'));
    expect(all('run-back-confirm')).toEqual([]);
    await click(one('run-back'));
    await click(one('run-back-confirm'));
    expect(rpc.last(UNDO).args).toEqual(['turn-1', 2]);
  });

  it('offers no undo where there is none, or while it runs', async () => {
    await open(runRow({ calls: [callRow()], steps: [8] }));
    expect([...all('run-undo'), ...all('run-back')]).toEqual([]);
  });
});
