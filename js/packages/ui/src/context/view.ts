/** Element around the list of the context: tabs for the list, the drawing, the changes and the spending. */

import { tagOf } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { localStore } from '@jupyter-ac/page';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import { openLocation } from '../elements/location-links.ts';
import type { Breakdown, Category } from '../model/breakdown.ts';
import { removalOf } from '../model/context-removal.ts';
import { dollars, grouped, percent } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { changesTemplate } from './changes.ts';
import { cacheBands, categoryBar, dayChart } from './charts.ts';
import { ContextDetails, everyDay } from './context-details.ts';
import { reasonOf } from './reasons.ts';
import { pathTo, type RequestPart, requestParts } from './request-parts.ts';
import { viewStyles } from './styles.ts';

type Tab = 'list' | 'drawing' | 'changes' | 'spending';

const TABS: readonly (readonly [Tab, string])[] = [
  ['list', t('List')],
  ['drawing', t('Drawing')],
  ['changes', t('Changes')],
  ['spending', t('Spending')],
];
const VIEW_NAMES: Readonly<Record<Tab, string>> = {
  list: t('The context as a list'),
  drawing: t('The context as a drawing'),
  changes: t('What has changed since the last request'),
  spending: t('What requests have cost'),
};
const KEY = 'jupyter-ac.context-tab';
/** At most this many rows of the table alternative are rendered. */
const MAX_ROWS = 1000;
const icicle = unsafeStatic(tagOf('ac-icicle'));

export class AcContextView extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, viewStyles];

  declare session: Session;
  #tab: Tab = storedTab();
  /** Id of the part whose details are shown. */
  #active = '';
  #inDollars = true;
  #isTableOpen = false;
  #details: ContextDetails | null = null;
  #detailsOf: Session | null = null;

  constructor() {
    super();
    new StoreController(this, () => {
      const { breakdown, selection, spend, compaction, context, urls } = this.session;
      return [this.session, breakdown, selection, spend, compaction, context, urls, this.details];
    });
  }

  get details(): ContextDetails {
    if (!this.#details || this.#detailsOf !== this.session) {
      this.#details = new ContextDetails(this.session.rpc);
      this.#detailsOf = this.session;
    }
    return this.#details;
  }

  protected override render(): TemplateResult {
    return html`<div class="tabs" role="group" aria-label=${t('Views of the context')}>
        ${TABS.map(
          ([tab, name]) => html`<button
            type="button"
            data-ac="context-tab"
            data-tab=${tab}
            aria-pressed=${tab === this.#tab}
            @click=${() => this.#open(tab)}
          >${name}</button>`,
        )}
      </div>
      <slot ?hidden=${this.#tab !== 'list'}></slot>
      ${
        this.#tab === 'list'
          ? nothing
          : html`<div class="shown" role="region" tabindex="0" data-ac="context-view" data-tab=${this.#tab}
              aria-label=${VIEW_NAMES[this.#tab]}>${this.#shown()}</div>`
      }`;
  }

  protected override updated(): void {
    const { breakdown } = this.session.breakdown;
    if (this.#tab !== 'drawing' || !breakdown) return;
    const share = (wanted: Category) => breakdown.shares.find(({ category }) => category === wanted);
    const files = share('files')?.items ?? [];
    const ticked = files.filter(({ path }) => this.session.selection.has(path));
    void this.details.countSymbols(ticked, share('map')?.tokens ?? 0);
  }

  #shown(): TemplateResult | typeof nothing {
    if (this.#tab === 'spending') return this.#spending();
    const { breakdown, error } = this.session.breakdown;
    if (error) return html`<p role="alert">${t('The context could not be counted: %1', error)}</p>`;
    if (!breakdown) return html`<p class="muted">${t('Counting …')}</p>`;
    return this.#tab === 'changes' ? changesTemplate(breakdown) : this.#drawing(breakdown);
  }

  #drawing(breakdown: Breakdown): TemplateResult {
    const root = requestParts(breakdown, this.details.symbols);
    const part = pathTo(root, this.#active).at(-1) ?? root;
    return html`${categoryBar(breakdown)}
      <section aria-label=${t('Parts by size')}>
        <h3>${t('By file and symbol')}</h3>
        ${staticHtml`<${icicle} .root=${root} .active=${part.id} @ac-part-shown=${this.#onPart}></${icicle}>`}
        ${this.#detail(part, breakdown.total)}
        ${this.details.error ? html`<p class="muted" role="status">${t('The symbols could not be counted: %1', this.details.error)}</p>` : nothing}
        <details @toggle=${this.#onTable}>
          <summary>${t('As a table')}</summary>
          ${this.#isTableOpen ? table(root) : nothing}
        </details>
      </section>
      <h3>${t('What the cache saves')}</h3>
      ${cacheBands(breakdown)}`;
  }

  /** What a part is, why it is sent, and how to take it out. */
  #detail(part: RequestPart, total: number): TemplateResult {
    const { kind, label, item, line, symbolKind, tokens, category } = part;
    const share = percent(tokens, total);
    const removal = item ? removalOf(this.session, category, item) : null;
    const isFile = category === 'files' && item !== null;
    return html`<div class="detail" data-ac="context-detail" aria-live="polite">
      <p><b><bdi>${label}</bdi></b>${symbolKind ? html` <span class="muted">${symbolKind}</span>` : nothing}</p>
      <p class="number">${t('%1 tokens, %2 % of the request', grouped(tokens), share < 1 ? t('less than 1') : Math.round(share))}</p>
      <p class="muted" data-ac="context-reason">${reasonOf(this.session, part)}</p>
      <div class="actions">
        ${
          isFile
            ? html`<button class="button" type="button" data-ac="context-open"
                @click=${() => openLocation(this, { path: item.path, line, col: 0 })}>${t('Open')}</button>`
            : nothing
        }
        ${
          removal
            ? html`<button class="button" type="button" data-ac="context-remove" ?disabled=${!removal.isPossible}
                @click=${() => removal.run()}>${kind === 'symbol' ? removal.verbOfFile : removal.verb}</button>`
            : nothing
        }
        ${category === 'history' && kind !== 'request' ? this.#compactButton() : nothing}
      </div>
    </div>`;
  }

  #compactButton(): TemplateResult | typeof nothing {
    const { compaction, status } = this.session;
    if (!compaction.canCompact) return nothing;
    const isBusy = compaction.size?.isCompacting === true || status !== 'ready';
    return html`<button class="button" type="button" data-ac="context-summarise" ?disabled=${isBusy}
      title=${isBusy ? t('Not while an answer is being made') : t('Older messages are replaced by a short summary')}
      @click=${() => void compaction.compact()}>${t('Summarise older messages')}</button>`;
  }

  #spending(): TemplateResult {
    const { breakdown, spend } = this.session;
    const { days } = this.details;
    const next = breakdown.breakdown;
    const cost = next ? (next.expectedCost ?? next.cost) : null;
    const sum = (label: string, usd: number | null | undefined) =>
      html`<dt>${label}</dt><dd class="number">${usd === null || usd === undefined ? '–' : dollars(usd)}</dd>`;
    return html`<dl class="sums">
        ${sum(t('Next request, about'), cost)} ${sum(t('This conversation'), spend.spend?.session)}
        ${sum(t('Today'), spend.spend?.today)} ${sum(t('This repository'), spend.spend?.repository)}
        <dt>${t('Tokens of this conversation')}</dt>
        <dd class="number">${grouped(next?.session.total ?? 0)}</dd>
      </dl>
      <h3>${t('The last 30 days in this repository')}</h3>
      <div class="switch" role="group" aria-label=${t('Unit of the chart')}>
        <button type="button" data-ac="spend-unit" aria-pressed=${this.#inDollars} @click=${() => this.#setUnit(true)}>${t('Dollars')}</button>
        <button type="button" data-ac="spend-unit" aria-pressed=${!this.#inDollars} @click=${() => this.#setUnit(false)}>${t('Tokens')}</button>
      </div>
      ${days ? dayChart(everyDay(days, new Date()), this.#inDollars) : html`<p class="muted">${this.details.error || t('Loading …')}</p>`}`;
  }

  readonly #onPart = (event: CustomEvent<string>): void => {
    this.#active = event.detail;
    this.requestUpdate();
  };

  readonly #onTable = (event: Event): void => {
    this.#isTableOpen = (event.target as HTMLDetailsElement).open;
    this.requestUpdate();
  };

  #setUnit(inDollars: boolean): void {
    this.#inDollars = inDollars;
    this.requestUpdate();
  }

  #open(tab: Tab): void {
    this.#tab = tab;
    try {
      localStore()?.setItem(KEY, tab);
    } catch {
      // The storage is full or forbidden: it holds for this page.
    }
    if (tab === 'spending') void this.details.loadDays();
    this.requestUpdate();
  }

  protected override firstUpdated(): void {
    if (this.#tab === 'spending') void this.details.loadDays();
  }
}

function storedTab(): Tab {
  const stored = localStore()?.getItem(KEY);
  return TABS.find(([tab]) => tab === stored)?.[0] ?? 'list';
}

/** The drawing as a table, for those who can't or don't want to see it. */
function table(root: RequestPart): TemplateResult {
  const rows: { part: RequestPart; level: number }[] = [];
  const add = (part: RequestPart, level: number): void => {
    rows.push({ part, level });
    for (const child of part.children) add(child, level + 1);
  };
  add(root, 0);
  return html`<table data-ac="context-table">
      <thead><tr><th>${t('Part')}</th><th>${t('Tokens')}</th><th>${t('Share')}</th></tr></thead>
      <tbody>
        ${rows.slice(0, MAX_ROWS).map(
          ({
            part,
            level,
          }) => html`<tr><th scope="row" style=${`padding-left:${level * 12}px`}>${part.label}</th>
            <td>${grouped(part.tokens)}</td><td>${percent(part.tokens, root.tokens).toFixed(1)} %</td></tr>`,
        )}
      </tbody>
    </table>
    ${rows.length > MAX_ROWS ? html`<p class="muted">${t('… and %1 more.', grouped(rows.length - MAX_ROWS))}</p>` : nothing}`;
}
