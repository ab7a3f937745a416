import '../support/jsdom.ts';
import { type RpcLink, tagOf } from '@jupyter-ac/link';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as agent from '../../src/agent/index.ts';
import { focused } from '../../src/controllers/focus.ts';
import * as dialogs from '../../src/dialogs/index.ts';
import type { AcApp } from '../../src/elements/app.ts';
import { registerElements } from '../../src/elements/register-elements.ts';
import { MarkdownRenderer } from '../../src/markdown/markdown-renderer.ts';
import { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { folderPorts } from '../support/folder.ts';
import { all, click, deep, drawn, one } from '../support/page.ts';
import { rawRows } from '../support/raw-rows.ts';

registerElements();

const CHAT = 'LLMService.chat_streaming';
const ROWS = 'Repo.get_tree_rows';
const STATE = {
  messages: [],
  selected_files: ['src/a.py'],
  session_id: 's',
  repo_name: 'weather',
  init_complete: true,
  protocol: 1,
  version: '0.1.0',
  model: { name: 'demo', demo: true, available: true, message: '' },
  active_streams: [],
};
const BREAKDOWN = {
  total_tokens: 700,
  max_input_tokens: 1000,
  estimate: true,
  tokenizer: 'cl100k_base',
  breakdown: {
    system: 300,
    files: 400,
    file_count: 1,
    file_details: [{ name: 'a.py', path: 'src/a.py', tokens: 400 }],
  },
};

let rpc: FakeRpc;
let session: Session;
let app: AcApp;

async function open(state: object = {}): Promise<void> {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, ...state }));
  await rpc.become({ state: 'open', first: true });
  await drawn();
}

async function type(text: string): Promise<void> {
  const input = one<HTMLTextAreaElement>('input');
  input.value = text;
  input.dispatchEvent(new Event('input'));
  await drawn();
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    composed: true,
    cancelable: true,
    ...more,
  });
  one('input').dispatchEvent(event);
  await drawn();
  return event;
}

beforeEach(async () => {
  rpc = new FakeRpc();
  rpc.ready.set(ROWS, () => rawRows(['src/a.py', 'src/b.py', 'c.md'], { modified: ['c.md'] }));
  rpc.ready.set('LLMService.get_context_breakdown', () => BREAKDOWN);
  rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
  session = new Session(rpc, {
    version: '0.1.0',
    storage: null,
    draftKey: () => 'd',
    diagnose: async () => '',
    ...folderPorts(),
  });
  app = document.createElement(tagOf('ac-app')) as AcApp;
  app.loadDialogs = async () => dialogs;
  app.loadAgent = async () => agent;
  app.markdown = new MarkdownRenderer();
  app.session = session;
  app.link = rpc as unknown as RpcLink;
  document.body.append(app);
  await drawn();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('the panel', () => {
  it.each([
    [true, 'nothing is sent anywhere'],
    [false, 'your question, the conversation and a map of the repository'],
  ])('says in an empty conversation what is sent, to a demo model: %s', async (demo, words) => {
    await open({ model: { ...STATE.model, demo } });
    const welcome = [...deep(document)].find(({ className }) => className === 'welcome');
    expect(welcome?.textContent).toContain(words);
  });

  it('covers itself until the first state, then never again', async () => {
    expect(one('app').dataset.status).toBe('starting');
    one('overlay');
    await open();
    expect(one('app').dataset.status).toBe('ready');
    expect(all('overlay')).toEqual([]);
    await rpc.become({ state: 'waiting', code: 1001, reason: 'Gone.', delayMs: 1000 });
    await drawn();
    expect(one('app').dataset.status).toBe('offline');
    expect(all('overlay')).toEqual([]);
  });

  it('keeps its keys from the notebook', () => {
    expect(one('app').dataset.lmSuppressShortcuts).toBe('true');
  });

  it('marks the demo model', async () => {
    await open();
    expect(one('demo-badge').textContent).toContain('Demo');
  });

  it('says in one sentence what to set when there is no model', async () => {
    await open({ model: { name: '', available: false, message: 'Set `OPENAI_API_KEY`.' } });
    expect([...deep(document)].some((element) => element.textContent?.trim() === 'Set OPENAI_API_KEY.')).toBe(
      true,
    );
    expect(all('demo-badge')).toEqual([]);
  });

  it('shows toasts that can be closed', async () => {
    await open();
    session.toasts.show('error', 'Broken');
    await drawn();
    one('toast').querySelector('button')?.click();
    await drawn();
    expect(all('toast')).toEqual([]);
  });
});

describe('the input', () => {
  it('sends with Enter, and Send is Stop at once', async () => {
    await open();
    expect(one<HTMLButtonElement>('send').disabled).toBe(true);
    await type('Why?');
    expect(one<HTMLButtonElement>('send').disabled).toBe(false);
    const event = await press('Enter');
    expect(event.defaultPrevented).toBe(true);
    expect(rpc.last(CHAT).args[1]).toBe('Why?');
    expect(one<HTMLTextAreaElement>('input').value).toBe('');
    expect(all('send')).toEqual([]);
    one('stop').click();
    await drawn();
    expect(rpc.last('LLMService.cancel_streaming').args).toEqual([rpc.last(CHAT).args[0]]);
  });

  it.each([
    ['Enter', { shiftKey: true }],
    ['Enter', { altKey: true }],
    ['Enter', { isComposing: true }],
    ['m', {}],
  ])('leaves %s %j to the browser', async (key, more) => {
    await open();
    await type('Why?');
    expect((await press(key, more)).defaultPrevented).toBe(false);
    expect(rpc.count(CHAT)).toBe(0);
  });

  it('keeps what is typed when Escape is pressed', async () => {
    await open();
    await type('Why?');
    await press('Escape');
    expect(one<HTMLTextAreaElement>('input').value).toBe('Why?');
  });
});

describe('the keyboard', () => {
  it.each(['send', 'stop'])('is in the input after %s was pressed by it', async (name) => {
    await open();
    await type('Why?');
    if (name === 'stop') await press('Enter');
    one(name).click();
    await drawn();
    const input = one('input');
    expect((input.getRootNode() as ShadowRoot).activeElement).toBe(input);
  });
});

describe('someone who types', () => {
  it('has what moves by itself stand still', async () => {
    await open();
    expect(app.hasAttribute('data-typing')).toBe(false);
    await press('a');
    await vi.waitFor(() => expect(app.hasAttribute('data-typing')).toBe(true));
  });
});

describe('messages', () => {
  it('tell role and state, and hold their text where scripts find it', async () => {
    await open();
    await type('Why?');
    await press('Enter');
    const id = rpc.last(CHAT).args[0];
    await rpc.emit('streamDelta', id, 0, '**Because**');
    await drawn();
    expect(all('message').map(({ dataset }) => [dataset.role, dataset.state])).toEqual([
      ['user', 'done'],
      ['assistant', 'streaming'],
    ]);
    expect(all('message')[1]?.querySelector('strong')?.textContent).toBe('Because');
    await rpc.emit('streamComplete', id, { response: '**Because** so', cancelled: true });
    await drawn();
    expect(all('message')[1]?.dataset.state).toBe('cancelled');
    expect(all('message')[1]?.textContent).toContain('Because so');
  });

  it('show more text without anything else being drawn anew', async () => {
    await open();
    await type('Why?');
    await press('Enter');
    const id = rpc.last(CHAT).args[0];
    await rpc.emit('streamDelta', id, 0, 'Because');
    await drawn();
    const onChange = vi.fn();
    session.subscribe(onChange);
    await rpc.emit('streamDelta', id, 7, ' so');
    await vi.waitFor(() => expect(all('message')[1]?.textContent).toContain('Because so'));
    expect(onChange).not.toHaveBeenCalled();
  });

  it('are text until the bundle for Markdown is there', async () => {
    app.markdown = null;
    await open({
      messages: [{ role: 'assistant', content: '**Because**\n\nso <b>it</b> is', request_id: 'r' }],
    });
    const [message] = all('message');
    expect(message?.querySelector('.prose')?.textContent).toBe('**Because**\n\nso <b>it</b> is');
    expect(message?.querySelector('b')).toBeNull();
    app.markdown = new MarkdownRenderer();
    await drawn();
    expect(message?.querySelector('strong')?.textContent).toBe('Because');
    expect(message?.querySelectorAll('.prose')).toHaveLength(1);
  });

  it('say once how much of the prompt is read', async () => {
    await open();
    await type('Why?');
    await press('Enter');
    const reading = { stage: 'reading', message: 'Reading the prompt … 35 %', percent: 35 };
    await rpc.emit('compactionEvent', rpc.last(CHAT).args[0], reading);
    await drawn();
    expect(all('message')[1]?.textContent?.match(/35 %/g)).toHaveLength(1);
  });

  it('put a failed question back into the input', async () => {
    await open({
      messages: [
        { role: 'user', content: 'Why?', request_id: '1-a', state: 'done' },
        {
          role: 'assistant',
          content: '',
          request_id: '1-a',
          state: 'error',
          error: { type: 'x', message: 'No key.' },
        },
      ],
    });
    const answer = all('message')[1];
    expect(answer?.textContent).toContain('No key.');
    answer?.querySelector<HTMLElement>('[data-again]')?.click();
    await drawn();
    expect(one<HTMLTextAreaElement>('input').value).toBe('Why?');
    expect(rpc.count(CHAT)).toBe(0);
  });

  it.each([
    ['Slow down.', 'Slow down. Try again in 7 s.'],
    ['Slow down. Ask again in 7 s.', 'Slow down. Ask again in 7 s.'],
  ])('say once when to try again: %s', async (message, said) => {
    const error = { type: 'provider_rate_limit', message, retry_after: 6.4 };
    const answer = { role: 'assistant', content: '', request_id: '1-a', state: 'error', error };
    await open({ messages: [answer] });
    expect(all('message')[0]?.querySelector('.failure p')?.textContent).toBe(said);
  });

  it('are copied whole', async () => {
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    await open({ messages: [{ role: 'assistant', content: '`a`', request_id: '1-a', state: 'done' }] });
    all('message')[0]?.querySelector<HTMLElement>('[data-copy-all]')?.click();
    await drawn();
    expect(writeText).toHaveBeenCalledWith('`a`');
    vi.unstubAllGlobals();
  });
});

describe('the picker', () => {
  const checkOf = (path: string) => {
    const row = all('picker-row').find(({ dataset }) => dataset.path === path);
    return row?.querySelector<HTMLInputElement>('[data-ac="picker-check"]') ?? null;
  };

  it('can be used while the files come in, and says how far they are', async () => {
    rpc.ready.delete(ROWS);
    await open();
    expect(one('picker').textContent).toContain('Reading the files');
    await rpc.last(ROWS).answer(rawRows(['src/a.py', 'src/b.py'], {}, { total: 1234, next: 2 }));
    await drawn();
    expect(one('picker-loading').textContent).toBe('2 of 1,234 …');
    await click(all('picker-row')[0]);
    await click(all('picker-check')[2]);
    expect(rpc.last('LLMService.set_selected_files').args).toEqual([['src/a.py', 'src/b.py']]);
    await rpc.last(ROWS).answer(rawRows(['z.md']));
    await drawn();
    expect(one('picker').querySelector('h2')?.textContent).toContain('2 ticked');
    expect(all('picker-row').map((row) => row.dataset.path)).toEqual(['src', 'src/a.py', 'src/b.py', 'z.md']);
  });

  it('marks what the program has ticked, and gives what is gone a row to untick', async () => {
    await open();
    const [known = ''] = session.files.tree.files.keys();
    session.selection.adopt([known, 'gone.py'], [known]);
    await drawn();
    expect(all('picker-auto').length).toBe(1);
    expect(all('picker-unlisted').map((row) => row.dataset.path)).toEqual(['gone.py']);
    await click(one('picker-unlisted').querySelector('button') ?? undefined);
    expect(rpc.last('LLMService.set_selected_files').args).toEqual([[known]]);
    expect(all('picker-unlisted')).toEqual([]);
  });

  it('says that its files may be out of date when they could not be read again', async () => {
    await open();
    rpc.ready.delete(ROWS);
    void session.files.refresh();
    await rpc.last(ROWS).fail('git', 'git took too long');
    await drawn();
    expect(one('picker').querySelector('[role=alert]')?.textContent).toContain('git took too long');
    expect(all('picker-row').length).toBeGreaterThan(0);
    rpc.ready.set(ROWS, () => rawRows([], {}, { since: 'e-1' }));
    await session.files.refresh();
    await drawn();
    expect(one('picker').querySelector('[role=alert]')).toBeNull();
  });

  it('has a row for each file, with its box, its badge and its place in the tree', async () => {
    await open();
    expect(all('picker-row').map(({ dataset }) => dataset.path)).toEqual([
      'src',
      'src/a.py',
      'src/b.py',
      'c.md',
    ]);
    expect(checkOf('src/a.py')?.checked).toBe(true);
    expect(checkOf('src')?.indeterminate).toBe(true);
    const changed = all('picker-row').at(-1);
    expect(changed?.querySelector('.badge')?.textContent).toBe('M');
    expect(changed?.getAttribute('aria-level')).toBe('1');
  });

  it('ticks by its boxes', async () => {
    await open();
    checkOf('src')?.click();
    await drawn();
    expect(rpc.last('LLMService.set_selected_files').args).toEqual([['src/a.py', 'src/b.py']]);
    expect(checkOf('src/b.py')?.checked).toBe(true);
  });

  it('keeps the keyboard on the button that unticked everything', async () => {
    const button = [...deep(document)].find((found) => found.getAttribute('title') === 'Untick all');
    (button as HTMLElement).focus();
    await click(button);
    expect(session.selection.paths).toEqual([]);
    expect(button?.getAttribute('aria-disabled')).toBe('true');
    expect(focused()).toBe(button);
  });

  it('names the row with the focus, blanks in its path or not', async () => {
    rpc.ready.set(ROWS, () => rawRows(['two words.md']));
    await open();
    session.files.setActive('two words.md');
    await drawn();
    const id = one('picker').querySelector('[role="tree"]')?.getAttribute('aria-activedescendant');
    expect(id).not.toMatch(/\s/);
    expect(one('picker-row').id).toBe(id);
  });

  it('filters', async () => {
    await open();
    const filter = one<HTMLInputElement>('picker-filter');
    filter.value = 'SB';
    filter.dispatchEvent(new Event('input'));
    await drawn();
    expect(all('picker-row').map(({ dataset }) => dataset.path)).toEqual(['src', 'src/b.py']);
  });
});

describe('the breakdown', () => {
  it('tells tokens in all, by category and by file', async () => {
    await open();
    expect(one('breakdown-total').dataset.tokens).toBe('700');
    expect(
      all('breakdown-row').map(({ dataset }) => [dataset.category, dataset.path, dataset.tokens]),
    ).toEqual([
      ['system', undefined, '300'],
      ['files', undefined, '400'],
      ['files', 'src/a.py', '400'],
      ['history', undefined, '0'],
      ['question', undefined, '0'],
    ]);
    expect(one('breakdown').textContent).toContain('estimate');
  });

  it('says what looks like a secret, folded too', async () => {
    const notices = ['.env: It seems to contain a private key.', '2', '3', '4', '5'];
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ ...BREAKDOWN, notices }));
    await open();
    one('breakdown').querySelector('button')?.click();
    await drawn();
    expect(one('breakdown').querySelector<HTMLElement>('.body')?.hidden).toBe(true);
    const said = one('breakdown').querySelector('.notices');
    expect(said?.textContent).toContain('.env: It seems to contain a private key.');
    expect(said?.textContent).toContain('and 2 more');
    const notice = 'One answer here is recorded: written by the authors, not by a model.';
    const plain = { notices: [notice, '.env: secret'], plain_notices: [notice] };
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ ...BREAKDOWN, ...plain }));
    await session.breakdown.refresh();
    await drawn();
    expect([...(said?.querySelectorAll('p') ?? [])].map(({ className }) => className)).toEqual(['plain', '']);
  });

  it('has rows for the largest of very many files, and one for the others together', async () => {
    const file_details = Array.from({ length: 20_000 }, (_, index) => ({
      path: `f${index}`,
      tokens: index < 200 ? 9 : 2,
    }));
    const breakdown = { ...BREAKDOWN.breakdown, file_count: 20_000, file_details };
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ ...BREAKDOWN, breakdown }));
    await open();
    const rows = all('breakdown-row').filter((row) => row.dataset.path);
    expect(rows.map((row) => row.dataset.tokens)).toEqual(Array(200).fill('9'));
    expect(one('breakdown').textContent).toMatch(/19,800 smaller files\s*39.6k/);
  });

  it('unticks a file', async () => {
    await open();
    all('breakdown-row')[2]?.querySelector('button')?.click();
    await drawn();
    expect(rpc.last('LLMService.set_selected_files').args).toEqual([[]]);
  });
});

it('two panels on a page share nothing', async () => {
  await open();
  const other = document.createElement(tagOf('ac-app')) as AcApp;
  other.session = new Session(new FakeRpc(), {
    version: '0.1.0',
    storage: null,
    draftKey: () => 'd',
    diagnose: async () => '',
    ...folderPorts(),
  });
  other.link = new FakeRpc() as unknown as RpcLink;
  document.body.append(other);
  await drawn();
  expect(all('app').map(({ dataset }) => dataset.status)).toEqual(['ready', 'starting']);
  other.session.dispose();
});
