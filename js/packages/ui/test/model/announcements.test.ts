import { expect, it } from 'vitest';
import { AT_REST, announcement, type Moment } from '../../src/model/announcements.ts';
import { awaitedAnswer, type Message, parseMessages } from '../../src/model/messages.ts';
import { newStream } from '../../src/model/stream.ts';

const running: Moment = { stream: newStream('1', 'answering'), answer: awaitedAnswer('1') };

function over(more: object): Message {
  const [message] = parseMessages([
    { role: 'assistant', content: 'So.', request_id: '1', state: 'done', ...more },
  ]);
  if (!message) throw new Error('no message');
  return message;
}

const said = (before: Moment, now: Moment) => announcement(before, now);
const result = (index: number, status: string) => ({
  index,
  file: 'a',
  kind: 'edit',
  status,
  complete: true,
});

it('says once that the answer begins', () => {
  const waiting: Moment = { stream: newStream('1', 'waiting'), answer: awaitedAnswer('1') };
  expect(said(AT_REST, waiting)).toBe('');
  expect(said(waiting, running)).toBe('The answer begins.');
  expect(said(running, running)).toBe('');
});

it('says how it ended, with the edits', () => {
  expect(said(running, { stream: null, answer: over({}) })).toBe('The answer is complete.');
  const edit_results = ['applied', 'applied', 'failed', 'pending'].map((status, index) =>
    result(index, status),
  );
  expect(said(running, { stream: null, answer: over({ edit_results }) })).toBe(
    'The answer is complete. Edits applied: 2. Edits not applied: 1. Edits that wait for you: 1.',
  );
  expect(said(running, { stream: null, answer: over({ state: 'cancelled' }) })).toBe(
    'The answer was stopped.',
  );
});

it('leaves failures to the message, and says nothing of another conversation', () => {
  expect(said(running, { stream: null, answer: over({ state: 'error' }) })).toBe('');
  expect(said(running, { stream: null, answer: over({ request_id: '2' }) })).toBe('');
  expect(said(AT_REST, { stream: null, answer: over({}) })).toBe('');
});
