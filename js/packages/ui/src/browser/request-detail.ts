/** The detail of a request: headers, what was sent, the body on demand; what to do with a paused one. */

import { html, nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import type { RequestDetail } from '../model/browser/network-requests.ts';
import { bodyOf, headersOf } from '../model/browser/page-items.ts';
import type { NetworkRow } from '../model/browser/recorded-rows.ts';
import { duration, shownLine, shownLines, shownUrl } from '../model/browser/shown-text.ts';
import { bytes } from '../model/format.ts';
import { fields, text } from '../model/wire.ts';

export interface RequestActions {
  add(): void;
  loadBody(): void;
  decide(decision: 'resume' | 'fail'): void;
  close(): void;
}

export function requestDetail(
  row: NetworkRow,
  detail: RequestDetail,
  actions: RequestActions,
): TemplateResult {
  const { method, url, status, state, error, size, timeMs } = row;
  const facts = [
    status ? `status ${status}` : '',
    state,
    size ? bytes(size) : '',
    duration(timeMs),
    shownLine(error, 200),
  ];
  return html`<section class="detail" aria-label="Request" data-ac="browser-request" data-id=${row.id}>
    <div class="head">
      <strong>${shownLine(method, 10)}</strong>
      <span class="muted wrap">${facts.filter(Boolean).join(', ')}</span>
      <span class="space"></span>
      ${state === 'paused' ? pausedButtons(actions) : nothing}
      <button class="button small" type="button" data-ac="browser-add" @click=${actions.add}>Add to conversation</button>
      <button class="icon-button" type="button" aria-label="Close the request" title="Close" @click=${actions.close}>${icons.close}</button>
    </div>
    <div class="body" tabindex="0" role="region" aria-label="Headers and body">
      <p class="mono wrap"><bdi>${shownUrl(url, 2000)}</bdi></p>
      ${detail.error ? html`<p class="bad wrap" role="alert">${detail.error}</p>` : nothing}
      ${detail.entry === null && !detail.error ? html`<p class="muted" role="status">${icons.spinner} Reading …</p>` : nothing}
      ${headers('Request headers', detail.entry, 'request')} ${sent(detail.entry)} ${headers('Response headers', detail.entry, 'response')}
      ${body(detail, actions)}
    </div>
  </section>`;
}

function pausedButtons({ decide }: RequestActions): TemplateResult {
  return html`<button class="button small primary" type="button" data-ac="browser-resume" @click=${() => decide('resume')}>Resume</button>
    <button class="button small" type="button" data-ac="browser-fail" @click=${() => decide('fail')}>Fail</button>`;
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
  return data ? html`<h3>Request body</h3><pre>${shownLines(data)}</pre>` : nothing;
}

function body(detail: RequestDetail, { loadBody }: RequestActions): TemplateResult | typeof nothing {
  if (detail.entry === null) return nothing;
  const found = bodyOf(detail.entry);
  if (!found) {
    return html`<p><button class="button small" type="button" data-ac="browser-body" aria-disabled=${detail.isBodyLoading} @click=${loadBody}>
      ${detail.isBodyLoading ? icons.spinner : nothing} Show the response body</button></p>`;
  }
  const words = found.isBase64 ? 'Not text.' : shownLines(found.text) || 'Empty.';
  return html`<h3>Response body</h3><pre data-ac="browser-body-text">${words}</pre>`;
}
