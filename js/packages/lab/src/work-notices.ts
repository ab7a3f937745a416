/** Notifications about work of the panel that nobody watches: what has ended, and what waits for the user. */

import { N_, t } from '@jupyter-ac/messages';
import type { Activity, ActivityKind, EndedActivity, PanelReport } from '@jupyter-ac/ui';
import type { Notification } from '@jupyterlab/apputils';

type Notify = typeof Notification;

/** What the notices need to know. */
export interface NoticePorts {
  /** Whether the user sees the panel: it is shown, and the window has the focus. */
  isSeen(): boolean;
  /** Shows the panel. */
  show(): void;
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
  #since = new Map<string, number>();
  #waiting = { text: '', id: '' };

  constructor(
    private readonly notify: Notify,
    private readonly ports: NoticePorts,
  ) {}

  /** Call it with each report of the panel, and when the panel may not be seen any more. */
  look({ activities, waitingFor }: Pick<PanelReport, 'activities' | 'waitingFor'>): void {
    const now = this.ports.now();
    const before = this.#since;
    // What has ended stays until `ended`, which follows the report.
    for (const activity of activities) {
      const key = keyOf(activity);
      if (!before.has(key)) before.set(key, now);
    }
    this.#lookForQuestion(waitingFor);
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
    const sentence = t((isFailure ? FAILED : ENDED)[activity.kind]);
    const details = [activity.title && `“${activity.title}”`, activity.reason].filter(Boolean).join(' ');
    this.#show(details ? `${sentence}\n${details}` : sentence, isFailure ? 'error' : 'success');
  }

  /** A question of the agent is notified of at once, and no longer than it waits. */
  #lookForQuestion(text: string): void {
    if (text !== this.#waiting.text) {
      if (this.#waiting.id) this.notify.dismiss(this.#waiting.id);
      this.#waiting = { text, id: '' };
    }
    if (!text || this.#waiting.id || this.ports.seconds() === null || this.ports.isSeen()) return;
    this.#waiting.id = this.#show(t('The agent waits for your decision:\n%1', text), 'warning');
  }

  #show(message: string, type: 'success' | 'error' | 'warning'): string {
    const callback = (): void => this.ports.show();
    return this.notify.emit(message, type, {
      autoClose: false,
      actions: [{ label: t(SHOW), caption: t('Show the AI pair panel'), displayType: 'accent', callback }],
    });
  }
}

/** An answer becomes a run with the first tool that it calls. */
function keyOf({ kind, id }: Pick<Activity, 'kind' | 'id'>): string {
  return `${kind === 'run' ? 'answer' : kind} ${id}`;
}
