/** What the user has taken out of the conversation, or pinned: rows of the list, entries of the drawing's key. */

import type { MarkedTotals } from '@jupyter-ac/link/rpc';
import { tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import type { Breakdown } from '../model/breakdown.ts';
import { grouped, tokens } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import { fields, number } from '../model/wire.ts';
import { breakdownStyles } from '../styles/breakdown.ts';
import { base } from '../styles/tokens.ts';

/** Turns with the same mark. */
export interface MarkedGroup {
  readonly mark: 'excluded' | 'pinned';
  readonly tokens: number;
  readonly label: string;
  /** The same with what it does, as a sentence. */
  readonly sentence: string;
}

/** Those that there are. */
export function markedGroups({ raw }: Pick<Breakdown, 'raw'>): MarkedGroup[] {
  const totals = fields<MarkedTotals>(raw.marked);
  const [excluded, pinned] = [number(totals.excluded), number(totals.pinned)];
  const [freed, kept] = [number(totals.excluded_tokens), number(totals.pinned_tokens)];
  const groups: MarkedGroup[] = [];
  if (excluded)
    groups.push({
      ...{ mark: 'excluded', tokens: -freed },
      label: tn('%1 turn not sent', '%1 turns not sent', excluded),
      sentence: tn(
        '%1 turn is not sent, so that each request has %2 tokens less. Show it.',
        '%1 turns are not sent, so that each request has %2 tokens less. Show them.',
        excluded,
        grouped(freed),
      ),
    });
  if (pinned)
    groups.push({
      ...{ mark: 'pinned', tokens: kept },
      label: tn('%1 turn pinned', '%1 turns pinned', pinned),
      sentence: tn(
        '%1 turn with %2 tokens is pinned: compactions keep it word for word. Show it.',
        '%1 turns with %2 tokens are pinned: compactions keep them word for word. Show them.',
        pinned,
        grouped(kept),
      ),
    });
  return groups;
}

/** A button that shows the turns of a group in the conversation's menu. */
export function markedButton({ mark, label, sentence }: MarkedGroup): TemplateResult {
  return html`<button class="marks" type="button" data-ac="marked-turns" data-context=${mark} title=${sentence}
    aria-label=${sentence} @click=${showMarks}>${label}</button>`;
}

/** Tokens that are missing have a minus. */
export function signed(count: number, format: (count: number) => string): string {
  return count < 0 ? `−${format(-count)}` : format(count);
}

function showMarks(event: Event): void {
  event.currentTarget?.dispatchEvent(new CustomEvent('ac-marks', { bubbles: true, composed: true }));
}

export const marksStyles = css`
  .marks {
    min-width: 0;
    border-radius: 3px;
    color: var(--ac-accent);
    text-align: left;
  }
  .marks:hover {
    text-decoration: underline;
  }
`;

export class AcMarkedTurns extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [
    base,
    breakdownStyles,
    marksStyles,
    css`
      :host {
        height: auto;
      }
    `,
  ];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.session.breakdown]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { breakdown } = this.session.breakdown;
    if (!breakdown) return nothing;
    return html`${markedGroups(breakdown).map(
      (
        group,
      ) => html`<div class="row file" data-ac="marked-total" data-context=${group.mark} data-tokens=${group.tokens}>
        ${markedButton(group)}<span class="number">${signed(group.tokens, tokens)}</span>
      </div>`,
    )}`;
  }
}
