/** What the buttons of a proposal do to the notebook that shows it. */

import { N_, t } from '@jupyter-ac/messages';
import type { Cell, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import {
  activate,
  cellAround,
  hasCellIds,
  insertCell,
  replaceable,
  replaceSource,
  requireKernel,
  runActive,
} from './notebook-edits.ts';

/** A new source for a cell. */
export interface CellProposal {
  /** null where it isn't known: then the only cell of this source is meant. */
  readonly cellId: string | null;
  /** Of the run that it is about; null where it isn't known. */
  readonly number: number | null;
  /** Source of the cell when it ran. */
  readonly before: string;
  readonly code: string;
}

export type ProposalAction = 'replace' | 'run' | 'insert';

const GONE = N_('The cell is no longer in this notebook: insert the proposal below.');
const CHANGED = N_('The cell has changed since: run %ac_fix again, or insert the proposal below.');
const UNKNOWN = N_('No cell has this source any more: insert the proposal below.');
const AMBIGUOUS = N_('Several cells have this source: insert the proposal below.');
const ALREADY = N_('The cell has this code already.');

/**
 * Carries out what a click has asked for; returns a sentence about it.
 *
 * @param node - of the output that shows the proposal
 * @throws Error with one sentence when it can't be done; then nothing has changed
 */
export function actOnProposal(
  tracker: INotebookTracker,
  action: ProposalAction,
  proposal: CellProposal,
  node: Node,
): string {
  const [notebook, around] = cellAround(tracker, node);
  const { content } = notebook;
  if (action === 'insert') {
    insertCell(notebook, content.widgets.indexOf(around) + 1, proposal.code);
    return t('Inserted as a new cell below.');
  }
  const cell = meantCell(notebook, proposal);
  const shared = replaceable(notebook, cell, t('The cell'));
  const source = trimmed(shared.getSource());
  const isThere = source === trimmed(proposal.code);
  if (!isThere && source !== trimmed(proposal.before)) throw new Error(t(CHANGED));
  if (action === 'run') requireKernel(notebook);
  else if (isThere) throw new Error(t(ALREADY));
  if (!isThere) replaceSource(shared, proposal.code);
  if (action === 'replace') return t('Replaced. Undo in the cell takes it back.');
  activate(content, content.widgets.indexOf(cell));
  void runActive(notebook);
  return isThere ? t('Run: the cell had this code already.') : t('Replaced, and run.');
}

/** The cell that a proposal is about. */
function meantCell(notebook: NotebookPanel, { cellId, before }: CellProposal): Cell {
  const { widgets } = notebook.content;
  if (cellId !== null && hasCellIds(notebook)) {
    const cell = widgets.find(({ model }) => model.id === cellId);
    if (!cell) throw new Error(t(GONE));
    return cell;
  }
  const [cell, other] = widgets.filter(
    ({ model }) => model.type === 'code' && trimmed(model.sharedModel.getSource()) === trimmed(before),
  );
  if (!cell) throw new Error(t(UNKNOWN));
  if (other) throw new Error(t(AMBIGUOUS));
  return cell;
}

/** The kernel's history has sources without line ends at their ends. */
function trimmed(source: string): string {
  let end = source.length;
  while (end > 0 && source[end - 1] === '\n') end -= 1;
  return source.slice(0, end);
}
