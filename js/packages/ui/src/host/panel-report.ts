/** Summarises the state of a panel for the application around it. */

import { t } from '@jupyter-ac/messages';
import { parseRun } from '../model/agent/runs.ts';
import type { Session } from '../model/session.ts';
import { configOf } from '../model/settings-parts.ts';
import { panelCommands } from './panel-commands.ts';
import type { Activity, ConversationRef, EndedActivity, PanelCommandName, PanelReport } from './ports.ts';

const MAX_TITLE = 80;

/** A conversation that the panel has open. */
export interface OpenConversation {
  readonly session: Session;
  /** '' while no other one is open. */
  readonly name: string;
}

/**
 * @param session - that of the shown conversation
 * @param open - all conversations, with the shown one
 */
export function reportOf(
  session: Session,
  open: readonly OpenConversation[],
  host: HTMLElement,
): PanelReport {
  const { breakdown } = session.breakdown;
  const obstacles: Partial<Record<PanelCommandName, string>> = {};
  for (const { name, obstacle } of panelCommands(session, host)) obstacles[name] = obstacle;
  return {
    status: session.status,
    repository: session.repoName,
    root: session.repoRoot,
    model: session.model.name,
    tokens: breakdown?.total ?? null,
    maxTokens: breakdown?.max ?? 0,
    cost: breakdown?.session.cost ?? null,
    activities: open.flatMap(activitiesOf),
    isUnsaved: session.commit.message.trim() !== '' || configOf(session.settings).isDirty,
    waiting: open.flatMap((one) => {
      const text = waitingCall(one.session);
      return text ? [{ conversation: refTo(one), text }] : [];
    }),
    obstacles,
  };
}

/** What runs in a conversation now. */
export function activitiesOf(open: OpenConversation): readonly Activity[] {
  const { chat, commit, compaction } = open.session;
  const conversation = refTo(open);
  const { stream } = chat;
  const answer = stream && chat.messages.findLast(isAnswer(stream.requestId));
  const all: readonly (Activity | false | null)[] = [
    stream && {
      conversation,
      kind: answer?.run ? 'run' : 'answer',
      id: stream.requestId,
      title: titleOf(chat.messages.find(isQuestion(stream.requestId))?.content ?? ''),
    },
    commit.isBusy && { conversation, kind: 'commit', id: '', title: '' },
    commit.writing !== '' && { conversation, kind: 'message', id: commit.writing, title: '' },
    compaction.size?.isCompacting === true && { conversation, kind: 'summary', id: '', title: '' },
  ];
  return all.filter((one): one is Activity => one !== null && one !== false);
}

function refTo({ session, name }: OpenConversation): ConversationRef {
  return { id: session.chat.sessionId, name, root: session.repoRoot };
}

/** How an activity has ended; null where the conversation doesn't show it any more. */
export function endOf({ chat, commit }: Session, activity: Activity): EndedActivity | null {
  const ended = (outcome: EndedActivity['outcome'], reason = ''): EndedActivity => ({
    ...activity,
    outcome,
    reason,
  });
  if (activity.kind === 'summary') return ended('done');
  if (activity.kind === 'commit' || activity.kind === 'message') {
    if (commit.secrets.length)
      return ended('failed', t('Some of the files look like secrets: the panel asks.'));
    return commit.error ? ended('failed', commit.error) : ended('done');
  }
  const answer = chat.messages.findLast(isAnswer(activity.id));
  if (!answer) return null;
  if (answer.state === 'error') return ended('failed', answer.failure?.message ?? '');
  return ended(answer.state === 'cancelled' ? 'stopped' : 'done');
}

/** The first call that waits for the user, in the answer that is being written. */
function waitingCall({ chat, agent }: Session): string {
  const id = chat.stream?.requestId;
  if (!id) return '';
  const raw = chat.messages.findLast(isAnswer(id))?.run;
  const calls = raw ? parseRun(raw).calls : [];
  const waiting = [...calls, ...(agent?.pendingOf(id, calls) ?? [])].find(
    (call) => call.status === 'waiting' && !agent?.isDecided(id, call.id),
  );
  return waiting ? titleOf(waiting.title || waiting.question?.text || waiting.tool) : '';
}

function isAnswer(id: string) {
  return ({ role, requestId }: { role: string; requestId: string }) =>
    role === 'assistant' && requestId === id;
}

function isQuestion(id: string) {
  return ({ role, requestId }: { role: string; requestId: string }) => role === 'user' && requestId === id;
}

/** The first line, shortened. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
}
