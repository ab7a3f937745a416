import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import { registerDialogs } from '../../src/dialogs/index.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { folderPorts } from '../support/folder.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

const EXCLUDE = 'LLMService.exclude_turns';
const PIN = 'LLMService.pin_turns';
const MARKED = 'LLMService.list_marked_turns';
const VERSIONS = 'LLMService.get_question_versions';
const LOAD = 'LLMService.load_session_into_context';

let rpc: FakeRpc;
let session: Session;

const turn = (id: string, question: string, answer: string, context?: string) => [
  { role: 'user', content: question, request_id: id, state: 'done', context },
  { role: 'assistant', content: answer, request_id: id, state: 'done', context },
];

async function open(...messages: object[]): Promise<void> {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages }));
  await connect(rpc);
  await drawn();
}

const toasts = () => all('toast').map(({ textContent }) => textContent?.trim());

beforeEach(async () => {
  rpc = new FakeRpc();
  for (const method of [MARKED, VERSIONS]) rpc.ready.set(method, () => []);
  registerDialogs();
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  ({ session } = await mount(rpc, { ...folderPorts(), ...{ storage } }));
  HTMLElement.prototype.scrollIntoView = vi.fn();
  Range.prototype.getBoundingClientRect = () => new DOMRect();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe('a question and its answer', () => {
  it('are excluded and put back, and it is said what that does', async () => {
    await open(...turn('1-a', 'One', 'First.'), ...turn('2-a', 'Two', 'Second.'));
    rpc.ready.set(MARKED, () => [{ request_id: '1-a', name: 'One', tokens: 1234, context: 'excluded' }]);
    await click(all('exclude')[0]);
    expect(rpc.last(EXCLUDE).args).toEqual([['1-a'], true]);
    expect(all('exclude')[1]?.getAttribute('aria-disabled')).toBe('true');
    await rpc.last(EXCLUDE).answer({ status: 'ok', tokens_freed: 1234, tokens_rewritten: 5600 });
    await drawn();
    expect(toasts().join()).toContain('each request has 1,234 tokens less');
    expect(toasts().join()).toContain('writes 5,600 tokens');
    expect(all('message').map(({ dataset }) => dataset.context)).toEqual(['excluded', 'excluded', '', '']);
    expect(all('message')[0]?.getAttribute('aria-label')).toBe('Your question (not sent)');
    expect(one('context-mark').textContent).toContain('1,234 tokens less');
    rpc.ready.set(MARKED, () => []);
    await click(one('include'));
    expect(rpc.last(EXCLUDE).args).toEqual([['1-a'], false]);
    await rpc.last(EXCLUDE).answer({ status: 'ok', tokens_freed: -1234, tokens_rewritten: 0 });
    await drawn();
    expect(toasts().join()).toContain('1,234 tokens more');
    expect(all('context-mark')).toEqual([]);
    expect(all('exclude')).toHaveLength(2);
  });

  it('are pinned, and listed with the way to them', async () => {
    await open(...turn('1-a', 'One', 'First.'), ...turn('2-a', 'Two', 'Second.'));
    rpc.ready.set(MARKED, () => [{ request_id: '1-a', name: 'One', tokens: 7, context: 'pinned' }]);
    await click(all('pin')[0]);
    expect(rpc.last(PIN).args).toEqual([['1-a'], true]);
    await rpc.last(PIN).answer({ status: 'ok', pinned: 1 });
    await drawn();
    expect(all('pin').map((button) => button.getAttribute('aria-pressed'))).toEqual(['true', 'false']);
    await click(one('conversation-menu'));
    const row = one('marked-row');
    expect(row.textContent).toContain('7 tokens');
    await click(row);
    expect(all('marked-row')).toEqual([]);
    expect(HTMLElement.prototype.scrollIntoView).toHaveBeenCalledWith({ block: 'center' });
  });

  it('are shown in the menu when the context asks for that, in place of a search', async () => {
    await open(...turn('1-a', 'One', 'First.', 'excluded'));
    const ask = () => one('app').dispatchEvent(new CustomEvent('ac-marks'));
    ask();
    await drawn();
    expect(all('marked-row')).toEqual([]);
    rpc.ready.set(MARKED, () => [{ request_id: '1-a', name: 'One', tokens: 7, context: 'excluded' }]);
    await rpc.emit('sessionChanged', { messages: turn('1-a', 'One', 'First.', 'excluded') });
    await drawn();
    await click(one('find-open'));
    ask();
    await drawn();
    expect(all('find-input')).toEqual([]);
    expect(focused()).toBe(one('marked-row'));
  });

  it('are shown also where only another section is', async () => {
    rpc.ready.set(MARKED, () => [{ request_id: '1-a', name: 'One', tokens: 7, context: 'pinned' }]);
    await open(...turn('1-a', 'One', 'First.', 'pinned'));
    await drawn();
    const sections: unknown[] = [];
    one('app').addEventListener('ac-section', (event) => sections.push((event as CustomEvent).detail));
    HTMLElement.prototype.checkVisibility = () => false;
    one('app').dispatchEvent(new CustomEvent('ac-marks'));
    await drawn();
    delete (HTMLElement.prototype as Partial<HTMLElement>).checkVisibility;
    expect([sections, focused()]).toEqual([['chat'], one('marked-row')]);
  });

  it('stay as they are when the server refuses, and say why', async () => {
    await open(...turn('1-a', 'One', 'First.'));
    await click(one('exclude'));
    await rpc.last(EXCLUDE).answer({ error: 'An answer is still being made.' });
    await drawn();
    expect(toasts()).toContain('An answer is still being made.');
    expect(all('message').map(({ dataset }) => dataset.context)).toEqual(['', '']);
  });

  it('can’t be marked where they were compacted, and not at a server that is too old', async () => {
    await open(...turn('1-a', 'One', 'First.', 'compacted'), ...turn('2-a', 'Two', 'Second.'));
    expect(all('exclude')).toHaveLength(1);
    expect(one('context-mark').textContent).toContain('compacted');
    rpc.lacking.add(EXCLUDE);
    rpc.lacking.add(PIN);
    await rpc.emit('sessionChanged', { session_id: 's', messages: turn('2-a', 'Two', 'Second.') });
    await drawn();
    expect([...all('exclude'), ...all('pin')]).toEqual([]);
    expect(all('branch-here').length).toBeGreaterThan(0);
  });

  it('can be gone on from in a conversation of its own', async () => {
    await open(...turn('1-a', 'One', 'First.'), ...turn('2-a', 'Two', 'Second.'));
    const next = { ...STATE, session_id: 't', messages: turn('1-a', 'One', 'First.') };
    rpc.ready.set('LLMService.get_current_state', () => next);
    await click(all('branch-here')[0]);
    const branch = rpc.last('LLMService.branch_session');
    expect(branch.args).toEqual(['1-a', true]);
    await branch.answer({ ...next, question: '', images: [] });
    await drawn();
    expect(all('message')).toHaveLength(2);
    expect(toasts().join()).toContain('the other one is kept');
  });
});

describe('versions of a question', () => {
  const versions = [
    { session_id: 'r', request_id: '0-a', preview: 'Once', current: false },
    { session_id: 's', request_id: '1-a', preview: 'One', current: true },
  ];

  it('are counted, and lead to each other', async () => {
    rpc.ready.set(VERSIONS, () => [{ request_id: '1-a', versions }]);
    await open(...turn('1-a', 'One', 'First.'));
    expect(one('version').textContent).toBe('2 of 2');
    const [earlier, later] = one('versions').querySelectorAll('button');
    expect(later?.getAttribute('aria-disabled')).toBe('true');
    await click(later);
    expect(rpc.count(LOAD)).toBe(0);
    await click(earlier);
    expect(rpc.last(LOAD).args).toEqual(['r']);
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      session_id: 'r',
      messages: turn('0-a', 'Once', 'At first.'),
    }));
    await rpc.last(LOAD).answer({ session_id: 'r', messages: turn('0-a', 'Once', 'At first.'), earlier: 0 });
    await drawn();
    expect(all('message')[0]?.textContent).toContain('Once');
  });

  it('say behind the last answer where the conversation goes on', async () => {
    rpc.ready.set(VERSIONS, () => [{ request_id: '', versions: [{ ...versions[0], preview: 'Then?' }] }]);
    await open(...turn('1-a', 'One', 'First.'));
    expect(one('other-end').textContent).toContain('“Then?”');
    await click(one('other-end').querySelector('button'));
    expect(rpc.last(LOAD).args).toEqual(['r']);
  });

  it('are none where nothing was branched', async () => {
    await open(...turn('1-a', 'One', 'First.'));
    expect([...all('versions'), ...all('other-end')]).toEqual([]);
  });
});

describe('the search within a conversation', () => {
  async function openFind(): Promise<void> {
    one('input').focus();
    await press('f', { ctrlKey: true });
  }

  const TALK = [
    ...turn('1-a', 'Where is the parser?', 'The **Parser** is in `parser.py`.'),
    ...turn('2-a', 'And the lexer?', 'Beside the parser.'),
  ];

  it('opens by Ctrl+F, counts, goes round, and gives the focus back', async () => {
    await open(...TALK);
    one('input').focus();
    const key = await press('f', { ctrlKey: true });
    expect(key.defaultPrevented).toBe(true);
    const field = one<HTMLInputElement>('find-input');
    expect(focused()).toBe(field);
    await fill(field, 'parser');
    expect(one('find-count').textContent?.trim()).toBe('1 of 4');
    await press('Enter');
    expect(one('find-count').textContent?.trim()).toBe('2 of 4');
    await press('Enter', { shiftKey: true });
    await press('Enter', { shiftKey: true });
    expect(one('find-count').textContent?.trim()).toBe('4 of 4');
    await press('Enter');
    expect(one('find-count').textContent?.trim()).toBe('1 of 4');
    await press('Escape');
    expect(all('find')).toEqual([]);
    expect(focused()).toBe(one('input'));
  });

  it('matches case, whole words and patterns, and keeps that', async () => {
    await open(...TALK);
    await openFind();
    await fill(one<HTMLInputElement>('find-input'), 'Parser');
    await click(one('find-case'));
    expect(one('find-count').textContent?.trim()).toBe('1 of 1');
    await click(one('find-case'));
    await click(one('find-regex'));
    await fill(one<HTMLInputElement>('find-input'), 'l.xer|parser\\.');
    expect(one('find-count').textContent?.trim()).toBe('1 of 3');
    await fill(one<HTMLInputElement>('find-input'), '(');
    expect(one('find-count').textContent).toContain('Not a pattern');
    await press('Escape');
    await openFind();
    expect(one('find-regex').getAttribute('aria-pressed')).toBe('true');
    await click(one('find-regex'));
    await fill(one<HTMLInputElement>('find-input'), 'nothing of this');
    expect(one('find-count').textContent?.trim()).toBe('No hits');
  });

  it('marks the hits in the page where highlights are not known', async () => {
    await open(...TALK);
    await openFind();
    await fill(one<HTMLInputElement>('find-input'), 'lexer');
    await vi.waitFor(() => expect(all('message')[2]?.querySelector('mark')?.textContent).toBe('lexer'));
    await press('Escape');
    expect(all('message')[2]?.querySelector('mark')).toBeNull();
    expect(all('message')[2]?.textContent).toContain('And the lexer?');
  });

  it('marks all hits by highlights of the page where they are known', async () => {
    const highlights = new Map<string, Set<Range>>();
    vi.stubGlobal(
      'Highlight',
      class extends Set<Range> {
        constructor(...ranges: Range[]) {
          super(ranges);
        }
      },
    );
    vi.stubGlobal('CSS', { highlights, supports: () => false });
    await open(...TALK);
    await openFind();
    await fill(one<HTMLInputElement>('find-input'), 'parser');
    const texts = (name: string) => [...(highlights.get(name) ?? [])].map(String);
    expect(texts('ac-find')).toEqual(['parser', 'Parser', 'parser', 'parser']);
    expect(texts('ac-find-current')).toHaveLength(1);
    await press('Escape');
    expect(texts('ac-find')).toEqual([]);
  });

  it('searches what isn’t loaded yet, too', async () => {
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages: TALK, earlier: 2 }));
    await connect(rpc);
    await openFind();
    const page = rpc.last('LLMService.get_session_messages');
    expect(page.args[0]).toBe('1-a');
    await page.answer({ session_id: 's', messages: turn('0-a', 'A parser', 'Yes.'), earlier: 0 });
    await fill(one<HTMLInputElement>('find-input'), 'parser');
    expect(one('find-count').textContent?.trim()).toContain('of 5');
  });

  it('stays closed in an empty conversation, and under what covers it', async () => {
    await open();
    one('input').focus();
    expect((await press('f', { ctrlKey: true })).defaultPrevented).toBe(false);
    expect([...all('find'), ...all('find-open')]).toEqual([]);
  });
});

describe('the menu', () => {
  it('saves the conversation in three forms', async () => {
    const saved: string[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    await open(...turn('1-a', 'One', 'First.'));
    await click(one('conversation-menu'));
    expect(all('export-as').map(({ dataset }) => dataset.format)).toEqual(['markdown', 'ipynb', 'json']);
    await click(all('export-as')[2]);
    const call = rpc.last('LLMService.export_session');
    expect(call.args).toEqual(['s', 'json']);
    await call.answer({ filename: 'x.json', content: '{}' });
    await drawn();
    expect(saved).toEqual(['x.json']);
    expect(all('export-as')).toEqual([]);
  });
});

describe('what a screen reader is told', () => {
  it('is that an answer begins and how it ended, and no text of it', async () => {
    await open(...turn('1-a', 'One', 'First.'));
    expect(one('spoken').textContent).toBe('');
    void session.questions.send('Two');
    await drawn();
    const id = String(rpc.last('LLMService.chat_streaming').args[0]);
    await rpc.emit('streamDelta', id, 0, 'Secondly');
    await drawn();
    expect(one('spoken').textContent).toBe('The answer begins.');
    await rpc.emit('streamComplete', id, { response: 'Secondly, this.' });
    await drawn();
    expect(one('spoken').textContent).toBe('The answer is complete.');
    expect(all('message').every((message) => message.getAttribute('aria-live') === 'off')).toBe(true);
  });

  it('is a failure when it happens, not when it is loaded', async () => {
    const failed = {
      ...turn('1-a', 'One', '')[1],
      state: 'error',
      error: { type: 'internal', message: 'No.' },
    };
    await open(turn('1-a', 'One', '')[0] as object, failed);
    const alerts = () => all('message').flatMap((each) => [...each.querySelectorAll('[role="alert"]')]);
    expect(alerts()).toEqual([]);
    void session.questions.send('Two');
    await drawn();
    await rpc.last('LLMService.chat_streaming').answer({ error: 'Not now.' });
    await drawn();
    expect(alerts().map(({ textContent }) => textContent?.includes('Not now.'))).toEqual([true]);
  });
});
