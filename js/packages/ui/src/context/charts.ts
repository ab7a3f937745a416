/** Charts of the context: bar by category, bands of the cache, spending by day. */

import { t, tNodes, tn } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import type { Breakdown } from '../model/breakdown.ts';
import { LABELS } from '../model/context-names.ts';
import { day as dayOfMonth, dollars, grouped, percent, tokens } from '../model/format.ts';
import { type CacheBand, lastBand, lastSentence, nextBand, nextSentence } from './cache-sentences.ts';
import type { DayTotal } from './context-details.ts';
import { markedButton, markedGroups, signed } from './marked-turns.ts';

/** A segment that is wider than this has room for its label. */
const LABEL_PERCENT = 16;

/** The request beside the model's limit. */
export function categoryBar(breakdown: Breakdown): TemplateResult {
  const { shares, total, max } = breakdown;
  const whole = Math.max(max, total, 1);
  const shown = shares.filter((share) => share.tokens > 0);
  const words = shown
    .map(({ category, tokens: count }) => `${LABELS[category]} ${grouped(count)}`)
    .join(', ');
  const used = Math.round(percent(total, whole));
  return html`<figure>
    <figcaption>${
      max
        ? tNodes(
            'The request takes %1 of the %2 tokens that the model can read.',
            html`<b>${used < 1 ? t('less than 1') : used} %</b>`,
            grouped(max),
          )
        : t('How many tokens the model can read isn’t known.')
    }</figcaption>
    <div class="bar" role="img" data-ac="context-bar" aria-label=${t('%1: %2 tokens', words, grouped(total))}>
      ${shown.map(({ category, tokens: count }) => {
        const share = percent(count, whole);
        const title = t('%1: %2 tokens', LABELS[category], grouped(count));
        return html`<span class="segment ${category}" style="width:${share}%" title=${title}
          >${share > LABEL_PERCENT ? LABELS[category] : nothing}</span>`;
      })}
    </div>
    <ul class="key">
      ${shown.map(
        ({ category, tokens: count }) =>
          html`<li><span class="dot ${category}"></span>${LABELS[category]} <span class="number muted">${grouped(count)}</span></li>`,
      )}
      ${markedGroups(breakdown).map(
        (group) =>
          html`<li><span class="dot ${group.mark}"></span>${markedButton(group)} <span class="number muted">${signed(group.tokens, grouped)}</span></li>`,
      )}
    </ul>
  </figure>`;
}

/** What the provider's cache served of the last request, and what it is likely to serve of the next one. */
export function cacheBands(breakdown: Breakdown): TemplateResult {
  const { last } = breakdown;
  const next = nextBand(breakdown);
  return html`<figure data-ac="cache-bands">
    ${last && last.isHit !== null ? band(t('Last request'), lastBand(last)) : nothing} ${band(t('Next request'), next)}
    <ul class="key">
      <li><span class="swatch read"></span>${t('from the cache, about a tenth of the price')}</li>
      ${last?.written ? html`<li><span class="swatch written"></span>${t('read anew and put into the cache')}</li>` : nothing}
      <li><span class="swatch fresh"></span>${t('read anew, full price')}</li>
    </ul>
    <p>${lastSentence(last)}</p>
    <p>${nextSentence(breakdown)}</p>
    <details>
      <summary>${t('What is this cache?')}</summary>
      <p>${t('A model remembers nothing: each question sends everything again. Providers keep the beginning of a request for some minutes. If the next request begins with exactly the same text, they don’t read it again and charge less. So what changes often stands at the end, and taking out something old makes the rest more expensive once.')}</p>
    </details>
  </figure>`;
}

function band(label: string, { read, written, fresh }: CacheBand): TemplateResult {
  const whole = Math.max(1, read + written + fresh);
  const words = t(
    '%1: %2 tokens from the cache, %3 put into it, %4 read anew',
    label,
    grouped(read),
    grouped(written),
    grouped(fresh),
  );
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

/** @param inDollars dollars; tokens otherwise */
export function dayChart(days: readonly DayTotal[], inDollars: boolean): TemplateResult {
  const amount = (day: DayTotal): number => (inDollars ? (day.usd ?? 0) : day.tokens);
  const said = (day: DayTotal): string =>
    inDollars
      ? day.usd === null
        ? t('no known price')
        : dollars(day.usd)
      : tn('%1 token', '%1 tokens', day.tokens);
  const most = Math.max(...days.map(amount), 0);
  const sum = days.reduce((before, day) => before + amount(day), 0);
  const total = inDollars ? dollars(sum) : tn('%1 token', '%1 tokens', sum);
  const used = days.filter(({ answers }) => answers > 0);
  return html`<figure>
    <div class="days" role="img" data-ac="spend-chart"
      aria-label=${t('Spending in this repository in the last %1 days: %2 in all.', days.length, total)}>
      ${days.map((day) => {
        const title = day.answers
          ? tn('%2: %3, %1 answer', '%2: %3, %1 answers', day.answers, dayName(day), said(day))
          : t('%1: nothing', dayName(day));
        return html`<span class="day" title=${title}><span style="height:${percent(amount(day), most)}%"></span></span>`;
      })}
    </div>
    <div class="axis muted"><span>${dayName(days[0])}</span><span>${t('most on one day: %1', inDollars ? dollars(most) : grouped(most))}</span><span>${dayName(days.at(-1))}</span></div>
    <details>
      <summary>${t('As a table')}</summary>
      ${
        used.length
          ? html`<table data-ac="spend-table">
              <thead><tr><th>${t('Day')}</th><th>${t('Answers')}</th><th>${t('Tokens')}</th><th>${t('From the cache')}</th><th>${t('Price')}</th></tr></thead>
              <tbody>${used.map(
                (
                  day,
                ) => html`<tr><th scope="row">${dayName(day)}</th><td>${grouped(day.answers)}</td><td>${grouped(day.tokens)}</td>
                  <td>${grouped(day.cached)}</td><td>${day.usd === null ? '–' : dollars(day.usd)}</td></tr>`,
              )}</tbody>
            </table>`
          : html`<p>${t('Nothing was asked in these days.')}</p>`
      }
    </details>
  </figure>`;
}

function dayName(day: DayTotal | undefined): string {
  return day ? dayOfMonth(new Date(`${day.day}T12:00`)) : '';
}
