/** Long conversations: the newest part is told, the rest is fetched. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChatStore } from '../../src/model/chat.ts';
import { FakeRpc } from '../support/fake-rpc.ts';

const PAGE = 'LLMService.get_session_messages';
const TEXT = 'LLMService.get_message_text';

let rpc: FakeRpc;
let chat: ChatStore;
const ports = {
  beforeSend: vi.fn(),
  excludedUrls: vi.fn((): string[] | null => null),
  onTurnEnd: vi.fn(),
  resync: vi.fn(),
  onError: vi.fn(),
};

beforeEach(() => {
  rpc = new FakeRpc();
  for (const port of Object.values(ports)) port.mockReset().mockResolvedValue(undefined);
  chat = new ChatStore(rpc, { ...ports, agentMode: () => 'ask' });
});

afterEach(() => chat.dispose());

const question = (n: number) => ({ role: 'user', content: `${n}?`, request_id: `${n}-a`, state: 'done' });
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => question(from + index));
const page = (from: number, to: number, earlier = from, session_id = 's') => ({
  session_id,
  messages: range(from, to),
  earlier,
});
const shown = () => chat.messages.map(({ requestId }) => Number.parseInt(requestId, 10));

it('puts earlier messages before those that are known', async () => {
  await rpc.emit('sessionChanged', page(8, 10));
  expect([shown(), chat.earlier]).toEqual([[8, 9], 8]);
  const [first] = chat.messages;
  void chat.showEarlier();
  expect(chat.isLoadingEarlier).toBe(true);
  void chat.showEarlier();
  expect(rpc.count(PAGE)).toBe(1);
  expect(rpc.last(PAGE).args[0]).toBe('8-a');
  await rpc.last(PAGE).answer(page(5, 8));
  expect([shown(), chat.earlier, chat.isLoadingEarlier]).toEqual([[5, 6, 7, 8, 9], 5, false]);
  expect(chat.messages[3]).toBe(first);
});

it('keeps them when the conversation is told again', async () => {
  await rpc.emit('sessionChanged', page(8, 10));
  void chat.showEarlier();
  await rpc.last(PAGE).answer(page(5, 8));
  await rpc.emit('sessionChanged', page(9, 12));
  expect([shown(), chat.earlier]).toEqual([[5, 6, 7, 8, 9, 10, 11], 5]);
});

it('forgets them where it can’t know what is between, and in another session', async () => {
  await rpc.emit('sessionChanged', page(1, 3));
  await rpc.emit('sessionChanged', page(8, 10));
  expect([shown(), chat.earlier]).toEqual([[8, 9], 8]);
  await rpc.emit('sessionChanged', page(9, 10, 9, 'other'));
  expect([shown(), chat.earlier]).toEqual([[9], 9]);
});

it('drops a page of a conversation that has been left', async () => {
  await rpc.emit('sessionChanged', page(8, 10));
  void chat.showEarlier();
  await rpc.emit('sessionChanged', page(0, 1, 0, 'other'));
  await rpc.last(PAGE).answer(page(5, 8));
  expect([shown(), chat.earlier, chat.isLoadingEarlier]).toEqual([[0], 0, false]);
});

it('says why earlier messages can’t be had, and can be asked again', async () => {
  await rpc.emit('sessionChanged', page(8, 10));
  void chat.showEarlier();
  await rpc.last(PAGE).fail('not_found', 'Gone.');
  expect(ports.onError).toHaveBeenCalledWith('Earlier messages could not be fetched: Gone.');
  void chat.showEarlier();
  expect(rpc.count(PAGE)).toBe(2);
});

it('asks for nothing when there is nothing', async () => {
  await chat.showEarlier();
  await rpc.emit('sessionChanged', page(0, 2));
  await chat.showEarlier();
  expect(rpc.count(PAGE)).toBe(0);
});

it('fetches the rest of a long message, and keeps it', async () => {
  const long = { ...question(0), content: '😀ab', content_left_out: 4, reasoning_left_out: 7 };
  const session = { session_id: 's', messages: [long], earlier: 0 };
  await rpc.emit('sessionChanged', session);
  const [message] = chat.messages;
  expect(message?.rest).toEqual({ content: 4, reasoning: 7 });
  if (message) void chat.showMore(message);
  expect(rpc.last(TEXT).args).toEqual(['0-a', 'user', 4]);
  await rpc.last(TEXT).answer({ text: 'cd', length: 8, offset: 4 });
  expect(chat.messages[0]).toMatchObject({ content: '😀abcd', rest: { content: 2 } });
  await rpc.emit('sessionChanged', session);
  expect(chat.messages[0]).toMatchObject({ content: '😀abcd', rest: { content: 2 } });
  await rpc.emit('sessionChanged', { ...session, messages: [{ ...long, content: 'other' }] });
  expect(chat.messages[0]).toMatchObject({ content: 'other', rest: { content: 4 } });
});
