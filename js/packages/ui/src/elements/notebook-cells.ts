/** List of a ticked notebook's cells in the context breakdown: tokens, ticks, outputs. */

import { t, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { tokens } from '../model/format.ts';
import { type CellShare, NotebookCellsStore } from '../model/notebook-cells.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

/** More cells than this are not listed: their checkboxes would block the page. */
const MAX_CELLS = 500;

const styles = css`
  :host {
    display: block;
    padding: 0 12px 2px 32px;
  }
  .fold {
    display: inline-flex;
    align-items: center;
    gap: 2px;
    padding: 2px 4px 2px 0;
    border: 0;
    background: none;
    color: var(--ac-muted);
    font: inherit;
    font-size: 0.9em;
    cursor: pointer;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 24px;
  }
  label.cell {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 6px;
    min-width: 0;
  }
  .title {
    overflow: hidden;
    font-family: var(--ac-mono);
    font-size: 0.9em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .excluded .title {
    color: var(--ac-muted);
    text-decoration: line-through;
  }
  label.out {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: 3px;
    color: var(--ac-muted);
    font-size: 0.85em;
  }
  input {
    margin: 0;
    accent-color: var(--ac-accent);
  }
`;

export class AcNotebookCells extends LitElement {
  static override properties = { session: { attribute: false }, path: { attribute: false } };
  static override styles = [base, styles];

  declare session: Session;
  /** Path of the notebook; the element is for one notebook only. */
  declare path: string;
  #store: NotebookCellsStore | null = null;

  constructor() {
    super();
    new StoreController(this, () => [this.store]);
  }

  get store(): NotebookCellsStore {
    this.#store ??= new NotebookCellsStore(this.session.rpc, this.path);
    return this.#store;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#store?.dispose();
    this.#store = null;
  }

  protected override render(): TemplateResult {
    const { isOpen, error, cells } = this.store;
    return html`<div data-ac="notebook-cells" data-path=${this.path}>
      <button class="fold" type="button" aria-expanded=${isOpen} @click=${() => void this.store.open(!isOpen)}>
        ${isOpen ? icons.chevronDown : icons.chevronRight} ${t('Cells')}
      </button>
      ${isOpen && this.store.missing ? this.#missing() : nothing}
      ${isOpen && error ? html`<p class="note" role="alert">${error}</p>` : nothing}
      ${isOpen ? html`<ul aria-label=${t('Cells of %1', escapeInvisible(this.path))}>${cells.slice(0, MAX_CELLS).map((cell) => this.#row(cell))}</ul>` : nothing}
      ${isOpen && cells.length > MAX_CELLS ? html`<p class="muted">${t('… and %1 more cells, which are sent.', cells.length - MAX_CELLS)}</p>` : nothing}
    </div>`;
  }

  #missing(): TemplateResult {
    return html`<p class="note" role="alert">${t('A cell that you left out can’t be found any more, so the notebook isn’t sent.')}
      <button class="quiet" type="button" data-ac="cells-forget" @click=${() => void this.store.forgetMissing()}>${t('Send the cells that are ticked')}</button></p>`;
  }

  #images(cell: CellShare, title: string): TemplateResult {
    const many = tn('%1 image', '%1 images', cell.images);
    return html`<label class="out" title=${t('Send its %1, too, each with one question', many)}>
      <input type="checkbox" data-ac="cell-images" .checked=${cell.hasImages} aria-label=${t('Send %1 of the cell %2', many, title)}
        @change=${(event: Event) => void this.store.showImages(cell.id, isChecked(event))} />${icons.image}</label>`;
  }

  #row(cell: CellShare): TemplateResult {
    const title = escapeInvisible(cell.title) || t('(empty)');
    return html`<li class=${cell.isExcluded ? 'excluded' : ''} data-ac="cell-row" data-id=${cell.id} data-tokens=${cell.tokens}>
      <label class="cell" title=${title}>
        <input type="checkbox" data-ac="cell-check" .checked=${!cell.isExcluded} aria-label=${t('Send the cell %1', title)}
          @change=${(event: Event) => void this.store.include(cell.id, isChecked(event))} />
        <span class="title">${title}</span>
      </label>
      ${
        cell.isCode && !cell.isExcluded
          ? html`<label class="out" title=${t('Send its outputs, too: 20 lines of text, errors whole')}>
              <input type="checkbox" data-ac="cell-outputs" .checked=${cell.hasOutputs} aria-label=${t('Send the outputs of the cell %1', title)}
                @change=${(event: Event) => void this.store.showOutputs(cell.id, isChecked(event))} />${t('outputs')}</label>
              ${cell.hasOutputs && cell.images ? this.#images(cell, title) : nothing}`
          : nothing
      }
      <span class="number ${cell.isExcluded ? 'muted' : ''}">${tokens(cell.tokens)}</span>
    </li>`;
  }
}

function isChecked(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}
