/** What has changed since the last request: parts that came, grew, shrank and went, and what the cache keeps. */

import type { ChangedPart, RequestChanges } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { html, type TemplateResult } from 'lit';
import type { Breakdown, Category } from '../model/breakdown.ts';
import { LABELS } from '../model/context-names.ts';
import { grouped } from '../model/format.ts';
import { type Fields, fields, list, number, text } from '../model/wire.ts';
import { brokenSentence } from './cache-sentences.ts';

/** At most this many parts are listed; the others are counted. */
const MAX_ROWS = 100;

export function changesTemplate({ raw, total }: Breakdown): TemplateResult {
  if (!raw.changes)
    return html`<p data-ac="changes-none">${t('There is nothing to compare with: no request has been sent in this conversation, or this model is sent each request anew.')}</p>`;
  const changes = fields<RequestChanges>(raw.changes);
  const parts = list(changes.parts).map(fields<ChangedPart>);
  const difference = parts.reduce((sum, part) => sum + number(part.after) - number(part.before), 0);
  return html`<p>${
    parts.length
      ? t(
          'The next request has %1 tokens; its parts have changed by %2 since the last one.',
          grouped(total),
          signed(difference),
        )
      : t('The next request has the same parts as the last one.')
  }</p>
    <ul class="changes" data-ac="changes">${parts.slice(0, MAX_ROWS).map(row)}</ul>
    ${parts.length > MAX_ROWS ? html`<p class="muted">${t('… and %1 more.', grouped(parts.length - MAX_ROWS))}</p>` : ''}
    <p class="verdict ${number(changes.lost_tokens) ? 'lost' : 'kept'}" data-ac="changes-cache">${brokenSentence(changes)}</p>`;
}

type Change = 'added' | 'removed' | 'grown' | 'shrunk';

const CHANGES: Readonly<Record<Change, string>> = {
  added: t('added'),
  removed: t('removed'),
  grown: t('grown'),
  shrunk: t('shrunk'),
};

function row(part: Fields<ChangedPart>): TemplateResult {
  const [before, after] = [number(part.before), number(part.after)];
  const category = LABELS[text(part.category) as Category] ?? '';
  const name = text(part.name) || category;
  const kind: Change = before === 0 ? 'added' : after === 0 ? 'removed' : after > before ? 'grown' : 'shrunk';
  const amounts = before && after ? t('from %1 to %2', grouped(before), grouped(after)) : '';
  return html`<li class=${kind} data-ac="change" data-kind=${kind} data-path=${text(part.path)} title=${`${category}: ${name}, ${CHANGES[kind]} ${amounts}`}>
    <span class="dot ${text(part.category)}"></span><bdi class="name">${name}</bdi>
    <span class="muted what">${CHANGES[kind]} <span class="amounts">${amounts}</span></span><span class="number">${signed(after - before)}</span>
  </li>`;
}

/** With a sign: `+1,234`, `−56`. */
function signed(difference: number): string {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
  return `${sign}${grouped(Math.abs(difference))}`;
}
