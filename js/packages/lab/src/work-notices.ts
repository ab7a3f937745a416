/** Notifications about work of the panel that nobody watches: what has ended, and what waits for the user. */

import { N_, t } from '@jupyter-ac/messages';
import type { Activity, ActivityKind, ConversationRef, EndedActivity, PanelReport } from '@jupyter-ac/ui';
import type { Notification } from '@jupyterlab/apputils';

type Notify = typeof Notification;

/** What the notices need to know. */
export interface NoticePorts {
  /** Whether the user sees the panel: it is shown, and the window has the focus. */
  isSeen(): boolean;
  /** Shows the panel with a conversation. */
  show(conversation: ConversationRef): void;
  /** Shortest duration of the work that is notified of, in seconds; null: nothing is notified of. */
  seconds(): number | null;
  /** In milliseconds. */
  now(): number;
}

const SHOW = N_('Show');
const ENDED: Readonly<Record<ActivityKind, string>> = {
  answer: N_('The answer is complete.'),
  run: N_('The agent’s run has ended.'),
  commit: N_('The commit is made.'),
  message: N_('The commit message is written.'),
  summary: N_('The conversation is summarised.'),
};
const FAILED: Readonly<Record<ActivityKind, string>> = {
  answer: N_('The answer failed.'),
  run: N_('The agent’s run failed.'),
  commit: N_('The commit failed.'),
  message: N_('The commit message was not written.'),
  summary: N_('The conversation was not summarised.'),
};

export class WorkNotices {
  /** When each running activity was seen first. */
  readonly #since = new Map<string, number>();
  /** Of these, what the last report didn't have. */
  #gone: ReadonlySet<string> = new Set();
  /** The notifications of calls that wait. */
  readonly #waiting = new Map<string, string>();

  constructor(
    private readonly notify: Notify,
    private readonly ports: NoticePorts,
  ) {}

  /** Call it with each report of the panel, and when the panel may not be seen any more. */
  look({ activities, waiting }: Pick<PanelReport, 'activities' | 'waiting'>): void {
    const now = this.ports.now();
    const running = new Set(activities.map(keyOf));
    for (const key of running) {
      if (!this.#since.has(key)) this.#since.set(key, now);
    }
    // What has ended stays until `ended`, which follows the report; what ran in a closed tab has no end.
    for (const key of this.#gone) {
      if (!running.has(key)) this.#since.delete(key);
    }
    this.#gone = new Set([...this.#since.keys()].filter((key) => !running.has(key)));
    this.#lookForCalls(waiting);
  }

  ended(activity: EndedActivity): void {
    const key = keyOf(activity);
    const since = this.#since.get(key);
    this.#since.delete(key);
    const seconds = this.ports.seconds();
    if (since === undefined || seconds === null || activity.outcome === 'stopped' || this.ports.isSeen())
      return;
    if (this.ports.now() - since < 1000 * seconds) return;
    const isFailure = activity.outcome === 'failed';
    const { kind, title, reason, conversation } = activity;
    const details = [title && `“${title}”`, reason].filter(Boolean).join(' ');
    const lines = [t((isFailure ? FAILED : ENDED)[kind]), details, placeOf(conversation, title)];
    this.#show(lines, isFailure ? 'error' : 'success', conversation);
  }

  /** A question of the agent is notified of at once, and no longer than it waits. */
  #lookForCalls(waiting: PanelReport['waiting']): void {
    const calls = new Map(waiting.map((call) => [`${call.conversation.id} ${call.text}`, call]));
    for (const [key, id] of this.#waiting) {
      if (calls.has(key)) continue;
      this.notify.dismiss(id);
      this.#waiting.delete(key);
    }
    if (this.ports.seconds() === null || this.ports.isSeen()) return;
    for (const [key, { conversation, text }] of calls) {
      if (this.#waiting.has(key)) continue;
      const sentence = t('The agent waits for your decision:\n%1', text);
      this.#waiting.set(key, this.#show([sentence, placeOf(conversation)], 'warning', conversation));
    }
  }

  #show(
    lines: readonly string[],
    type: 'success' | 'error' | 'warning',
    conversation: ConversationRef,
  ): string {
    const callback = (): void => this.ports.show(conversation);
    return this.notify.emit(lines.filter(Boolean).join('\n'), type, {
      autoClose: false,
      actions: [{ label: t(SHOW), caption: t('Show the AI pair panel'), displayType: 'accent', callback }],
    });
  }
}

/** An answer becomes a run with the first tool that it calls. */
function keyOf({ conversation, kind, id }: Activity): string {
  return `${kind === 'run' ? 'answer' : kind} ${conversation.id} ${id}`;
}

/** Which of several conversations it was; '' where that is clear. */
function placeOf({ name }: ConversationRef, title = ''): string {
  return name && name !== title ? t('In the conversation “%1”', name) : '';
}
