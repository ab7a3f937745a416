/** The next request by the age of what it holds: what is likely to be read from the provider's cache. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Breakdown, LastRequest, Tier, TierItem } from '../model/breakdown.ts';
import { percent, plural, tokens } from '../model/format.ts';
import { legible } from '../model/places.ts';
import * as icons from './icons.ts';

/** More items than this are counted instead of shown. */
const ITEMS = 100;
const CACHED = 'Read from the cache in the last request';

export function tiersTemplate({
  tiers,
  last,
  promotions,
  demotions,
}: Breakdown): TemplateResult | typeof nothing {
  if (!tiers.length) return nothing;
  return html`<div class="tiers" data-ac="tiers" role="group" aria-label="Cache tiers">
    <p class="muted tiers-head">Cache tiers ${last ? lastTemplate(last) : nothing}</p>
    ${tiers.map(tierTemplate)}
    ${promotions.map((move) => html`<p class="move muted" data-ac="promotion"><span title="Older than at the last request">↑</span> ${move}</p>`)}
    ${demotions.map((move) => html`<p class="move muted" data-ac="demotion"><span title="Goes out anew, or no more">↓</span> ${move}</p>`)}
  </div>`;
}

function lastTemplate({ isHit, input, cached }: LastRequest): TemplateResult | typeof nothing {
  if (isHit === null) return nothing;
  const words = isHit ? `hit ${Math.round(percent(cached, input))} %` : 'miss';
  const title = `Of the last turn's ${tokens(input)} tokens the provider's cache served ${tokens(cached)}`;
  return html`<span class="chip ${isHit ? 'good' : ''}" data-ac="cache-result" data-result=${isHit ? 'hit' : 'miss'}
    title=${title}>last request: ${words}</span>`;
}

function tierTemplate(tier: Tier): TemplateResult {
  const { items, cachedTokens } = tier;
  const isCached = cachedTokens >= tier.tokens && tier.tokens > 0;
  const part = isCached
    ? 'cached'
    : cachedTokens
      ? `${Math.round(percent(cachedTokens, tier.tokens))} % cached`
      : '';
  return html`<details data-ac="tier" data-tier=${tier.tier} data-tokens=${tier.tokens} data-cached=${isCached}>
    <summary class="row">
      <span class="twist">${icons.chevronRight}</span>
      <span class="label">${tier.tier === 'active' ? 'Active' : tier.tier}</span>
      <span class="muted detail">${[tier.name === tier.tier ? '' : tier.name, plural(items.length, 'item'), part].filter(Boolean).join(' · ')}</span>
      <span class="number">${tokens(tier.tokens)}</span>
    </summary>
    ${items.slice(0, ITEMS).map(itemTemplate)}
    ${items.length > ITEMS ? html`<p class="move muted">… and ${plural(items.length - ITEMS, 'more item')}.</p>` : nothing}
  </details>`;
}

function itemTemplate({ name, path, tokens: count, age, threshold, isCached }: TierItem): TemplateResult {
  const shown = legible(path || name);
  const wait = threshold === null ? '' : `; the next tier is for those of ${threshold}`;
  const words = `Sent in ${plural(age, 'request')}${wait}`;
  return html`<div class="row file" data-ac="tier-item" data-path=${path || nothing} data-cached=${isCached}>
    <span class="path" title=${shown}><bdi>${shown}</bdi></span>
    ${isCached ? html`<span class="cached" role="img" aria-label=${CACHED} title=${CACHED}>${icons.check}</span>` : nothing}
    <span class="muted detail" title=${words}><span aria-label=${words} role="img">${threshold === null ? `${age}×` : `${age}/${threshold}`}</span></span>
    <span class="number">${tokens(count)}</span>
  </div>`;
}
