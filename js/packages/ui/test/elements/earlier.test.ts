import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

const PAGE = 'LLMService.get_session_messages';
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

const question = (n: number) => ({ role: 'user', content: `Q${n}`, request_id: `${n}-a`, state: 'done' });
const answer = (more: object) => ({ role: 'assistant', request_id: '9-a', state: 'done', ...more });

async function open(...messages: object[]): Promise<void> {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages, earlier: 1200 }));
  await connect(rpc);
  await drawn();
}

it('offers earlier messages above the first, and keeps the keyboard in the log at the beginning', async () => {
  await open(question(3));
  expect(one('earlier').parentElement?.textContent).toContain('1,200 before these');
  one('earlier').focus();
  await click(one('earlier'));
  expect(one('earlier').getAttribute('aria-disabled')).toBe('true');
  const log = one('earlier').closest('.scroller');
  expect(log?.getAttribute('aria-live')).toBe('off');
  await click(one('earlier'));
  expect(rpc.count(PAGE)).toBe(1);
  await rpc.last(PAGE).answer({ session_id: 's', messages: [question(1), question(2)], earlier: 3 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await drawn();
  expect(all('message').map(({ textContent }) => textContent?.trim())).toEqual(['Q1', 'Q2', 'Q3']);
  expect(focused()).toBe(one('earlier'));
  expect(log?.getAttribute('aria-live')).toBe('polite');
  await click(one('earlier'));
  await rpc.last(PAGE).answer({ session_id: 's', messages: [question(0)], earlier: 0 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await drawn();
  expect(all('earlier')).toEqual([]);
  expect(focused()).toBe(log);
});

it('shows more of a message that is too long', async () => {
  await open(answer({ content: 'Be', content_left_out: 5, reasoning: 'Hm', reasoning_left_out: 9000 }));
  expect(one('message').textContent).toContain('5 more characters.');
  expect(one('message').textContent).toContain('9,000 more characters');
  await click(one('message').querySelector('[data-more]'));
  await rpc.last('LLMService.get_message_text').answer({ text: 'cause', length: 7 });
  await drawn();
  expect(one('message').textContent).toContain('Because');
  expect(one('message').querySelector('[data-more]')).toBeNull();
});

it('says how many edits aren’t listed', async () => {
  await open(answer({ content: 'x', edits_left_out: 15500 }));
  expect(one('edit-summary').textContent).toContain('15,500 more edit blocks of this answer are not listed.');
});
