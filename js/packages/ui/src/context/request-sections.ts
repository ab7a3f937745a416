/** Element of the next request by sections (start, turns, new part), with the parts served from the provider's cache. */

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { Breakdown, LastRequest, TierItem } from '../model/breakdown.ts';
import { NAMES } from '../model/context-names.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { percent, plural, tokens } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import { breakdownStyles } from '../styles/breakdown.ts';
import { base } from '../styles/tokens.ts';
import { type RequestSection, requestSections } from './grouped-blocks.ts';
import { requestStyles } from './request-styles.ts';

/** Limits of the items per section and of the sections shown; the others are counted. */
const MAX_ITEMS = 100;
const MAX_SECTIONS = 30;
const CACHED = 'Read from the cache in the last request';
export class AcRequestSections extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, breakdownStyles, requestStyles];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.session.breakdown]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { breakdown } = this.session.breakdown;
    return breakdown ? requestTemplate(breakdown) : nothing;
  }
}

function requestTemplate(breakdown: Breakdown): TemplateResult | typeof nothing {
  const parts = requestSections(breakdown);
  if (!parts.length) return nothing;
  const { last, demotions } = breakdown;
  const hidden = parts.slice(1, Math.max(1, parts.length - MAX_SECTIONS));
  return html`<details class="request" data-ac="request">
    <summary class="row">
      <span class="twist">${icons.chevronRight}</span>
      <span class="label">How it is sent</span>
      ${last ? lastTemplate(last) : nothing}
    </summary>
    <details class="help muted" data-ac="request-help">
      <summary class="row"><span class="mark" aria-hidden="true">?</span> What is this?</summary>
      <p>The parts go out from top to bottom, and what is new stands last. As long as a request begins like the one
        before, the provider can read that beginning from its cache, which is cheaper; ${icons.check} marks what it
        read so last time.</p>
    </details>
    ${parts.slice(0, 1).map(sectionTemplate)} ${earlier(hidden)}
    ${parts.slice(1 + hidden.length).map(sectionTemplate)}
    ${demotions.map((move) => html`<p class="move muted" data-ac="demotion">Sent again or no longer sent: ${namesIn(move)}</p>`)}
  </details>`;
}

function lastTemplate({ isHit, input, cached }: LastRequest): TemplateResult | typeof nothing {
  if (isHit === null) return nothing;
  const words = isHit ? `${Math.round(percent(cached, input))} % cached` : 'not cached';
  const title = `Of the last turn's ${tokens(input)} tokens the provider's cache served ${tokens(cached)}`;
  return html`<span class="chip ${isHit ? 'good' : ''}" data-ac="cache-result" data-result=${isHit ? 'hit' : 'miss'}
    title=${title}>last: ${words}</span>`;
}

/** Strips the tier names from the server's sentence: the moved blocks follow the dash. */
function namesIn(move: string): string {
  const at = move.indexOf(' — ');
  return at < 0 ? move : move.slice(at + 3);
}

function earlier(parts: readonly RequestSection[]): TemplateResult | typeof nothing {
  if (!parts.length) return nothing;
  const sum = parts.reduce((before, part) => before + part.tokens, 0);
  return html`<div class="row file">
    <span class="path">${plural(parts.length, 'earlier turn')}</span><span class="number">${tokens(sum)}</span>
  </div>`;
}

function sectionTemplate(part: RequestSection): TemplateResult {
  const { kind, items, cachedTokens } = part;
  const isCached = cachedTokens > 0 && cachedTokens >= part.tokens;
  return html`<details data-ac="request-part" data-kind=${kind} data-tokens=${part.tokens} data-cached=${isCached}>
    <summary class="row">
      <span class="twist">${icons.chevronRight}</span>
      <span class="part" title=${titleOf(part)}>${titleOf(part)}</span>
      ${isCached ? cachedMark() : nothing}
      <span class="number">${tokens(part.tokens)}</span>
    </summary>
    ${items.slice(0, MAX_ITEMS).map(itemTemplate)}
    ${items.length > MAX_ITEMS ? html`<p class="move muted">… and ${plural(items.length - MAX_ITEMS, 'more')}.</p>` : nothing}
  </details>`;
}

function titleOf({ kind, number, title }: RequestSection): string {
  if (kind === 'start') return 'Instructions and map';
  if (kind === 'summary') return 'Summary of earlier turns';
  if (kind === 'next') return title ? `New: ${title}` : 'New in this request';
  return title ? `Turn ${number}: ${title}` : `Turn ${number}`;
}

function itemTemplate(item: TierItem): TemplateResult {
  if (item.name === 'summary' && item.text) return summaryTemplate(item);
  const shown = escapeInvisible(item.path || (NAMES[item.name] ?? item.name));
  const times = item.age ? `sent in ${plural(item.age, 'request')} so far` : 'not sent before';
  return html`<div class="row file" data-ac="request-item" data-path=${item.path || nothing} data-cached=${item.isCached}
    title=${`${shown}: ${times}`}>
    <span class="path"><bdi>${shown}</bdi></span>
    ${item.isCached ? cachedMark() : nothing}
    <span class="number">${tokens(item.tokens)}</span>
  </div>`;
}

/** The summary that replaces earlier turns. */
function summaryTemplate({ text, tokens: count }: TierItem): TemplateResult {
  return html`<details class="summary" data-ac="request-summary">
    <summary class="row file">
      <span class="path">Read the summary</span><span class="number">${tokens(count)}</span>
    </summary>
    <p>${text}</p>
  </details>`;
}

function cachedMark(): TemplateResult {
  return html`<span class="cached" role="img" aria-label=${CACHED} title=${CACHED}>${icons.check}</span>`;
}
