/** Below an answer with edits: how many were applied, what failed, and what can be done about it. */

import type { ProtectedFile } from '@jupyter-ac/link/rpc';
import { html, nothing, type TemplateResult } from 'lit';
import { tally } from '../model/edit-tally.ts';
import { plural } from '../model/format.ts';
import type { Message } from '../model/messages.ts';
import { legible } from '../model/places.ts';
import { type EditWish, wish } from './edit-wish.ts';
import * as icons from './icons.ts';
import { withCode } from './words.ts';

/** As many failures are listed. */
const FAILURES = 20;

/** What the panel knows beside the message. */
export interface Offers {
  readonly canUndo: boolean;
  readonly undoAsks: readonly ProtectedFile[];
  readonly canRetry: boolean;
  readonly isBusy: boolean;
}

/** @param host the message's element */
export function summaryTemplate(
  host: HTMLElement,
  { edits, requestId, state }: Message,
  offers: Offers,
): TemplateResult | typeof nothing {
  if (state === 'streaming' || !(edits.list.length || edits.leftOut)) return nothing;
  const { counts, files, pending, protected: guarded, failures, added } = tally(edits);
  const words = counts.map(
    ({ words, tone }, index) => html`${index ? ', ' : ''}<span class=${tone}>${words}</span>`,
  );
  return html`<section class="edit-summary" aria-label="Edits" data-ac="edit-summary" tabindex="-1">
    <p class="edit-line number">
      ${words} <span class="muted">in ${plural(files, 'file')}${edits.attempts > 1 ? `, ${edits.attempts} attempts` : ''}</span>
    </p>
    ${
      failures.length
        ? html`<ul>${failures
            .slice(0, FAILURES)
            .map(
              ({ edit, words }) =>
                html`<li><button class="quiet" type="button" @click=${() => jump(host, edit.index)}><bdi>${legible(edit.path) || 'No file named'}</bdi></button> ${withCode(words)}</li>`,
            )}${failures.length > FAILURES ? html`<li class="muted">and ${failures.length - FAILURES} more</li>` : nothing}</ul>`
        : nothing
    }
    ${edits.leftOut ? html`<p class="muted">${icons.info} <span>${plural(edits.leftOut, 'more edit block')} of this answer ${edits.leftOut === 1 ? 'is' : 'are'} not listed.</span></p>` : nothing}
    ${added.length ? html`<p class="muted">${icons.check} <span>Now in context: ${added.map(legible).join(', ')}</span></p>` : nothing}
    ${
      guarded
        ? html`<p class="odd edit-guard">${icons.warning} <span>${plural(guarded, 'edit')} of files that run by themselves: look at each.</span></p>`
        : nothing
    }
    ${
      offers.undoAsks.length
        ? question(host, offers)
        : buttons(
            host,
            [pending, pending - guarded],
            failures.length ? edits.retryPrompt : '',
            requestId,
            offers,
          )
    }
  </section>`;
}

/** Before files are changed that run by themselves. */
function question(host: HTMLElement, { undoAsks, isBusy }: Offers): TemplateResult {
  const button = (name: string, words: string, wanted: EditWish) =>
    html`<button class="button" type="button" data-ac=${name} aria-disabled=${isBusy}
      @click=${() => isBusy || wish(host, wanted)}>${words}</button>`;
  return html`<div class="edit-ask" role="alert" data-ac="undo-confirm">
    <p class="odd edit-guard">${icons.warning} <span>Undo changes files that run by themselves:</span></p>
    <ul>
      ${undoAsks.map(({ file, reason }) => html`<li><bdi class="edit-path">${legible(file)}</bdi>: ${withCode(reason)}.</li>`)}
    </ul>
    <div class="edit-actions">
      ${button('undo-confirmed', 'Undo anyway', { act: 'undo', isSure: true })}
      ${button('undo-keep', 'Keep the edits', { act: 'keep' })}
    </div>
  </div>`;
}

function buttons(
  host: HTMLElement,
  [pending, acceptable]: readonly [number, number],
  prompt: string,
  requestId: string,
  { canUndo, canRetry, isBusy }: Offers,
): TemplateResult | typeof nothing {
  const button = (name: string, words: string, wanted: EditWish, more = '') =>
    html`<button class="button ${more}" type="button" data-ac=${name} aria-disabled=${isBusy}
      @click=${() => isBusy || wish(host, wanted)}>${words}</button>`;
  const isRetry = canRetry && prompt !== '';
  if (pending < 2 && !isRetry && !canUndo) return nothing;
  return html`<div class="edit-actions">
    ${acceptable > 1 ? button('edit-accept-all', `Accept all (${acceptable})`, { act: 'accept', requestId, indices: [] }, 'primary') : nothing}
    ${pending > 1 ? button('edit-reject-all', 'Reject all', { act: 'reject', requestId, indices: [] }) : nothing}
    ${isRetry ? button('edit-retry', 'Prepare a retry', { act: 'retry', prompt }) : nothing}
    ${canUndo ? button('undo', 'Undo edits', { act: 'undo' }) : nothing}
  </div>`;
}

/** To the card, which then has the focus. */
function jump(host: HTMLElement, index: number): void {
  const card = host.querySelector<HTMLElement>(`[data-ac="edit-card"][data-index="${index}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}
