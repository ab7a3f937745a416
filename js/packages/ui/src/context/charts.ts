/** Charts of the context: bar by category, bands of the cache, spending by day. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Breakdown } from '../model/breakdown.ts';
import { LABELS } from '../model/context-names.ts';
import { dollars, grouped, percent, tokens } from '../model/format.ts';
import { type CacheBand, lastBand, lastSentence, nextBand, nextSentence } from './cache-sentences.ts';
import type { DayTotal } from './context-details.ts';

/** A segment that is wider than this has room for its label. */
const LABEL_PERCENT = 16;

/** The request beside the model's limit. */
export function categoryBar({ shares, total, max }: Breakdown): TemplateResult {
  const whole = Math.max(max, total, 1);
  const shown = shares.filter((share) => share.tokens > 0);
  const words = shown
    .map(({ category, tokens: count }) => `${LABELS[category]} ${grouped(count)}`)
    .join(', ');
  const used = Math.round(percent(total, whole));
  return html`<figure>
    <figcaption>${
      max
        ? html`The request takes <b>${used < 1 ? 'less than 1' : used} %</b> of the ${grouped(max)} tokens that the model can read.`
        : 'How many tokens the model can read isn’t known.'
    }</figcaption>
    <div class="bar" role="img" data-ac="context-bar" aria-label=${`${words}: ${grouped(total)} tokens`}>
      ${shown.map(({ category, tokens: count }) => {
        const share = percent(count, whole);
        const title = `${LABELS[category]}: ${grouped(count)} tokens`;
        return html`<span class="segment ${category}" style="width:${share}%" title=${title}
          >${share > LABEL_PERCENT ? LABELS[category] : nothing}</span>`;
      })}
    </div>
    <ul class="key">
      ${shown.map(
        ({ category, tokens: count }) =>
          html`<li><span class="dot ${category}"></span>${LABELS[category]} <span class="number muted">${grouped(count)}</span></li>`,
      )}
    </ul>
  </figure>`;
}

/** What the provider's cache served of the last request, and what it is likely to serve of the next one. */
export function cacheBands(breakdown: Breakdown): TemplateResult {
  const { last } = breakdown;
  const next = nextBand(breakdown);
  return html`<figure data-ac="cache-bands">
    ${last && last.isHit !== null ? band('Last request', lastBand(last)) : nothing} ${band('Next request', next)}
    <ul class="key">
      <li><span class="swatch read"></span>from the cache, about a tenth of the price</li>
      ${last?.written ? html`<li><span class="swatch written"></span>read anew and put into the cache</li>` : nothing}
      <li><span class="swatch fresh"></span>read anew, full price</li>
    </ul>
    <p>${lastSentence(last)}</p>
    <p>${nextSentence(breakdown)}</p>
    <details>
      <summary>What is this cache?</summary>
      <p>A model remembers nothing: each question sends everything again. Providers keep the beginning of a request for
        some minutes. If the next request begins with exactly the same text, they don’t read it again and charge less.
        So what changes often stands at the end, and taking out something old makes the rest more expensive once.</p>
    </details>
  </figure>`;
}

function band(label: string, { read, written, fresh }: CacheBand): TemplateResult {
  const whole = Math.max(1, read + written + fresh);
  const words = `${label}: ${grouped(read)} tokens from the cache, ${grouped(written)} put into it, ${grouped(fresh)} read anew`;
  const part = (kind: string, count: number) =>
    count ? html`<span class=${kind} style="width:${percent(count, whole)}%"></span>` : nothing;
  return html`<div class="band-row">
    <span class="band-label">${label}</span>
    <div class="band" role="img" aria-label=${words} title=${words}>
      ${part('read', read)} ${part('written', written)} ${part('fresh', fresh)}
    </div>
    <span class="number muted">${tokens(read)} / ${tokens(whole)}</span>
  </div>`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** @param inDollars dollars; tokens otherwise */
export function dayChart(days: readonly DayTotal[], inDollars: boolean): TemplateResult {
  const amount = (day: DayTotal): number => (inDollars ? (day.usd ?? 0) : day.tokens);
  const said = (day: DayTotal): string =>
    inDollars ? (day.usd === null ? 'no known price' : dollars(day.usd)) : `${grouped(day.tokens)} tokens`;
  const most = Math.max(...days.map(amount), 0);
  const sum = days.reduce((before, day) => before + amount(day), 0);
  const total = inDollars ? dollars(sum) : `${grouped(sum)} tokens`;
  const used = days.filter(({ answers }) => answers > 0);
  return html`<figure>
    <div class="days" role="img" data-ac="spend-chart"
      aria-label=${`Spending in this repository in the last ${days.length} days: ${total} in all.`}>
      ${days.map((day) => {
        const title = day.answers
          ? `${dayName(day)}: ${said(day)}, ${day.answers} answers`
          : `${dayName(day)}: nothing`;
        return html`<span class="day" title=${title}><span style="height:${percent(amount(day), most)}%"></span></span>`;
      })}
    </div>
    <div class="axis muted"><span>${dayName(days[0])}</span><span>most on one day: ${
      inDollars ? dollars(most) : grouped(most)
    }</span><span>${dayName(days.at(-1))}</span></div>
    <details>
      <summary>As a table</summary>
      ${
        used.length
          ? html`<table data-ac="spend-table">
              <thead><tr><th>Day</th><th>Answers</th><th>Tokens</th><th>From the cache</th><th>Price</th></tr></thead>
              <tbody>${used.map(
                (
                  day,
                ) => html`<tr><th scope="row">${dayName(day)}</th><td>${grouped(day.answers)}</td><td>${grouped(day.tokens)}</td>
                  <td>${grouped(day.cached)}</td><td>${day.usd === null ? '–' : dollars(day.usd)}</td></tr>`,
              )}</tbody>
            </table>`
          : html`<p>Nothing was asked in these days.</p>`
      }
    </details>
  </figure>`;
}

function dayName(day: DayTotal | undefined): string {
  return day ? DAY.format(new Date(`${day.day}T12:00`)) : '';
}
