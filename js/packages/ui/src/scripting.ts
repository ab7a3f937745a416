/** What a program does instead of a person: asks in the conversation that is shown, ticks files. */

import type { ChatStore } from './model/chat.ts';
import type { Message } from './model/messages.ts';
import type { Session } from './model/session.ts';
import type { Store } from './model/store.ts';

/** A server's start takes seconds; after this the caller hears that it hangs. */
export const START_MS = 60_000;

const CLOSED = 'The panel was closed before the answer came.';
const LOST = 'The question or its answer is no longer in the conversation; ask again.';

/**
 * Asks when the panel is ready, and resolves to the whole answer; the question and the answer appear
 * in the conversation as if typed. Rejects with one sentence.
 *
 * @param closing - aborted when the panel leaves the conversation
 * @param stop - aborted when nobody wants the answer any more: it is stopped
 */
export async function askInSession(
  session: Session,
  question: string,
  closing: AbortSignal,
  stop: AbortSignal = closing,
): Promise<string> {
  if (!question.trim()) throw new Error('The question is empty.');
  await until(
    session,
    () => isReady(session),
    AbortSignal.any([closing, stop]),
    AbortSignal.timeout(START_MS),
  );
  // It sets the stream before it waits for anything.
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
      ? 'The answer was stopped.'
      : (answer.failure?.message ?? 'The answer failed.'),
  );
}

/** Ticks `files` and no others, as soon as the panel knows what is ticked. */
export async function selectInSession(
  session: Session,
  files: readonly string[],
  closing: AbortSignal,
): Promise<void> {
  await until(session, () => (session.isLoaded && session.rpc.connected ? true : null), closing);
  session.selection.replace(files);
}

/** Null while it is worth waiting. */
function isReady(session: Session): true | null {
  switch (session.status) {
    case 'ready':
      return true;
    case 'starting':
      return null;
    case 'streaming':
      throw new Error('The panel is answering another question: wait for its end or press Stop.');
    case 'offline':
    case 'error':
      throw new Error(session.problem || 'The panel has no connection to its server.');
  }
}

/** The answer when it is whole; null as long as it comes in. */
function endOf(chat: ChatStore, id: string | undefined): Message | null {
  const answer = chat.messages.find((message) => message.role === 'assistant' && message.requestId === id);
  if (!answer) throw new Error(LOST);
  return answer.state === 'streaming' || chat.stream?.requestId === id ? null : answer;
}

/** Looks after each change of the store, once all of it has been made, until there is something. */
function until<Value>(
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
      reject(new Error('The server is still starting; try again in a moment.'));
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
    // A store tells of each step of a larger change; only its outcome counts.
    const stop = store.subscribe(() => queueMicrotask(check));
    closing.addEventListener('abort', close);
    timeout?.addEventListener('abort', giveUp);
    if (closing.aborted) close();
    else check();
  });
}
