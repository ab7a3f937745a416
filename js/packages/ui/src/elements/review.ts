/** Banner of an open review, with a button to end it. */

import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import type { OpenReview } from '../model/review.ts';
import type { Session } from '../model/session.ts';
import { noticeStyles } from '../styles/notices.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

export class AcReview extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [
    base,
    noticeStyles,
    css`
      .bar {
        flex-wrap: wrap;
      }
      .bar p {
        flex-basis: 190px;
      }
      .bar > svg {
        flex: none;
      }
    `,
  ];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.session, this.session.review]);
  }

  /** The live region exists before its text, so that screen readers announce the text. */
  protected override render(): TemplateResult {
    return html`<div role="status">${this.session.isUsable ? this.#content() : nothing}</div>`;
  }

  #content(): TemplateResult | typeof nothing {
    const { review } = this.session;
    if (review.open) return this.#offer(review.open);
    if (review.outcome) return this.#outcome();
    return review.problem
      ? html`<div class="bar">${icons.warning}<p>${inlineCode(review.problem)}</p></div>`
      : nothing;
  }

  #offer({ branch, original, since }: OpenReview): TemplateResult {
    const { review, rpc } = this.session;
    const { files, outcome, isEnding } = review;
    const when = since
      ? ` since ${since.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}`
      : '';
    const count = files === null ? '' : `: ${files} ${files === 1 ? 'file' : 'files'}`;
    const back = `Ending it checks out \`${original}\` again; what was changed meanwhile is kept.`;
    return html`<section class="bar" data-ac="review" aria-label="Open review">
      ${icons.branch}
      <p>
        ${inlineCode(`A review of \`${branch}\` is open${when}${count}. ${back}`)}
        ${outcome ? html`<span role="alert"><br />${inlineCode(outcome)}</span>` : nothing}
      </p>
      <button class="button" type="button" data-ac="review-end" ?disabled=${isEnding || !rpc.connected} @click=${() => void this.#end()}>
        ${isEnding ? icons.spinner : nothing} End the review
      </button>
    </section>`;
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
    this.renderRoot.querySelector('button')?.focus();
  }

  #close(): void {
    this.session.review.close();
    this.dispatchEvent(new CustomEvent('ac-input'));
  }
}
