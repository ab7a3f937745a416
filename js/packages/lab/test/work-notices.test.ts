import type { Activity, EndedActivity } from '@jupyter-ac/ui';
import { beforeEach, expect, it, vi } from 'vitest';
import { type NoticePorts, WorkNotices } from '../src/work-notices.ts';
import { Notification } from './support/apputils.ts';

const ANSWER: Activity = { kind: 'answer', id: 'r1', title: 'Why?' };
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
  notices.look({ activities: [activity], waitingFor: '' });
  now += 1000 * duration_s;
  notices.look({ activities: [], waitingFor: '' });
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
  expect(show).toHaveBeenCalledOnce();
});

it.each([
  ['commit', 'done', 'The commit is made.', 'success'],
  ['summary', 'done', 'The conversation is summarised.', 'success'],
  ['message', 'failed', 'The commit message was not written.\nNo model.', 'error'],
] as const)('says what became of a %s', (kind, outcome, sentence, type) => {
  work({ kind, id: '', title: '' }, 11, { outcome, reason: outcome === 'failed' ? 'No model.' : '' });
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
  notices.look({ activities: [], waitingFor: 'rm -rf' });
  expect(sent()).toEqual([]);
});

it('counts the time of an answer that becomes a run', () => {
  notices.look({ activities: [ANSWER], waitingFor: '' });
  now = 6000;
  work({ ...ANSWER, kind: 'run' }, 6);
  expect(sent()).toEqual([['The agent’s run has ended.\n“Why?”', 'success']]);
});

it('tells of a question of the agent at once, once, and as long as it waits', () => {
  isSeen = true;
  const waiting = { activities: [ANSWER], waitingFor: 'pytest -q' };
  notices.look(waiting);
  expect(sent()).toEqual([]);
  isSeen = false;
  notices.look(waiting);
  notices.look(waiting);
  expect(sent()).toEqual([['The agent waits for your decision:\npytest -q', 'warning']]);
  notices.look({ ...waiting, waitingFor: '' });
  expect(Notification.dismiss).toHaveBeenCalledExactlyOnceWith('n1');
});
