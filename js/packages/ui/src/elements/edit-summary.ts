/** Summary below an answer with edits: counts by status, failures, and actions on all of them. */

import { t, tn } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import { type EditSummary, type Standings, summarizeEdits } from '../model/edit-summary.ts';
import type { Edits } from '../model/edits.ts';
import type { UndoQuestion } from '../model/edits-store.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Message } from '../model/messages.ts';
import { dispatchEditAction, type EditAction } from './edit-actions.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

/** At most this many failures are listed. */
const MAX_FAILURES = 20;

/** State from outside the message. */
export interface SummaryOptions {
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
  offers: SummaryOptions,
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
  } = summarizeEdits(edits, offers.standings);
  const words = counts.map(
    ({ label, tone }, index) => html`${index ? ', ' : ''}<span class=${tone}>${label}</span>`,
  );
  return html`<section class="edit-summary" aria-label=${t('Edits')} data-ac="edit-summary" tabindex="-1">
    <p class="edit-line number">
      ${words} <span class="muted">${edits.attempts > 1 ? tn('in %1 file, %2 attempts', 'in %1 files, %2 attempts', files, edits.attempts) : tn('in %1 file', 'in %1 files', files)}</span>
    </p>
    ${
      failures.length
        ? html`<p class="edit-missed"><span class="muted">${t('Not applied:')}</span> ${failures
            .slice(0, MAX_FAILURES)
            .map(
              (edit) =>
                html`<button class="quiet" type="button" @click=${() => focusCard(host, edit.index)}><bdi>${escapeInvisible(edit.path) || t('No file named')}</bdi></button> `,
            )}${failures.length > MAX_FAILURES ? html`<span class="muted">${t('and %1 more', failures.length - MAX_FAILURES)}</span>` : nothing}</p>`
        : nothing
    }
    ${edits.leftOut ? html`<p class="muted">${icons.info} <span>${tn('%1 more edit block of this answer is not listed.', '%1 more edit blocks of this answer are not listed.', edits.leftOut)}</span></p>` : nothing}
    ${added.length ? html`<p class="muted">${icons.check} <span>${t('Now in context: %1', added.map(escapeInvisible).join(', '))}</span></p>` : nothing}
    ${
      guarded
        ? html`<p class="odd edit-guard">${icons.warning} <span>${tn('%1 edit of files that run by themselves: look at each.', '%1 edits of files that run by themselves: look at each.', guarded)}</span></p>`
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
    ${offers.canUndo && !offers.question ? undoByFile(host, standing, requestId, offers.isBusy) : nothing}
  </section>`;
}

/** Undo of all applied edits; if some have been changed since, only of the others. */
function undoOf(edits: Edits, standing: EditSummary['standing'], requestId: string): UndoButton | null {
  const indices = [...standing.values()].flat();
  const all = edits.list.filter(({ outcome }) => outcome?.status === 'applied').length;
  if (!indices.length) return null;
  const words = indices.length < all ? t('Undo %1 of %2 edits', indices.length, all) : t('Undo edits');
  return { words, wanted: { act: 'undo', requestId, indices: indices.length < all ? indices : [] } };
}

/** Edits that wait for a decision. */
interface OpenEdits {
  readonly pending: number;
  /** How many of these "Accept all" applies. */
  readonly acceptable: number;
  readonly suggested: readonly number[];
}

interface UndoButton {
  readonly words: string;
  readonly wanted: EditAction;
}

/** Undo by file, if the answer edits several files and one of them more than once. */
function undoByFile(
  host: HTMLElement,
  standing: EditSummary['standing'],
  requestId: string,
  isBusy: boolean,
): TemplateResult | typeof nothing {
  const files = [...standing];
  if (files.length < 2 || files.every(([, indices]) => indices.length < 2)) return nothing;
  const undo = (indices: readonly number[]) =>
    isBusy || dispatchEditAction(host, { act: 'undo', requestId, indices });
  return html`<details class="edit-files">
    <summary class="muted">${t('Undo by file')}</summary>
    <ul>
      ${files.map(
        ([path, indices]) => html`<li class="edit-file">
          <bdi class="edit-path">${escapeInvisible(path)}</bdi> <span class="muted number">${tn('%1 edit', '%1 edits', indices.length)}</span>
          <button class="quiet" type="button" data-ac="undo-file" data-path=${path} aria-disabled=${isBusy}
            aria-label=${t('Undo the edits of %1', escapeInvisible(path))} @click=${() => undo(indices)}>${t('Undo')}</button>
        </li>`,
      )}
    </ul>
  </details>`;
}

/** Confirmation before an undo: for files that run automatically, or if only a part can be undone. */
function question(
  host: HTMLElement,
  { files, reason, indices }: UndoQuestion,
  isBusy: boolean,
): TemplateResult {
  const button = (name: string, words: string, wanted: EditAction) =>
    html`<button class="button" type="button" data-ac=${name} aria-disabled=${isBusy}
      @click=${() => isBusy || dispatchEditAction(host, wanted)}>${words}</button>`;
  return html`<div class="edit-ask" role="alert" data-ac="undo-confirm">
    <p class="odd edit-guard">${icons.warning} <span>${reason ? inlineCode(reason) : t('Undo changes files that run by themselves:')}</span></p>
    <ul>
      ${files.map(({ file, reason }) => html`<li><bdi class="edit-path">${escapeInvisible(file)}</bdi>: ${inlineCode(reason)}.</li>`)}
    </ul>
    <div class="edit-actions">
      ${button('undo-confirmed', reason ? tn('Undo %1 edit that can be', 'Undo %1 edits that can be', indices.length) : t('Undo anyway'), { act: 'confirm' })}
      ${button('undo-keep', t('Keep the edits'), { act: 'keep' })}
    </div>
  </div>`;
}

function buttons(
  host: HTMLElement,
  { pending, acceptable, suggested }: OpenEdits,
  prompt: string,
  undo: UndoButton | null,
  requestId: string,
  { canRetry, isBusy }: SummaryOptions,
): TemplateResult | typeof nothing {
  const button = (name: string, words: string, wanted: EditAction, more = '') =>
    html`<button class="button ${more}" type="button" data-ac=${name} aria-disabled=${isBusy}
      @click=${() => isBusy || dispatchEditAction(host, wanted)}>${words}</button>`;
  const isRetry = canRetry && prompt !== '';
  if (pending < 2 && suggested.length < 2 && !isRetry && !undo) return nothing;
  return html`<div class="edit-actions">
    ${acceptable > 1 ? button('edit-accept-all', t('Accept all (%1)', acceptable), { act: 'accept', requestId, indices: [] }, 'primary') : nothing}
    ${pending > 1 ? button('edit-reject-all', t('Reject all'), { act: 'reject', requestId, indices: [] }) : nothing}
    ${suggested.length > 1 ? button('edit-apply-suggested', t('Apply all suggested (%1)', suggested.length), { act: 'accept', requestId, indices: [...suggested] }) : nothing}
    ${isRetry ? button('edit-retry', t('Prepare a retry'), { act: 'retry', prompt }) : nothing}
    ${undo ? button('undo', undo.words, undo.wanted) : nothing}
  </div>`;
}

/** Scrolls to a card and focuses it. */
function focusCard(host: HTMLElement, index: number): void {
  const card = host.querySelector<HTMLElement>(`[data-ac="edit-card"][data-index="${index}"]`);
  card?.scrollIntoView({ block: 'nearest' });
  card?.focus({ preventScroll: true });
}
