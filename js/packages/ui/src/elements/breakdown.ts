/** Element of the context breakdown: tokens of the next request by category and file, limit, cost. */

import { RpcMixin } from '@jupyter-ac/link';
import { t, tNodes, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html as staticHtml } from 'lit/static-html.js';
import { KeepScroll } from '../controllers/keep-scroll.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Breakdown, Category, ItemShare, Share } from '../model/breakdown.ts';
import { LABELS, NAMES } from '../model/context-names.ts';
import { removalOf } from '../model/context-removal.ts';
import { excludedSentence } from '../model/excluded.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { dollars, percent, tokens } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import type { Spend } from '../model/spend.ts';
import { strings } from '../model/wire.ts';
import { breakdownStyles } from '../styles/breakdown.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import { historySize } from './history-size.ts';
import * as icons from './icons.ts';
import { openLocation } from './location-links.ts';
import { requestPart } from './request-part.ts';

const HINTS: Readonly<Partial<Record<Category, string>>> = {
  overhead: t('A few tokens for each message, which keep it apart from the next one'),
};
/** How many things a category has. */
const COUNTED: Readonly<Partial<Record<Category, (count: number) => string>>> = {
  map: (count) => tn('%1 file', '%1 files', count),
  files: (count) => tn('%1 file', '%1 files', count),
  urls: (count) => tn('%1 page', '%1 pages', count),
  review: (count) => tn('%1 part', '%1 parts', count),
  context: (count) => tn('%1 part', '%1 parts', count),
  tools: (count) => tn('%1 part', '%1 parts', count),
  history: (count) => tn('%1 message', '%1 messages', count),
};
/** How many of them have no row of their own. */
const SMALLER: typeof COUNTED = {
  map: (count) => tn('%1 smaller file', '%1 smaller files', count),
  files: (count) => tn('%1 smaller file', '%1 smaller files', count),
  urls: (count) => tn('%1 smaller page', '%1 smaller pages', count),
  review: (count) => tn('%1 smaller part', '%1 smaller parts', count),
  context: (count) => tn('%1 smaller part', '%1 smaller parts', count),
  tools: (count) => tn('%1 smaller part', '%1 smaller parts', count),
  history: (count) => tn('%1 smaller message', '%1 smaller messages', count),
};
const OFTEN_NONE: ReadonlySet<Category> = new Set([
  'overhead',
  'legend',
  'map',
  'urls',
  'review',
  'context',
  'tools',
]);

/** At most this many notices are shown; the others are counted. */
const MAX_NOTICES = 3;
/** At most this many files or pages are listed; the others share one row: thousands of rows would block the page. */
const MAX_ITEMS = 200;

export class AcBreakdown extends RpcMixin(LitElement) {
  static override properties = { session: { attribute: false }, open: { type: Boolean } };
  static override styles = [base, breakdownStyles];

  declare session: Session;
  declare open: boolean;

  constructor() {
    super();
    this.open = true;
    new KeepScroll(this);
    new StoreController(this, () => [
      this.session.breakdown,
      this.session,
      this.session.spend,
      this.session.compaction,
      this.session.urls,
      this.session.selection,
      this.session.files,
      this.session.context,
    ]);
  }

  protected override render(): TemplateResult {
    const { breakdown, error } = this.session.breakdown;
    return html`<div class="breakdown ${this.rpcConnected ? '' : 'stale'}" data-ac="breakdown">
      <h2>
        <button class="title" type="button" aria-expanded=${this.open} @click=${this.#flip}>
          ${this.open ? icons.chevronDown : icons.chevronRight} ${t('Context')} ${breakdown ? total(breakdown) : nothing}
        </button>
      </h2>
      ${breakdown ? bar(breakdown) : nothing} ${breakdown ? notices(breakdown) : nothing}
      ${staticHtml`<${tag.contextView} class="view" .session=${this.session} ?hidden=${!this.open}>${this.#body(breakdown, error)}</${tag.contextView}>`}
    </div>`;
  }

  protected override updated(): void {
    if (this.open && this.session.breakdown.breakdown) requestPart(this, 'context');
  }

  #body(breakdown: Breakdown | null, error: string): TemplateResult {
    return html`<div class="body" ?hidden=${!this.open} tabindex=${breakdown ? '0' : nothing} role="group" aria-label=${t('Parts of the next request')}>
      ${error ? html`<p class="note" role="alert">${t('The context could not be counted: %1', error)}</p>` : nothing}
      ${breakdown ? html`${breakdown.shares.map((share) => this.#share(share, breakdown))}${staticHtml`<${tag.requestSections} .session=${this.session}></${tag.requestSections}>`}${this.#notes(breakdown)}` : nothing}
      ${this.session.spend.spend ? spent(this.session.spend.spend) : nothing}
      ${breakdown || error ? nothing : html`<p class="note muted">${t('Counting …')}</p>`}
    </div>`;
  }

  #share(share: Share, { total }: Breakdown): TemplateResult | typeof nothing {
    const { category, items } = share;
    if (share.tokens === 0 && OFTEN_NONE.has(category)) return nothing;
    return html`
      <div class="row" data-ac="breakdown-row" data-category=${category} data-tokens=${share.tokens}>
        <span class="dot ${category}"></span>
        ${
          category === 'map'
            ? html`<button class="label" type="button" data-ac="map" title=${t('Show the map that the model is sent')} @click=${this.#showMap}>${LABELS.map}</button>`
            : html`<span class="label" title=${HINTS[category] ?? nothing}>${LABELS[category]}</span>`
        }
        <span class="muted detail">${share.count ? COUNTED[category]?.(share.count) : ''}</span>
        <span class="number">${tokens(share.tokens)}</span>
      </div>
      ${category === 'history' ? html`${this.#historySize()}${staticHtml`<${tag.markedTurns} .session=${this.session}></${tag.markedTurns}>`}` : nothing}
      ${repeat(
        items.slice(0, MAX_ITEMS),
        // The same thing may have been sent with several questions.
        ({ path }, index) => (category === 'context' || category === 'tools' ? index : path),
        (item) => this.#item(category, item, total),
      )}
      ${smaller(category, items.slice(MAX_ITEMS))} ${category === 'files' ? this.#unsentNotebooks(items) : nothing}
    `;
  }

  /** Ticked notebooks that aren't sent: their cells say why. */
  #unsentNotebooks(items: readonly ItemShare[]): TemplateResult[] {
    const sent = new Set(items.map(({ path }) => path));
    const unsent = this.session.selection.paths.filter((path) => path.endsWith('.ipynb') && !sent.has(path));
    return unsent.map(
      (path) =>
        html`<div class="row file"><span class="path"><bdi>${escapeInvisible(path)}</bdi></span><span class="muted detail">${t('not sent')}</span></div>${this.#cells(path)}`,
    );
  }

  #cells(path: string): TemplateResult {
    return staticHtml`<${tag.notebookCells} .session=${this.session} .path=${path}></${tag.notebookCells}>`;
  }

  readonly #showMap = (): void => {
    openLocation(this, { path: '', line: 0, col: 0, mapFor: this.session.breakdown.question });
  };

  #historySize(): TemplateResult | typeof nothing {
    const { compaction, status } = this.session;
    return historySize(compaction, status);
  }

  #item(category: Category, item: ItemShare, total: number): TemplateResult {
    const { path, tokens: count, isLeftOver } = item;
    const name = escapeInvisible((category === 'tools' && NAMES[item.name]) || item.name);
    const address = item.name === path ? '' : ` (${escapeInvisible(path)})`;
    const cost = t('%1 tokens, %2 % of the request', tokens(count), Math.round(percent(count, total)));
    return html`<div
      class="row file"
      data-ac="breakdown-row"
      data-category=${category}
      data-path=${path}
      data-tokens=${count}
      title=${`${name}${address}: ${cost}`}
    >
      <span class="path ${address ? 'named' : ''}"><bdi>${name}</bdi></span>
      ${isLeftOver ? html`<span class="muted detail">${t('still sent')}</span>` : nothing}
      <span class="number">${tokens(count)}</span>
      ${this.#removeButton(category, item)}
    </div>
    ${category === 'files' && !isLeftOver && path.endsWith('.ipynb') ? this.#cells(path) : nothing}`;
  }

  #removeButton(category: Category, item: ItemShare): TemplateResult | typeof nothing {
    const removal = removalOf(this.session, category, item);
    if (!removal) return nothing;
    const { verb, isPossible, run } = removal;
    const { isLeftOver, path, name } = item;
    return html`<button
      class="icon-button"
      type="button"
      data-ac=${isLeftOver ? 'trim' : nothing}
      title=${isLeftOver ? t("Take it out of what is sent; the provider's cache is lost from there on") : verb}
      aria-label=${`${verb} ${escapeInvisible(isLeftOver ? path : name)}`}
      ?disabled=${!isPossible}
      @click=${(event: MouseEvent) => {
        // The row disappears: a keyboard user's focus moves to the list.
        if (isLeftOver && event.detail === 0) this.renderRoot.querySelector<HTMLElement>('.body')?.focus();
        run();
      }}
    >
      ${icons.close}
    </button>`;
  }

  #notes(breakdown: Breakdown): TemplateResult {
    const { model } = this.session;
    const { cost, expectedCost, cached, last, imageTokens, isEstimate, tokenizer, session } = breakdown;
    const { excludedCount } = this.session.files;
    return html`<div class="notes muted">
      ${
        cost === null
          ? nothing
          : html`<p>${tNodes('Next request: about %1 for its input', html`<b class="number">${dollars(expectedCost ?? cost)}</b>`)}${
              cached
                ? html`${tNodes(', with %1 tokens from the cache', html`<span class="number">${tokens(cached)}</span>`)}`
                : nothing
            }</p>`
      }
      ${last ? html`<p>${tNodes('Last turn, as the provider counted: %1 in, %2 of them from the cache', html`<span class="number">${tokens(last.input)}</span>`, html`<span class="number">${tokens(last.cached)}</span>`)}</p>` : nothing}
      ${
        session.total
          ? html`<p>${tNodes('So far: %1 tokens%2', html`<span class="number">${tokens(session.total)}</span>`, session.cost === null ? '' : `, ${dollars(session.cost)}`)}</p>`
          : nothing
      }
      ${imageTokens ? html`<p>${tNodes('Its images: about %1 tokens more', html`<span class="number">${tokens(imageTokens)}</span>`)}</p>` : nothing}
      ${isEstimate ? html`<p>${t('Counted with %1: an estimate for this model.', tokenizer)}</p>` : nothing}
      ${excludedCount ? html`<p data-ac="breakdown-excluded">${excludedSentence(excludedCount)}</p>` : nothing}
      ${model.isDemo ? html`<p>${t('The demo model reads only a short part of each file.')}</p>` : nothing}
    </div>`;
  }

  readonly #flip = (): void => {
    this.open = !this.open;
    this.dispatchEvent(new CustomEvent('ac-fold', { detail: this.open }));
  };
}

function total({ total, max }: Breakdown): TemplateResult {
  return html`<span
    class="total number ${max && total > 0.9 * max ? 'over' : ''}"
    data-ac="breakdown-total"
    data-tokens=${total}
    title=${t("Tokens of the next request, and the model's limit")}
    >${tokens(total)}${max ? html`<span class="muted"> / ${tokens(max)}</span>` : nothing}</span
  >`;
}

/** One row for the items without a row of their own, which are the smallest. */
function smaller(category: Category, items: readonly ItemShare[]): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing;
  const sum = items.reduce((before, item) => before + item.tokens, 0);
  return html`<div class="row file">
    <span class="path">${SMALLER[category]?.(items.length)}</span>
    <span class="number">${tokens(sum)}</span>
  </div>`;
}

/** Warnings; shown also while the breakdown is folded, since likely secrets must be noticed before sending. */
function notices({ notices: sent, warning, raw }: Breakdown): TemplateResult {
  const plain = strings(raw.plain_notices);
  const notices = warning && !sent.includes(warning) ? [warning, ...sent] : sent;
  const more = notices.length - MAX_NOTICES;
  return html`<div class="notices" role="status">
    ${notices.slice(0, MAX_NOTICES).map((notice) => html`<p class=${plain.includes(notice) ? 'plain' : ''}>${plain.includes(notice) ? icons.info : icons.warning} <span>${notice}</span></p>`)}
    ${more > 0 ? html`<p>${t('… and %1 more.', more)}</p>` : nothing}
  </div>`;
}

function spent({ session, today, repository, unpriced }: Spend): TemplateResult | typeof nothing {
  if (!session && !today && !repository && !unpriced) return nothing;
  const sum = (label: string, amount: number | null) =>
    html`<dt>${label}</dt><dd class="number">${amount === null ? '–' : dollars(amount)}</dd>`;
  return html`<div class="spend muted" data-ac="spend">
    <p>${t('Spent so far')}</p>
    <dl>
      ${sum(t('This conversation'), session)} ${sum(t('Today'), today)} ${sum(t('This repository'), repository)}
    </dl>
    ${unpriced ? html`<p>${t("Without %1 whose price isn't known.", tn('%1 answer', '%1 answers', unpriced))}</p>` : nothing}
  </div>`;
}

function bar({ shares, total, max }: Breakdown): TemplateResult {
  const whole = Math.max(max, total);
  const words = shares.map((share) => `${LABELS[share.category]} ${tokens(share.tokens)}`).join(', ');
  return html`<div class="bar" role="img" aria-label=${words}>
    ${shares.map((share) => html`<span class=${share.category} style="width:${percent(share.tokens, whole)}%"></span>`)}
  </div>`;
}
