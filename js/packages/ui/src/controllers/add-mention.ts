/** Adds things from the notebook beside the panel to the next question, on behalf of a command. */

import { t } from '@jupyter-ac/messages';
import { contextMentions } from '../model/context-mentions.ts';
import type { Session } from '../model/session.ts';
import { isReady, START_MS, until } from '../scripting.ts';
import { NotebookMentions } from './notebook-mentions.ts';

/**
 * Adds what a mention such as `@cell:3` means, as soon as the panel is connected. A failure is a chip.
 *
 * @param closing - aborted when the panel leaves the conversation
 * Rejects with one sentence when the mention is none, or the panel can't add anything.
 */
export async function addMention(session: Session, mention: string, closing: AbortSignal): Promise<void> {
  const [found] = contextMentions(mention);
  if (!found) throw new Error(t('%1 is no mention of something in a notebook.', mention));
  const timeout = AbortSignal.timeout(START_MS);
  const look = (): true | null => (session.status === 'streaming' ? true : isReady(session));
  await until(session, look, closing, timeout);
  if (!session.context.isOffered) throw new Error(t('This server can’t: update and restart it.'));
  session.mentions ??= new NotebookMentions(session);
  await session.mentions.add(found);
}
