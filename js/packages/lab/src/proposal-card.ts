/** Card of a proposal for a cell: its difference as in the panel, and buttons. */

import { N_, t } from '@jupyter-ac/messages';
import {
  base,
  diffLines,
  diffTemplate,
  editStyles,
  isolateKeys,
  PLACEHOLDER,
  ThemeController,
  tokens,
  UNRESTORED,
  withGaps,
} from '@jupyter-ac/ui/cell-diff';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { CellProposal, ProposalAction } from './proposal-actions.ts';

const TAG = 'jupyter-ac-cell-proposal';

const LABELS: Readonly<Record<ProposalAction, readonly [text: string, title: string]>> = {
  replace: [N_('Replace'), N_('Replace the source of the cell by this proposal')],
  run: [N_('Replace and run'), N_('Replace the source of the cell by this proposal, and run the cell')],
  insert: [N_('Insert below'), N_('Insert this proposal as a new cell below this output')],
};

const cardStyles = css`
  :host {
    display: block;
    margin: 4px 2px;
    border-radius: var(--ac-radius);
  }
  .failed {
    color: var(--ac-danger);
  }
  .warning {
    color: var(--ac-warning);
    border-top: 1px solid var(--ac-line);
  }
  .edit-note:empty {
    display: none;
  }
`;

/** Carries an action out, and returns or throws one sentence. */
export type Act = (action: ProposalAction, proposal: CellProposal) => string;

export class ProposalCard extends LitElement {
  static override readonly styles = [tokens, base, editStyles, cardStyles];

  #shown: { readonly proposal: CellProposal; readonly act: Act } | null = null;
  #note = '';
  #isFailed = false;

  constructor() {
    super();
    // Keys of the notebook would act on its cells: `d d` deletes one.
    this.addEventListener('keydown', isolateKeys);
    new ThemeController(this, () => {});
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.dataset.ac = 'cell-proposal';
  }

  show(proposal: CellProposal, act: Act): void {
    this.#shown = { proposal, act };
    this.#note = '';
    this.requestUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.#shown) return nothing;
    const { before, code, number } = this.#shown.proposal;
    const lines = diffLines(before, code);
    const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
    const name = number === null ? t('Proposal for the cell') : t('Proposal for the cell [%1]', number);
    return html`<div class="edit-card open" role="group" aria-label=${name}>
      <div class="edit-head">
        <strong>${name}</strong>
        <span class="edit-facts">
          <span class="added">+${count('+')}</span> <span class="removed">−${count('-')}</span>
        </span>
      </div>
      ${diffTemplate(withGaps(lines))}
      ${PLACEHOLDER.test(code) ? html`<p class="edit-note warning" data-ac="proposal-placeholders">${t(UNRESTORED)}</p>` : nothing}
      <div class="edit-actions">
        ${(Object.keys(LABELS) as ProposalAction[]).map((action) => this.#button(action))}
      </div>
      <p class="edit-note ${this.#isFailed ? 'failed' : 'muted'}" role="status" data-ac="proposal-note">${this.#note}</p>
    </div>`;
  }

  #button(action: ProposalAction): TemplateResult {
    const [text, title] = LABELS[action].map((each) => t(each)) as [string, string];
    return html`<button
      class="button ${action === 'replace' ? 'primary' : ''}"
      type="button"
      data-ac="proposal-${action}"
      title=${title}
      aria-label="${text}: ${title}"
      @click=${(event: MouseEvent) => this.#clicked(action, event)}
    >${text}</button>`;
  }

  #clicked(action: ProposalAction, event: MouseEvent): void {
    // The second half of a double click does nothing again.
    if (!this.#shown || event.detail > 1) return;
    const { act, proposal } = this.#shown;
    this.#isFailed = false;
    try {
      this.#note = act(action, proposal);
    } catch (error) {
      this.#isFailed = true;
      this.#note = error instanceof Error ? error.message : String(error);
    }
    this.requestUpdate();
  }
}

/** A new card; the element is registered with the first one. */
export function createCard(): ProposalCard {
  if (!customElements.get(TAG)) customElements.define(TAG, ProposalCard);
  return document.createElement(TAG) as ProposalCard;
}
