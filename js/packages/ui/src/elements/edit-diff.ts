/** Diff templates of an edit. */

import { t, tn } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import type { Outcome } from '../model/edits.ts';
import { diffLines, type Gap, type Line, linesOf } from '../model/line-diff.ts';

const CLASSES = { '-': 'del', '+': 'add', ' ': 'same', '…': 'gap' } as const;
/** Number of last lines shown of a block being streamed. */
const TAIL = 10;
/** Number of lines shown in each pane of a failed match. */
const PANE = 14;

/** No white space between the elements: the lines are preformatted. */
export function diffTemplate(lines: readonly (Line | Gap)[]): TemplateResult {
  return html`<div class="diff">${lines.map((line) =>
    line.sign === '…'
      ? html`<div class="gap">${tn('%1 unchanged line', '%1 unchanged lines', line.count)}</div>`
      : html`<div class=${CLASSES[line.sign]}>${lineParts(line)}</div>`,
  )}</div>`;
}

/** The last lines of a block being streamed. */
export function streamingTemplate(old: string, next: string): TemplateResult {
  const sign = next ? '+' : '-';
  const tail = linesOf(lastLines(next || old)).slice(-TAIL);
  const lines = tail.map((text): Line => ({ sign, parts: [{ text, isMarked: false }] }));
  return tail.length ? diffTemplate(lines) : html``;
}

/** The searched lines beside the closest match in the file. */
export function closestMatchTemplate(old: string, near: NonNullable<Outcome['near']>): TemplateResult {
  const lines = diffLines(old, near.text);
  const last = near.line + linesOf(near.text).length - 1;
  const place = last > near.line ? t('lines %1–%2', near.line, last) : t('line %1', near.line);
  return html`<div class="near">
    ${pane(t('Looked for'), lines, '-')} ${pane(t('Closest in the file: %1', place), lines, '+')}
  </div>`;
}

function pane(title: string, lines: readonly Line[], sign: '-' | '+'): TemplateResult {
  const own = lines.filter((line) => line.sign === sign || line.sign === ' ');
  const more = own.length - PANE;
  return html`<figure>
    <figcaption>${title}</figcaption>
    <div class="diff">${own
      .slice(0, PANE)
      .map(
        (line) =>
          html`<div class=${line.sign === ' ' ? 'same' : 'odd'}>${lineParts(line, visibleWhitespace)}</div>`,
      )}${more > 0 ? html`<div class="gap">${tn('%1 more line', '%1 more lines', more)}</div>` : nothing}</div>
  </figure>`;
}

function lineParts({ parts }: Line, write = (text: string) => text): unknown {
  return parts.map(({ text, isMarked }) => (isMarked ? html`<mark>${write(text)}</mark>` : text));
}

/** Makes white space visible where it is the difference. */
function visibleWhitespace(text: string): string {
  return text.trim() ? text : text.replaceAll(' ', '·').replaceAll('\t', '→\t');
}

/** The end of the text, long enough for the lines shown. */
function lastLines(text: string): string {
  let start = text.length;
  for (let count = 0; count <= TAIL && start > 0; count += 1) start = text.lastIndexOf('\n', start - 1);
  return text.slice(start + 1);
}
