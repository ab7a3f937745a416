/** The commands that can be typed at the beginning of the input. */

import { t } from '@jupyter-ac/messages';
import type { Command } from '../model/input-menu.ts';
import type { Session } from '../model/session.ts';
import { openSettings, startNew, startReview } from './header.ts';

const HELP =
  t(
    '@ finds files, folders, symbols and pages, beside a notebook also variables, cells and outputs; / shows the commands. Enter sends, Shift+Enter starts a line, ',
  ) + t('ArrowUp brings earlier questions back, Ctrl+K searches everywhere, Escape closes or stops.');
const BUSY = t('Wait for the end of the answer, or stop it.');
const REVIEWING = t('End the review first.');

/** The commands that the server offers, with what stands in their way now. */
export function inputCommands(session: Session, host: HTMLElement): readonly Command[] {
  const { chat, commit, compaction, edits, mode, review, rpc, settings } = session;
  const isAnswering = session.status === 'streaming';
  const busy = session.status === 'ready' ? '' : BUSY;
  const reviewing = review.open ? REVIEWING : '';
  const undoable = chat.messages.findLast(({ role }) => role === 'assistant');
  const other = mode.mode === 'code' ? 'doc' : 'code';
  const all: readonly (readonly [boolean, Command])[] = [
    [
      true,
      isAnswering
        ? command('new', t('New conversation in a new tab'), '', () => startNew(host, session, true))
        : command('new', t('New conversation'), busy, () => startNew(host, session, false)),
    ],
    [commit.isOffered, command('commit', t('Commit files'), busy || reviewing, () => commit.open(true))],
    [
      rpc.offers('LLMService.undo_edits'),
      command(
        'undo',
        t('Take back the edits of the last answer'),
        busy || reviewing || (undoable ? '' : t('There is no answer.')),
        () => {
          if (undoable) void edits.undo(undoable.requestId, []);
        },
      ),
    ],
    [
      rpc.offers('LLMService.start_review'),
      command('review', t('Review a branch'), busy || reviewing, () => startReview(host)),
    ],
    [
      compaction.canTrim,
      command(
        'trim',
        t('Stop sending files that are no longer ticked'),
        busy,
        () => void compaction.trimUnticked(),
      ),
    ],
    [
      compaction.canCompact,
      command('compact', t('Summarise the conversation'), busy, () => void compaction.compact()),
    ],
    [
      settings.offers('models'),
      command('model', t('Choose a model'), '', () => openSettings(host, 'models')),
    ],
    [
      mode.isOffered,
      command(
        'mode',
        other === 'doc' ? t('Work on documents') : t('Work on code'),
        busy,
        () => void mode.switchTo(other),
      ),
    ],
    [true, command('help', t('What can be typed here'), '', () => session.toasts.show('info', HELP))],
  ];
  return all.flatMap(([isOffered, one]) => (isOffered ? [one] : []));
}

function command(name: string, description: string, obstacle: string, run: () => void): Command {
  return { name, description, obstacle, run };
}
