/** Scripting API of a panel: asks, attaches values and ticks files on behalf of a program. */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './model/call-result.ts';
import type { ChatStore } from './model/chat.ts';
import type { Message } from './model/messages.ts';
import type { Session } from './model/session.ts';
import type { Store } from './model/store.ts';

/** Timeout for the server's start, which takes seconds. */
export const START_MS = 60_000;

const CLOSED = t('The panel was closed before the answer came.');
const LOST = t('The question or its answer is no longer in the conversation; ask again.');

/**
 * Asks as soon as the panel is ready; resolves to the whole answer. Question and answer appear in the
 * conversation as if typed. Rejects with one sentence.
 *
 * @param closing - aborted when the panel leaves the conversation
 * @param stop - abort it to stop the answer
 */
export async function askInSession(
  session: Session,
  question: string,
  closing: AbortSignal,
  stop: AbortSignal = closing,
): Promise<string> {
  if (!question.trim()) throw new Error(t('The question is empty.'));
  await until(
    session,
    () => isReady(session),
    AbortSignal.any([closing, stop]),
    AbortSignal.timeout(START_MS),
  );
  // It sets the stream synchronously, before its first await.
  void session.chat.send(question);
  const id = session.chat.stream?.requestId;
  const stopAnswer = (): void => void session.chat.stop();
  if (stop !== closing) stop.addEventListener('abort', stopAnswer);
  const answer = await until(session.chat, () => endOf(session.chat, id), closing).finally(() =>
    stop.removeEventListener('abort', stopAnswer),
  );
  if (answer.state === 'done') return answer.content;
  throw new Error(
    answer.state === 'cancelled'
      ? t('The answer was stopped.')
      : (answer.failure?.message ?? t('The answer failed.')),
  );
}

/** Ticks exactly `files`, as soon as the panel has loaded the ticks. */
export async function selectInSession(
  session: Session,
  files: readonly string[],
  closing: AbortSignal,
): Promise<void> {
  await until(session, () => (session.isLoaded && session.rpc.connected ? true : null), closing);
  session.selection.replace(files);
}

/** Adds an item to the next question, as soon as the panel is loaded; rejects with one sentence. */
export async function attachInSession(
  session: Session,
  item: ContextItemGiven,
  closing: AbortSignal,
): Promise<void> {
  const isLoaded = (): true | null => (session.isLoaded && session.rpc.connected ? true : null);
  await until(session, isLoaded, closing, AbortSignal.timeout(START_MS));
  const { error } = await toResult(session.rpc.rpcExtract('LLMService.add_context', item));
  if (error) throw new Error(error);
}

/** null while the panel is starting; throws when it can't answer. */
export function isReady(session: Session): true | null {
  switch (session.status) {
    case 'ready':
      return true;
    case 'starting':
      return null;
    case 'streaming':
      throw new Error(t('The panel is answering another question: wait for its end or press Stop.'));
    case 'offline':
    case 'error':
      throw new Error(session.problem || t('The panel has no connection to its server.'));
  }
}

/** The answer when it is complete; null while it is being streamed. */
function endOf(chat: ChatStore, id: string | undefined): Message | null {
  const answer = chat.messages.find((message) => message.role === 'assistant' && message.requestId === id);
  if (!answer) throw new Error(LOST);
  return answer.state === 'streaming' || chat.stream?.requestId === id ? null : answer;
}

/** Resolves to the first non-null value of `look`, checked after each change of the store. */
export function until<Value>(
  store: Store,
  look: () => Value | null,
  closing: AbortSignal,
  timeout?: AbortSignal,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      stop();
      closing.removeEventListener('abort', close);
      timeout?.removeEventListener('abort', giveUp);
    };
    const close = (): void => {
      end();
      reject(new Error(CLOSED));
    };
    const giveUp = (): void => {
      end();
      reject(new Error(t('The server is still starting; try again in a moment.')));
    };
    const check = (): void => {
      try {
        const value = look();
        if (value === null) return;
        end();
        resolve(value);
      } catch (error) {
        end();
        reject(error);
      }
    };
    // A store notifies several times during one change: check only after the whole change.
    const stop = store.subscribe(() => queueMicrotask(check));
    closing.addEventListener('abort', close);
    timeout?.addEventListener('abort', giveUp);
    if (closing.aborted) close();
    else check();
  });
}
