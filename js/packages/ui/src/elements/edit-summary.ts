/** Below an answer with edits: how many were applied, what failed, and what can be done about it. */

import { html, nothing, type TemplateResult } from 'lit';
import { type Standings, type Tally, tally } from '../model/edit-tally.ts';
import type { Edits } from '../model/edits.ts';
import type { UndoQuestion } from '../model/edits-store.ts';
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
  readonly standings: Standings;
  readonly question: UndoQuestion | null;
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
  const {
    counts,
    files,
    pending,
    protected: guarded,
    failures,
    added,
    standing,
    suggested,
  } = tally(edits, offers.standings);
  const words = counts.map(
    ({ words, tone }, index) => html`${index ? ', ' : ''}<span class=${tone}>${words}</span>`,
  );
  return html`<section class="edit-summary" aria-label="Edits" data-ac="edit-summary" tabindex="-1">
    <p class="edit-line number">
      ${words} <span class="muted">in ${plural(files, 'file')}${edits.attempts > 1 ? `, ${edits.attempts} attempts` : ''}</span>
    </p>
    ${
      failures.length
        ? html`<p class="edit-missed"><span class="muted">Not applied:</span> ${failures
            .slice(0, FAILURES)
            .map(
              (edit) =>
                html`<button class="quiet" type="button" @click=${() => jump(host, edit.index)}><bdi>${legible(edit.path) || 'No file named'}</bdi></button> `,
            )}${failures.length > FAILURES ? html`<span class="muted">and ${failures.length - FAILURES} more</span>` : nothing}</p>`
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
      offers.question
        ? question(host, offers.question, offers.isBusy)
        : buttons(
            host,
            { pending, acceptable: pending - guarded, suggested },
            failures.length ? edits.retryPrompt : '',
            offers.canUndo ? undoOf(edits, standing, requestId) : null,
            requestId,
            offers,
          )
    }
    ${offers.canUndo && !offers.question ? byFile(host, standing, requestId, offers.isBusy) : nothing}
  </section>`;
}

/** All that stand; where others have changed some, the rest by name. */
function undoOf(edits: Edits, standing: Tally['standing'], requestId: string): Undo | null {
  const indices = [...standing.values()].flat();
  const all = edits.list.filter(({ outcome }) => outcome?.status === 'applied').length;
  if (!indices.length) return null;
  const words = indices.length < all ? `Undo ${indices.length} of ${all} edits` : 'Undo edits';
  return { words, wanted: { act: 'undo', requestId, indices: indices.length < all ? indices : [] } };
}

/** What a word of the person would change. */
interface Open {
  readonly pending: number;
  /** Of these, those that are applied where all are accepted. */
  readonly acceptable: number;
  readonly suggested: readonly number[];
}

interface Undo {
  readonly words: string;
  readonly wanted: EditWish;
}

/** Where a file has several edits and the answer several files. */
function byFile(
  host: HTMLElement,
  standing: Tally['standing'],
  requestId: string,
  isBusy: boolean,
): TemplateResult | typeof nothing {
  const files = [...standing];
  if (files.length < 2 || files.every(([, indices]) => indices.length < 2)) return nothing;
  const undo = (indices: readonly number[]) => isBusy || wish(host, { act: 'undo', requestId, indices });
  return html`<details class="edit-files">
    <summary class="muted">Undo by file</summary>
    <ul>
      ${files.map(
        ([path, indices]) => html`<li class="edit-file">
          <bdi class="edit-path">${legible(path)}</bdi> <span class="muted number">${plural(indices.length, 'edit')}</span>
          <button class="quiet" type="button" data-ac="undo-file" data-path=${path} aria-disabled=${isBusy}
            aria-label="Undo the edits of ${legible(path)}" @click=${() => undo(indices)}>Undo</button>
        </li>`,
      )}
    </ul>
  </details>`;
}

/** Before edits are taken back that need a word: for files that run by themselves, or for a part alone. */
function question(
  host: HTMLElement,
  { files, reason, indices }: UndoQuestion,
  isBusy: boolean,
): TemplateResult {
  const button = (name: string, words: string, wanted: EditWish) =>
    html`<button class="button" type="button" data-ac=${name} aria-disabled=${isBusy}
      @click=${() => isBusy || wish(host, wanted)}>${words}</button>`;
  return html`<div class="edit-ask" role="alert" data-ac="undo-confirm">
    <p class="odd edit-guard">${icons.warning} <span>${reason ? withCode(reason) : 'Undo changes files that run by themselves:'}</span></p>
    <ul>
      ${files.map(({ file, reason }) => html`<li><bdi class="edit-path">${legible(file)}</bdi>: ${withCode(reason)}.</li>`)}
    </ul>
    <div class="edit-actions">
      ${button('undo-confirmed', reason ? `Undo ${plural(indices.length, 'edit')} that can be` : 'Undo anyway', { act: 'confirm' })}
      ${button('undo-keep', 'Keep the edits', { act: 'keep' })}
    </div>
  </div>`;
}

function buttons(
  host: HTMLElement,
  { pending, acceptable, suggested }: Open,
  prompt: string,
  undo: Undo | null,
  requestId: string,
  { canRetry, isBusy }: Offers,
): TemplateResult | typeof nothing {
  const button = (name: string, words: string, wanted: EditWish, more = '') =>
    html`<button class="button ${more}" type="button" data-ac=${name} aria-disabled=${isBusy}
      @click=${() => isBusy || wish(host, wanted)}>${words}</button>`;
  const isRetry = canRetry && prompt !== '';
  if (pending < 2 && suggested.length < 2 && !isRetry && !undo) return nothing;
  return html`<div class="edit-actions">
    ${acceptable > 1 ? button('edit-accept-all', `Accept all (${acceptable})`, { act: 'accept', requestId, indices: [] }, 'primary') : nothing}
    ${pending > 1 ? button('edit-reject-all', 'Reject all', { act: 'reject', requestId, indices: [] }) : nothing}
    ${suggested.length > 1 ? button('edit-apply-suggested', `Apply all suggested (${suggested.length})`, { act: 'accept', requestId, indices: [...suggested] }) : nothing}
    ${isRetry ? button('edit-retry', 'Prepare a retry', { act: 'retry', prompt }) : nothing}
    ${undo ? button('undo', undo.words, undo.wanted) : nothing}
  </div>`;
}

/** To the card, which then has the focus. */
function jump(host: HTMLElement, index: number): void {
  const card = host.querySelector<HTMLElement>(`[data-ac="edit-card"][data-index="${index}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}
