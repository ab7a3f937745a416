/** Why a part is in the next request: one plain sentence. */

import { t } from '@jupyter-ac/messages';
import type { Category, ItemShare } from '../model/breakdown.ts';
import type { Session } from '../model/session.ts';
import type { RequestPart } from './request-parts.ts';

const OF_CATEGORIES: Readonly<Record<Category, string>> = {
  system: t(
    'The instructions tell the model how to work and how to write edits; every request begins with them.',
  ),
  legend: t('The legend explains the signs of the map.'),
  map: t('The map lists files and names of the repository, so that the model knows what it may ask for.'),
  files: t('The text of these files is sent: the ticked ones, and those that an earlier question has sent.'),
  urls: t('The text of these web pages is sent with your questions until you leave them out.'),
  review: t('You review a branch, so what it changes is sent.'),
  context: t('You added these things to a question.'),
  tools: t('These are the tools that the agent may use, with their calls and results.'),
  history: t('The model keeps nothing between requests, so the conversation so far is sent again each time.'),
  question: t('This is what you are typing.'),
  overhead: t('Providers count a few tokens for each message, which keep it apart from the next one.'),
};

export function reasonOf(session: Session, part: RequestPart): string {
  const { kind, category, item, message, line } = part;
  if (kind === 'request') return t('This is all that the model will be sent with your next question.');
  if (kind === 'category') return OF_CATEGORIES[category];
  if (kind === 'symbol' && item)
    return t('It begins in line %1 of %2. %3', line, item.name, itemReason(session, category, item));
  if (category === 'history') return messageReason(message);
  return item ? itemReason(session, category, item) : OF_CATEGORIES[category];
}

function itemReason(session: Session, category: Category, item: ItemShare): string {
  const { path, isLeftOver } = item;
  if (isLeftOver && category === 'files')
    return t(
      'It isn’t ticked any more, but an earlier question has sent it, and that text stays in the conversation until you stop sending it.',
    );
  if (isLeftOver)
    return t('It was sent with an earlier question and stays in the conversation until you stop sending it.');
  if (category === 'files' && session.selection.isByProgram(path))
    return t(
      'The program ticked this file because an answer edits it; it is unticked when this conversation ends.',
    );
  if (category === 'files' && session.selection.has(path)) return t('You ticked this file.');
  if (category === 'files') return t('An earlier question has sent this file.');
  if (category === 'urls') return t('The page was fetched for a question, and you haven’t left it out.');
  if (category === 'context') return t('You added it to the question that you are typing.');
  return OF_CATEGORIES[category];
}

function messageReason(message: string): string {
  if (message === 'question')
    return t('You asked this earlier; it is sent again so that the model knows what was said.');
  if (message === 'answer')
    return t('The model answered this earlier; it is sent again so that the model knows what was said.');
  return OF_CATEGORIES.history;
}
