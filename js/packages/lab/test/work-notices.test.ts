import type { Activity, EndedActivity } from '@jupyter-ac/ui';
import { beforeEach, expect, it, vi } from 'vitest';
import { type NoticePorts, WorkNotices } from '../src/work-notices.ts';
import { Notification } from './support/apputils.ts';
import { CONVERSATION } from './support/report.ts';

const ANSWER: Activity = { conversation: CONVERSATION, kind: 'answer', id: 'r1', title: 'Why?' };
const end = (activity: Activity, more: Partial<EndedActivity> = {}): EndedActivity => ({
  ...activity,
  outcome: 'done',
  reason: '',
  ...more,
});

let now: number;
let isSeen: boolean;
let seconds: number | null;
let notices: WorkNotices;
const show = vi.fn();
const sent = () => Notification.emit.mock.calls.map(([message, type]) => [message, type]);

beforeEach(() => {
  vi.clearAllMocks();
  [now, isSeen, seconds] = [0, false, 10];
  const ports: NoticePorts = { isSeen: () => isSeen, show, seconds: () => seconds, now: () => now };
  notices = new WorkNotices(Notification as never, ports);
});

/** Work that takes so long. */
function work(activity: Activity, duration_s: number, more: Partial<EndedActivity> = {}): void {
  notices.look({ activities: [activity], waiting: [] });
  now += 1000 * duration_s;
  notices.look({ activities: [], waiting: [] });
  notices.ended(end(activity, more));
}

it('tells of long work that nobody has seen the end of, and shows it on request', () => {
  work(ANSWER, 11);
  expect(sent()).toEqual([['The answer is complete.\n“Why?”', 'success']]);
  const options = Notification.emit.mock.lastCall?.[2] as {
    autoClose: unknown;
    actions: { label: string; callback(): void }[];
  };
  expect(options.autoClose).toBe(false);
  options.actions[0]?.callback();
  expect(show).toHaveBeenCalledExactlyOnceWith(CONVERSATION);
});

it.each([
  ['commit', 'done', 'The commit is made.', 'success'],
  ['summary', 'done', 'The conversation is summarised.', 'success'],
  ['message', 'failed', 'The commit message was not written.\nNo model.', 'error'],
] as const)('says what became of a %s', (kind, outcome, sentence, type) => {
  work({ conversation: CONVERSATION, kind, id: '', title: '' }, 11, {
    outcome,
    reason: outcome === 'failed' ? 'No model.' : '',
  });
  expect(sent()).toEqual([[sentence, type]]);
});

it('is quiet about short work, what the user sees or has stopped, and where it is switched off', () => {
  work(ANSWER, 9);
  work(ANSWER, 11, { outcome: 'stopped' });
  isSeen = true;
  work(ANSWER, 11);
  isSeen = false;
  seconds = null;
  work(ANSWER, 11);
  notices.look({ activities: [], waiting: [{ conversation: CONVERSATION, text: 'rm -rf' }] });
  expect(sent()).toEqual([]);
});

it('counts the time of an answer that becomes a run', () => {
  notices.look({ activities: [ANSWER], waiting: [] });
  now = 6000;
  work({ ...ANSWER, kind: 'run' }, 6);
  expect(sent()).toEqual([['The agent’s run has ended.\n“Why?”', 'success']]);
});

it('tells of a question of the agent at once, once, and as long as it waits', () => {
  isSeen = true;
  const waiting = { activities: [ANSWER], waiting: [{ conversation: CONVERSATION, text: 'pytest -q' }] };
  notices.look(waiting);
  expect(sent()).toEqual([]);
  isSeen = false;
  notices.look(waiting);
  notices.look(waiting);
  expect(sent()).toEqual([['The agent waits for your decision:\npytest -q', 'warning']]);
  notices.look({ ...waiting, waiting: [] });
  expect(Notification.dismiss).toHaveBeenCalledExactlyOnceWith('n1');
});

it('says which of several conversations it was, and shows that one', () => {
  const conversation = { ...CONVERSATION, id: 's2', name: 'The cause' };
  work({ ...ANSWER, conversation }, 11);
  work({ ...ANSWER, conversation: { ...conversation, name: 'Why?' } }, 11);
  notices.look({ activities: [], waiting: [{ conversation, text: 'pytest -q' }] });
  expect(sent()).toEqual([
    ['The answer is complete.\n“Why?”\nIn the conversation “The cause”', 'success'],
    ['The answer is complete.\n“Why?”', 'success'],
    ['The agent waits for your decision:\npytest -q\nIn the conversation “The cause”', 'warning'],
  ]);
  const options = Notification.emit.mock.lastCall?.[2] as { actions: { callback(): void }[] };
  options.actions[0]?.callback();
  expect(show).toHaveBeenCalledExactlyOnceWith(conversation);
});

it('keeps apart what waits, and what runs, in several conversations', () => {
  const other = { ...CONVERSATION, id: 's2' };
  const [here, there] = [CONVERSATION, other].map((conversation) => ({ conversation, text: 'pytest' }));
  const summary = (conversation: typeof other): Activity => ({
    ...{ conversation, kind: 'summary', id: '', title: '' },
  });
  notices.look({ activities: [summary(CONVERSATION)], waiting: [here, there] as never });
  expect(sent()).toHaveLength(2);
  notices.look({ activities: [summary(CONVERSATION)], waiting: [there] as never });
  expect(Notification.dismiss).toHaveBeenCalledExactlyOnceWith('n1');
  now = 11_000;
  work(summary(other), 1);
  expect(sent()).toHaveLength(2);
});

it('forgets what ran in a tab that was closed', () => {
  notices.look({ activities: [ANSWER], waiting: [] });
  notices.look({ activities: [], waiting: [] });
  now = 11_000;
  notices.look({ activities: [], waiting: [] });
  work(ANSWER, 1);
  expect(sent()).toEqual([]);
});
