/**
 * Renderer of what `%ac_fix` proposes for a cell, and the message by which the kernel knows that this page has it.
 *
 * Without that message the kernel adds a new cell, too: another page may show only the text of the difference.
 */

import { N_, t } from '@jupyter-ac/messages';
import {
  type INotebookTracker,
  type MimeModel,
  NotebookActions,
  type NotebookPanel,
} from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { TARGET } from './kernel-connection.ts';
import { actOnProposal, type CellProposal, type ProposalAction } from './proposal-actions.ts';
import { createCard, type ProposalCard } from './proposal-card.ts';

export const PROPOSAL_MIME = 'application/vnd.jupyter-ac.cell-proposal+json';
/** Before any renderer of the text beside it. */
const RANK = -20;
const MAGIC = 'ac_fix';
const UNREADABLE = N_('This proposal was made by another version of jupyter_ac: run %ac_fix again.');

type ActAt = (action: ProposalAction, proposal: CellProposal, node: Node) => string;

export class ProposalOutput extends Widget {
  readonly #card: ProposalCard = createCard();
  readonly #act: ActAt;

  constructor(act: ActAt) {
    super();
    this.#act = act;
  }

  async renderModel({ data }: MimeModel): Promise<void> {
    const proposal = readProposal(data[PROPOSAL_MIME]);
    if (!proposal) {
      this.node.replaceChildren(t(UNREADABLE));
      return;
    }
    this.#card.show(proposal, (action, shown) => this.#act(action, shown, this.node));
    this.node.replaceChildren(this.#card);
  }
}

/** Adds the renderer to each notebook: every notebook has its own registry. Tells the kernels before it is used. */
export function renderProposals(tracker: INotebookTracker): void {
  const act: ActAt = (...asked) => actOnProposal(tracker, ...asked);
  const add = ({ content: { rendermime } }: NotebookPanel): void =>
    rendermime.addFactory(
      { safe: true, mimeTypes: [PROPOSAL_MIME], createRenderer: () => new ProposalOutput(act) },
      RANK,
    );
  tracker.forEach(add);
  tracker.widgetAdded.connect((_, panel) => add(panel));
  NotebookActions.executionScheduled.connect((_, { notebook, cell }) => {
    const panel = tracker.find(({ content }) => content === notebook);
    if (panel && cell.model.sharedModel.getSource().includes(MAGIC)) announce(panel, cell.model.id);
  });
}

/** Tells the kernel, in front of the request to run the cell, that proposals are drawn below it. */
function announce({ sessionContext }: NotebookPanel, cellId: string): void {
  const kernel = sessionContext.session?.kernel;
  if (!kernel?.handleComms) return;
  // Not after a subshell has started: on the main shell it is read before the cell runs. The kernel closes it.
  kernel.createComm(TARGET).open({ draws_proposals_of: cellId });
}

function readProposal(raw: unknown): CellProposal | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { version, cell_id, number, before, code } = raw as Record<string, unknown>;
  if (version !== 1 || typeof before !== 'string' || typeof code !== 'string') return null;
  return {
    ...{ before, code },
    cellId: typeof cell_id === 'string' ? cell_id : null,
    number: typeof number === 'number' ? number : null,
  };
}
