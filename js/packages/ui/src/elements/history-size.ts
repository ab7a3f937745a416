/** The part of the breakdown on the history's size: its limit, summarising it, and why that failed. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import type { CompactionStore } from '../model/compaction.ts';
import { tokens } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import { inlineCode } from './inline-text.ts';

/** Of a limit, in percent. */
const FULL = 100;

/** Size of the history relative to its limit, and the button that compacts it. */
export function historySize(
  compaction: CompactionStore,
  status: Session['status'],
): TemplateResult | typeof nothing {
  const { size, canCompact } = compaction;
  if (!size?.max) return nothing;
  const { percent, isCompacting } = size;
  const isOver = percent > FULL;
  const failure = isCompacting ? '' : size.failure;
  const words = isOver
    ? t(
        '%1 tokens, more than the %2 after which the conversation is summarised',
        tokens(size.tokens),
        tokens(size.max),
      )
    : t('%1 of %2 tokens, then the conversation is summarised', tokens(size.tokens), tokens(size.max));
  const isBusy = isCompacting || status !== 'ready';
  return html`<div class="row talk" data-ac="history-bar" data-percent=${percent} data-failed=${failure !== ''} title=${words}>
      <span class="track ${isOver ? 'over' : ''}" role="img" aria-label=${words}><span style="width:${Math.min(FULL, percent)}%"></span></span>
      <span class="number muted">${isOver ? t('%1 % over', percent - FULL) : `${percent} %`}</span>
      ${
        canCompact
          ? html`<button class="small" type="button" data-ac="compact"
              ?disabled=${!size.tokens || status === 'offline'} aria-disabled=${isBusy}
              @click=${() => isBusy || void compaction.compact()}>${label(isCompacting, failure)}</button>`
          : nothing
      }
    </div>
    ${failure ? failureNote(failure, size.retryTokens) : nothing}`;
}

function label(isCompacting: boolean, failure: string): string {
  if (isCompacting) return t('Summarising …');
  return failure ? t('Try again') : t('Summarise');
}

function failureNote(failure: string, retryTokens: number): TemplateResult {
  return html`<p class="failed" role="status" data-ac="compaction-failed">
    ${inlineCode(t('The last summary failed: %1', failure))}
    <span class="muted">${t('Nothing is lost: all messages are still sent. It is tried again at %1 tokens.', tokens(retryTokens))}</span>
  </p>`;
}
