/** Switch of the review mode: edits wait until they are accepted. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';

export class AcEditMode extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [
    base,
    css`
      :host {
        flex: none;
      }
      button {
        display: flex;
        align-items: center;
        gap: 6px;
        min-height: 26px;
        padding: 0 6px;
        color: var(--ac-muted);
        font-size: 12px;
        white-space: nowrap;
      }
      button:hover {
        background: var(--ac-raised);
        color: var(--ac-ink);
      }
      button[aria-checked='true'] {
        color: var(--ac-ink);
      }
      .track {
        width: 24px;
        height: 14px;
        padding: 2px;
        border: 1px solid var(--ac-edge);
        border-radius: 7px;
      }
      .track::before {
        content: '';
        display: block;
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: var(--ac-edge);
        transition: translate 0.12s;
      }
      [aria-checked='true'] .track {
        border-color: var(--ac-accent);
        background: var(--ac-accent);
      }
      [aria-checked='true'] .track::before {
        translate: 10px 0;
        background: var(--ac-on-accent);
      }
      @media (forced-colors: active) {
        .track::before {
          background: ButtonText;
        }
        [aria-checked='true'] .track {
          background: Highlight;
        }
      }
      @container (max-width: 479px) {
        .long {
          display: none;
        }
      }
    `,
  ];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.session, this.session.edits]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { edits } = this.session;
    if (!edits.isReviewOffered) return nothing;
    return html`<button type="button" role="switch" data-ac="edits-review" aria-checked=${edits.isReviewOn}
      aria-label=${t('Review edits before they are applied')} title=${t('On: edits wait until you accept them. Off: they are applied at once.')}
      @click=${() => void edits.setReview(!edits.isReviewOn)}>
      <span class="track"></span> <span>${t('Review')}<span class="long"> ${t('edits')}</span></span>
    </button>`;
  }
}
