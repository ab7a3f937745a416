/** Element of the next request by sections (start, turns, new part), with the parts served from the provider's cache. */

import { t, tNodes, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { Breakdown, LastRequest, TierItem } from '../model/breakdown.ts';
import { NAMES } from '../model/context-names.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { percent, tokens } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import { breakdownStyles } from '../styles/breakdown.ts';
import { base } from '../styles/tokens.ts';
import { type RequestSection, requestSections } from './grouped-blocks.ts';
import { requestStyles } from './request-styles.ts';

/** Limits of the items per section and of the sections shown; the others are counted. */
const MAX_ITEMS = 100;
const MAX_SECTIONS = 30;
const CACHED = t('Read from the cache in the last request');
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
      <span class="label">${t('How it is sent')}</span>
      ${last ? lastTemplate(last) : nothing}
    </summary>
    <details class="help muted" data-ac="request-help">
      <summary class="row"><span class="mark" aria-hidden="true">?</span> ${t('What is this?')}</summary>
      <p>${tNodes('The parts go out from top to bottom, and what is new stands last. As long as a request begins like the one before, the provider can read that beginning from its cache, which is cheaper; %1 marks what it read so last time.', icons.check)}</p>
    </details>
    ${parts.slice(0, 1).map(sectionTemplate)} ${earlier(hidden)}
    ${parts.slice(1 + hidden.length).map(sectionTemplate)}
    ${demotions.map((move) => html`<p class="move muted" data-ac="demotion">${t('Sent again or no longer sent: %1', namesIn(move))}</p>`)}
  </details>`;
}

function lastTemplate({ isHit, input, cached }: LastRequest): TemplateResult | typeof nothing {
  if (isHit === null) return nothing;
  const words = isHit ? t('%1 % cached', Math.round(percent(cached, input))) : t('not cached');
  const title = t(
    "Of the last turn's %1 tokens the provider's cache served %2",
    tokens(input),
    tokens(cached),
  );
  return html`<span class="chip ${isHit ? 'good' : ''}" data-ac="cache-result" data-result=${isHit ? 'hit' : 'miss'}
    title=${title}>${t('last: %1', words)}</span>`;
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
    <span class="path">${tn('%1 earlier turn', '%1 earlier turns', parts.length)}</span><span class="number">${tokens(sum)}</span>
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
    ${items.length > MAX_ITEMS ? html`<p class="move muted">${t('… and %1.', tn('%1 more', '%1 mores', items.length - MAX_ITEMS))}</p>` : nothing}
  </details>`;
}

function titleOf({ kind, number, title }: RequestSection): string {
  if (kind === 'start') return t('Instructions and map');
  if (kind === 'summary') return t('Summary of earlier turns');
  if (kind === 'next') return title ? t('New: %1', title) : t('New in this request');
  return title ? t('Turn %1: %2', number, title) : t('Turn %1', number);
}

function itemTemplate(item: TierItem): TemplateResult {
  if (item.name === 'summary' && item.text) return summaryTemplate(item);
  const shown = escapeInvisible(item.path || (NAMES[item.name] ?? item.name));
  const times = item.age
    ? t('sent in %1 so far', tn('%1 request', '%1 requests', item.age))
    : t('not sent before');
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
      <span class="path">${t('Read the summary')}</span><span class="number">${tokens(count)}</span>
    </summary>
    <p>${text}</p>
  </details>`;
}

function cachedMark(): TemplateResult {
  return html`<span class="cached" role="img" aria-label=${CACHED} title=${CACHED}>${icons.check}</span>`;
}
