/** Banner of an open review, with a button to end it. */

import { language, t, tn } from '@jupyter-ac/messages';
import { css, LitElement, nothing, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import type { OpenReview } from '../model/review.ts';
import type { ReviewNumbers } from '../model/review-changes.ts';
import { askForReview } from '../model/review-request.ts';
import type { Session } from '../model/session.ts';
import { noticeStyles } from '../styles/notices.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
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
    new StoreController(this, () => [this.session, this.session.review, this.session.chat]);
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

  #offer(open: OpenReview): TemplateResult {
    const { review, rpc, chat } = this.session;
    const { outcome, isEnding, changes } = review;
    const isAnswering = chat.stream !== null;
    return html`<section class="bar" data-ac="review-banner" aria-label=${t('Open review')}>
      ${icons.branch}
      <p>
        ${inlineCode(sentences(open, review.numbers))}
        ${outcome ? html`<span role="alert"><br />${inlineCode(outcome)}</span>` : nothing}
      </p>
      <span class="choices">
        <button class="button" type="button" data-ac="review-ask" ?disabled=${isAnswering || isEnding || !rpc.connected}
          title=${t('Send the first text for reviews; ticks the changed files if none is ticked')}
          @click=${() => void askForReview(this.session)}>${t('Ask for a review')}</button>
        <button class="button" type="button" data-ac="review-end" ?disabled=${isEnding || !rpc.connected} @click=${() => void this.#end()}>
          ${isEnding ? icons.spinner : nothing} ${t('End the review')}
        </button>
      </span>
    </section>
    ${changes.length ? html`<${tag.reviewFiles} .session=${this.session}></${tag.reviewFiles}>` : nothing}`;
  }

  #outcome(): TemplateResult {
    return html`<div class="bar note" data-ac="review-outcome">
      ${icons.check}
      <p>${inlineCode(this.session.review.outcome)}</p>
      <button class="icon-button" type="button" aria-label=${t('Close this notice')} @click=${() => this.#close()}>
        ${icons.close}
      </button>
    </div>`;
  }

  /** Ends the review; the focus stays on this banner's button. */
  async #end(): Promise<void> {
    await this.session.review.end();
    await this.updateComplete;
    this.renderRoot
      .querySelector<HTMLElement>('[data-ac="review-end"], [data-ac="review-outcome"] button')
      ?.focus();
  }

  #close(): void {
    this.session.review.close();
    this.dispatchEvent(new CustomEvent('ac-input'));
  }
}

function sentences(
  { branch, original, since, parent, tip }: OpenReview,
  numbers: ReviewNumbers | null,
): string {
  const when = since
    ? t(' since %1', since.toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' }))
    : '';
  const range = `\`${parent.slice(0, 7)}..${tip.slice(0, 7)}\``;
  const count = numbers
    ? `: ${tn('%1 commit', '%1 commits', numbers.commits)}, ${tn('%1 file', '%1 files', numbers.files)}, +${numbers.additions} −${numbers.deletions}`
    : '';
  return t(
    'A review of `%1` is open%2 (%3)%4. Edits and commits are off. Ending it checks out `%5` again; what was changed meanwhile is kept.',
    branch,
    when,
    range,
    count,
    original,
  );
}
