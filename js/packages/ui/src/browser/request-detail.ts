/** The detail of a request: headers, what was sent, the body on demand; what to do with a paused one. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import * as icons from '../elements/icons.ts';
import type { Decision } from '../model/browser/interception.ts';
import type { RequestDetail } from '../model/browser/network-requests.ts';
import { bodyOf, headersOf } from '../model/browser/page-items.ts';
import type { NetworkRow } from '../model/browser/recorded-rows.ts';
import { duration, shownLine, shownLines, shownUrl } from '../model/browser/shown-text.ts';
import { bytes } from '../model/format.ts';
import { fields, text } from '../model/wire.ts';

export interface RequestActions {
  add(): void;
  loadBody(): void;
  reveal(isRevealed: boolean): void;
  decide(decision: Decision): void;
  close(): void;
}

export function requestDetail(
  row: NetworkRow,
  detail: RequestDetail,
  actions: RequestActions,
): TemplateResult {
  const { id, method, status, state, error, size, timeMs } = row;
  const url = detail.isRevealed ? text(fields(fields(detail.entry).request).url, row.url) : row.url;
  const facts = [
    status ? t('status %1', status) : '',
    state,
    size ? bytes(size) : '',
    duration(timeMs),
    shownLine(error, 200),
  ];
  // Another request has another form of an answer.
  return html`${keyed(
    id,
    html`<section class="detail" aria-label=${t('Request')} data-ac="browser-request" data-id=${id} data-revealed=${detail.isRevealed}>
    <div class="head">
      <strong>${shownLine(method, 10)}</strong>
      <span class="muted wrap">${facts.filter(Boolean).join(', ')}</span>
      <span class="space"></span>
      ${state === 'paused' ? pausedButtons(actions) : nothing}
      <button class="button small" type="button" data-ac="browser-add" @click=${actions.add}>${t('Add to conversation')}</button>
      <button class="icon-button" type="button" aria-label=${t('Close the request')} title=${t('Close')} @click=${actions.close}>${icons.close}</button>
    </div>
    <div class="body" tabindex="0" role="region" aria-label=${t('Headers and body')}>
      ${state === 'paused' ? answerForm(actions) : nothing}
      ${secrets(detail, actions)}
      <p class="mono wrap"><bdi>${shownUrl(url, 2000)}</bdi></p>
      ${detail.error ? html`<p class="bad wrap" role="alert">${detail.error}</p>` : nothing}
      ${detail.entry === null && !detail.error ? html`<p class="muted" role="status">${icons.spinner} ${t('Reading …')}</p>` : nothing}
      ${headers(t('Request headers'), detail.entry, 'request')} ${sent(detail.entry)} ${headers(t('Response headers'), detail.entry, 'response')}
      ${body(detail, actions)}
    </div>
  </section>`,
  )}`;
}

/** Whether secrets are masked is always said in words. */
function secrets({ isRevealed }: RequestDetail, { reveal }: RequestActions): TemplateResult {
  return html`<p class="secrets ${isRevealed ? 'revealed' : ''}">
    <label><input type="checkbox" data-ac="browser-reveal" .checked=${isRevealed} @change=${() => reveal(!isRevealed)} /> ${t('Show secrets')}</label>
    <span class="muted" role="status">${isRevealed ? t('Secrets are shown here. What you add to the conversation has them masked.') : t('Cookies, keys and tokens are masked.')}</span>
  </p>`;
}

function answerForm({ decide }: RequestActions): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    decide({ status: Number(data.get('status')), body: String(data.get('body') ?? '') });
  };
  return html`<details class="answer" data-ac="browser-answer">
    <summary>${t('Answer it by hand')}</summary>
    <form @submit=${submit}>
      <label>${t('Status')} <input name="status" type="number" min="200" max="599" required value="200" data-ac="browser-answer-status" /></label>
      <button class="button small primary" type="submit" data-ac="browser-answer-send">${t('Send this answer')}</button>
      <textarea name="body" data-ac="browser-answer-body" placeholder=${t('Body of the answer')} spellcheck="false" aria-label=${t('Body of the answer')}></textarea>
    </form>
  </details>`;
}

function pausedButtons({ decide }: RequestActions): TemplateResult {
  return html`<button class="button small primary" type="button" data-ac="browser-resume" @click=${() => decide('resume')}>${t('Resume')}</button>
    <button class="button small" type="button" data-ac="browser-fail" @click=${() => decide('fail')}>${t('Fail')}</button>`;
}

function headers(
  title: string,
  entry: unknown,
  side: 'request' | 'response',
): TemplateResult | typeof nothing {
  const found = headersOf(entry, side);
  if (!found.length) return nothing;
  return html`<h3>${title}</h3>
    <dl>${found.map(({ name, value }) => html`<dt>${shownLine(name, 200)}</dt><dd>${shownLine(value, 2000)}</dd>`)}</dl>`;
}

function sent(entry: unknown): TemplateResult | typeof nothing {
  const data = text(fields(fields(fields(entry).request).postData).text);
  return data ? html`<h3>${t('Request body')}</h3><pre>${shownLines(data)}</pre>` : nothing;
}

function body(detail: RequestDetail, { loadBody }: RequestActions): TemplateResult | typeof nothing {
  if (detail.entry === null) return nothing;
  const found = bodyOf(detail.entry);
  if (!found) {
    return html`<p><button class="button small" type="button" data-ac="browser-body" aria-disabled=${detail.isBodyLoading} @click=${loadBody}>
      ${detail.isBodyLoading ? icons.spinner : nothing} ${t('Show the response body')}</button></p>`;
  }
  const words = found.isBase64 ? t('Not text.') : shownLines(found.text) || t('Empty.');
  return html`<h3>${t('Response body')}</h3><pre data-ac="browser-body-text">${words}</pre>`;
}
