import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, deep, drawn, fill, one, press } from '../support/page.ts';

const CHAT = 'LLMService.chat_streaming';
const BRANCH = 'LLMService.branch_session';

let rpc: FakeRpc;
let session: Session;

const input = () => one<HTMLTextAreaElement>('input');
const id = () => String(rpc.last(CHAT).args[0]);

async function ask(text: string): Promise<void> {
  await fill(input(), text);
  input().focus();
  await press('Enter');
}

/** Asks, and has the answer. */
async function talk(...questions: string[]): Promise<void> {
  for (const question of questions) {
    await ask(question);
    await rpc.last(CHAT).answer({ status: 'started' });
    await rpc.emit('streamComplete', id(), { response: 'So.' });
    await drawn();
  }
}

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('a question that waits', () => {
  it('stands above the input, and its button puts it back', async () => {
    await ask('One');
    await ask('Two');
    expect(one('queue-item').textContent).toContain('Two');
    expect(input().value).toBe('');
    await click(one('queue-item').querySelector('button'));
    expect(all('queue-item')).toEqual([]);
    expect(input().value).toBe('Two');
    expect(focused()).toBe(input());
  });

  it('can be left by a button too', async () => {
    await ask('One');
    expect(all('queue')).toEqual([]);
    await fill(input(), 'Two');
    await click(one('queue'));
    one('queue-item');
    expect(all('queue')).toEqual([]);
  });
});

describe('the arrow keys in the input', () => {
  it('walk through the questions that were asked', async () => {
    await talk('One', 'Two', 'Two');
    input().focus();
    await press('ArrowUp');
    expect(input().value).toBe('Two');
    await press('ArrowUp');
    expect(input().value).toBe('One');
    await press('ArrowDown');
    expect(input().value).toBe('Two');
    await press('ArrowDown');
    expect(input().value).toBe('');
  });

  it('are left to what is typed, and to a menu', async () => {
    await talk('One');
    await fill(input(), 'Mine');
    input().focus();
    expect((await press('ArrowUp')).defaultPrevented).toBe(false);
    expect(input().value).toBe('Mine');
    await fill(input(), '');
    await press('ArrowUp', { shiftKey: true });
    expect(input().value).toBe('');
  });
});

describe('a provider that is asked again', () => {
  const CANCEL = 'LLMService.cancel_streaming';

  it('is waited for with the reason and the seconds, and can be given up', async () => {
    await ask('One');
    const retry = { attempt: 2, attempts: 4, wait_s: 60, reason: 'The provider is busy.' };
    await rpc.emit('compactionEvent', id(), { stage: 'waiting', message: 'Busy.' });
    await rpc.emit('streamRetry', id(), retry);
    await drawn();
    const answer = all('message').at(-1);
    expect(answer?.textContent).toContain('The provider is busy.');
    expect(answer?.textContent).toMatch(/Trying again in \d+ s \(2 of 4\)/);
    const stop = answer?.querySelector('button');
    expect(stop?.textContent).toBe('Stop instead');
    await click(stop);
    expect(rpc.count(CANCEL)).toBe(1);
    expect(focused()).toBe(input());
    expect(all('message').at(-1)?.textContent).toContain('Stopping');
  });
});

describe('asking', () => {
  it('brings the question into view, wherever the view was', async () => {
    await talk('One');
    const scroller = [...deep(document)].find(({ className }) => className === 'scroller') as HTMLElement;
    Object.defineProperty(scroller, 'scrollHeight', { value: 9000 });
    Object.defineProperty(scroller, 'clientHeight', { value: 500 });
    scroller.scrollTop = 5000;
    scroller.dispatchEvent(new Event('scroll'));
    scroller.scrollTop = 100;
    scroller.dispatchEvent(new Event('scroll'));
    await drawn();
    expect(scroller.scrollTop).toBe(100);
    await ask('Two');
    await vi.waitFor(() => expect(scroller.scrollTop).toBe(9000), 30_000);
  });
});

describe('a question of the conversation', () => {
  it('can be edited and asked again in a conversation of its own', async () => {
    await talk('One', 'Two');
    const [, edit] = all('question-edit');
    await click(edit);
    const asked = session.chat.messages[2]?.requestId;
    expect(rpc.last(BRANCH).args).toEqual([asked]);
    const messages = [
      { role: 'user', content: 'One', request_id: 'x', state: 'done' },
      { role: 'assistant', content: 'So.', request_id: 'x', state: 'done' },
    ];
    const next = { ...STATE, session_id: 't', messages };
    rpc.ready.set('LLMService.get_current_state', () => next);
    await rpc.last(BRANCH).answer({ ...next, question: 'Two', images: [] });
    await drawn();
    expect(all('message')).toHaveLength(2);
    expect(input().value).toBe('Two');
    expect(focused()).toBe(input());
  });

  it('has no such button while its answer comes in, nor where the server is too old', async () => {
    await ask('One');
    expect(all('question-edit')).toEqual([]);
    await rpc.last(CHAT).answer({ status: 'started' });
    await rpc.emit('streamComplete', id(), { response: 'So.' });
    await drawn();
    expect(all('question-edit')).toHaveLength(1);
    rpc.lacking.add(BRANCH);
    await rpc.emit('sessionChanged', { session_id: 's', messages: [] });
    await talk('Two');
    expect(all('question-edit')).toEqual([]);
  });
});
