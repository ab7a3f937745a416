/** Adds something of a page to the next question, and says what came of it. */

import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
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
    toasts.show('warning', t('This server takes nothing from pages.'));
    return false;
  }
  const isAdded = await context.add(kind, name, read);
  if (isAdded) toasts.show('success', t('Added to the next question: %1', name));
  else toasts.show('error', t('Not added: %1. The chip at the input says why.', name));
  return isAdded;
}
