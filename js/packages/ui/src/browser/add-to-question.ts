/** Adds something of a page to the next question, and says what came of it. */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import type { ReadItem } from '../model/context-items.ts';
import type { Session } from '../model/session.ts';

export async function addToQuestion(
  session: Session,
  kind: ContextItemGiven['kind'],
  name: string,
  read: ReadItem,
): Promise<boolean> {
  const { context, toasts } = session;
  if (!context.isOffered) {
    toasts.show('warning', 'This server takes nothing from pages.');
    return false;
  }
  const isAdded = await context.add(kind, name, read);
  if (isAdded) toasts.show('success', `Added to the next question: ${name}`);
  else toasts.show('error', `Not added: ${name}. The chip at the input says why.`);
  return isAdded;
}
