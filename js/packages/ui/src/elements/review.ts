/** Banner of an open review: what is compared, the changed files, asking for a review, and its end. */

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { grouped, plural } from '../model/format.ts';
import type { ChangedFile, OpenReview, ReviewChanges } from '../model/review.ts';
import type { Session } from '../model/session.ts';
import { noticeStyles } from '../styles/notices.ts';
import { REVIEW_ROW_PX, reviewStyles } from '../styles/review.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';
import { openLocation } from './location-links.ts';

const LETTERS: Readonly<Record<string, string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  typechange: 'T',
};

export class AcReview extends LitElement {
  static override properties = { session: { attribute: false }, isFolded: { state: true } };
  static override styles = [base, noticeStyles, reviewStyles];

  declare session: Session;
  /** The list of files is hidden. */
  declare isFolded: boolean;
  readonly #rows = new VirtualList(this, REVIEW_ROW_PX, () => this.#files.length);

  constructor() {
    super();
    this.isFolded = false;
    new StoreController(this, () => [this.session, this.session.review, this.session.selection]);
  }

  get #files(): readonly ChangedFile[] {
    return this.session.review.changes?.files ?? [];
  }

  protected override updated(): void {
    this.#rows.attach(this.renderRoot.querySelector<HTMLElement>('.files'));
  }

  /** The live region exists before its text, so that screen readers announce the text. */
  protected override render(): TemplateResult {
    const { review } = this.session;
    const isShown = this.session.isUsable;
    return html`<div role="status">${isShown ? this.#content() : nothing}</div>
      ${isShown && review.open && review.changes && !this.isFolded ? this.#list(review.changes) : nothing}`;
  }

  #content(): TemplateResult | typeof nothing {
    const { review } = this.session;
    if (review.open) return this.#banner(review.open);
    if (review.outcome) return this.#outcome();
    return review.problem
      ? html`<div class="bar">${icons.warning}<p>${inlineCode(review.problem)}</p></div>`
      : nothing;
  }

  #banner({ branch, original, since, parent, tip }: OpenReview): TemplateResult {
    const { review } = this.session;
    const { changes, outcome } = review;
    const when = since
      ? ` since ${since.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}`
      : '';
    const count = changes ? `: ${plural(changes.files.length, 'file')}` : '';
    const back = `Ending it checks out \`${original}\` again; what was changed meanwhile is kept.`;
    return html`<section class="bar" data-ac="review-banner" aria-label="Open review"><div class="whole" data-ac="review">
      ${icons.branch}
      <p>
        ${inlineCode(`A review of \`${branch}\` is open${when}${count}. Edits and commits are off. ${back}`)}
        <span class="muted range" title="The commit before the branch, and the branch's last one">
          <code>${parent}..${tip}</code> ${changes ? this.#numbers(changes) : nothing}
        </span>
        ${outcome ? html`<span role="alert"><br />${inlineCode(outcome)}</span>` : nothing}
      </p>
      ${this.#buttons()}
    </div></section>`;
  }

  #numbers({ commits, additions, deletions }: ReviewChanges): TemplateResult {
    return html`${plural(commits, 'commit')}, <span class="plus">+${grouped(additions)}</span> <span class="minus">−${grouped(deletions)}</span>`;
  }

  #buttons(): TemplateResult {
    const { review, rpc, status } = this.session;
    const { isEnding, changes } = review;
    return html`<span class="buttons">
      ${
        changes?.files.length
          ? html`<button class="button" type="button" data-ac="review-files" aria-expanded=${!this.isFolded}
              @click=${() => {
                this.isFolded = !this.isFolded;
              }}>${this.isFolded ? icons.chevronRight : icons.chevronDown} Files</button>
            <button class="button primary" type="button" data-ac="review-ask" ?disabled=${status !== 'ready'}
              @click=${() => void this.session.askForReview()}>Ask for a review</button>`
          : nothing
      }
      <button class="button" type="button" data-ac="review-end" ?disabled=${isEnding || !rpc.connected} @click=${() => void this.#end()}>
        ${isEnding ? icons.spinner : nothing} End the review
      </button>
    </span>`;
  }

  #list({ files }: ReviewChanges): TemplateResult {
    const { selection } = this.session;
    const ticked = files.filter(({ path }) => selection.has(path)).length;
    const isAll = ticked === files.length;
    const { first, end } = this.#rows.shown;
    return html`<div class="changes" role="group" aria-label="Files that the branch changes">
      <label class="all"><input type="checkbox" data-ac="review-tick-all" .checked=${isAll} .indeterminate=${ticked > 0 && !isAll}
        @change=${() =>
          selection.mark(
            files.map(({ path }) => path),
            !isAll,
          )} />
        <span class="muted" data-ac="review-ticked">${ticked} of ${plural(files.length, 'diff')} in the conversation</span></label>
      <div class="files">
        <div class="space" style="height:${files.length * REVIEW_ROW_PX}px"><div style="transform:translateY(${first * REVIEW_ROW_PX}px)">
          ${files.slice(first, end).map((file) => this.#row(file))}
        </div></div>
      </div>
    </div>`;
  }

  #row({ path, oldPath, status, additions, deletions }: ChangedFile): TemplateResult {
    const { selection } = this.session;
    const isTicked = selection.has(path);
    const name = escapeInvisible(path);
    const words = oldPath ? `${status}: ${escapeInvisible(oldPath)} → ${name}` : `${status}: ${name}`;
    return html`<div class="file" data-ac="review-row" data-path=${path} data-status=${status}>
      <input type="checkbox" data-ac="review-tick" aria-label=${`Put the diff of ${name} into the conversation`} .checked=${isTicked}
        @change=${() => selection.mark([path], !isTicked)} />
      <span class="letter ${status}" role="img" aria-label=${status}>${LETTERS[status] ?? '?'}</span>
      <button type="button" class="name" data-ac="review-open" title=${`${words}. Show its diff`}
        @click=${() => openLocation(this, { path, line: 0, col: 0, isDiff: true })}><bdi>${name}</bdi></button>
      <span class="number"><span class="plus">+${grouped(additions)}</span> <span class="minus">−${grouped(deletions)}</span></span>
    </div>`;
  }

  #outcome(): TemplateResult {
    return html`<div class="bar note" data-ac="review-outcome">
      ${icons.check}
      <p>${inlineCode(this.session.review.outcome)}</p>
      <button class="icon-button" type="button" aria-label="Close this notice" @click=${() => this.#close()}>
        ${icons.close}
      </button>
    </div>`;
  }

  /** Ends the review; the focus stays on this banner's button. */
  async #end(): Promise<void> {
    await this.session.review.end();
    await this.updateComplete;
    const buttons = '[data-ac="review-end"], [data-ac="review-outcome"] button';
    this.renderRoot.querySelector<HTMLElement>(buttons)?.focus();
  }

  #close(): void {
    this.session.review.close();
    this.dispatchEvent(new CustomEvent('ac-input'));
  }
}
