/**
 * markdown-it plugin for TeX formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, not in code. They are found before other
 * inline syntax is parsed.
 *
 * A dollar sign is a price unless pandoc's rule holds: no space after the opening sign, no space before and no digit
 * after the closing one. In addition, a formula doesn't start right after a word or a number (`5$-6$`) unless TeX
 * syntax follows, and doesn't end after a currency (`US$`) or between the parts of a path (`$HOME/$USER`). A formula
 * contains no empty line, so an unclosed one ends with its paragraph.
 */

import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { escapeFormulaPipes } from './table-pipes.ts';

/** Longer formulas stay text. */
export const MAX_FORMULA = 4000;
const MAX_LINES = 200;
/** Key in markdown-it's environment: the text is being streamed, so an unclosed formula at its end counts as one. */
export const IS_GROWING = 'isGrowing';

const BLOCKS: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };
/** Prefixes of dollar currencies, such as `US$`. */
const CURRENCY = /(?:^|[^A-Za-z\\])(?:US|AU|CA|NZ|HK|SG|NT|USD|AUD|CAD|NZD|HKD|SGD)$/;
const LONGEST_CURRENCY = 4;
const DISPLAY = 'display';
type Kind = '$' | '$$' | ')' | ']';

/** Renders a formula, with its delimiters, into an element of the class `math`. */
export function mathsPlugin(md: MarkdownIt): void {
  const found = new WeakMap<StateInline, ReadonlyMap<number, number>>();
  md.inline.ruler.before('escape', 'maths', (state, silent) => {
    const sign = state.src[state.pos];
    if (sign !== '$' && sign !== '\\') return false;
    let ends = found.get(state);
    if (!ends) {
      ends = formulasIn(state.src);
      found.set(state, ends);
    }
    return inlineFormula(state, ends, silent);
  });
  md.block.ruler.before('fence', 'maths', blockFormula, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  escapeFormulaPipes(md, formulaSpans);
  const { escapeHtml } = md.utils;
  md.renderer.rules.maths = (tokens, index) => {
    const token = tokens[index];
    return `<span class="math ${token?.info ?? ''}">${escapeHtml(token?.content ?? '')}</span>`;
  };
  md.renderer.rules.maths_block = (tokens, index) => {
    const token = tokens[index];
    const content = escapeHtml(token?.content ?? '');
    // An unclosed formula stays text until it is complete.
    return token?.hidden ? `<p>${content}</p>\n` : `<p><span class="math ${DISPLAY}">${content}</span></p>\n`;
  };
}

/** Start and end offsets of the formulas in a line, in order; not those in code. */
export function formulaSpans(line: string): readonly (readonly [number, number])[] {
  const ends = formulasIn(line);
  if (!ends.size) return [];
  const spans: (readonly [number, number])[] = [];
  const code = codeSpans(line);
  for (let at = 0; at < line.length; ) {
    const end = ends.get(at);
    if (end !== undefined) spans.push([at, end]);
    at = end ?? code.get(at) ?? at + 1;
  }
  return spans;
}

/** Ends of the code spans in a line by their start: each ends at the next run of the same number of backticks. */
function codeSpans(line: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].reverse()) {
    ends.set(index, next.get(run.length) ?? index + run.length);
    next.set(run.length, index + run.length);
  }
  return ends;
}

/** Whether the token is a formula whose end has not been received yet. */
export function isOpenFormula(token: Token | undefined): boolean {
  return token?.type === 'maths_block' && token.hidden;
}

function inlineFormula(state: StateInline, ends: ReadonlyMap<number, number>, silent: boolean): boolean {
  const start = state.pos;
  const end = ends.get(start);
  if (end === undefined || end > state.posMax) {
    // The second `$` of `$$` doesn't start a formula.
    if (!state.src.startsWith('$$', start) || start + 2 > state.posMax) return false;
    if (!silent) state.pending += '$$';
    state.pos += 2;
    return true;
  }
  if (!silent) {
    const token = state.push('maths', '', 0);
    token.content = state.src.slice(start, end);
    token.info = BLOCKS[token.content.slice(0, 2)] ? DISPLAY : '';
  }
  state.pos = end;
  return true;
}

interface Sign {
  readonly at: number;
  readonly kind: Kind | '(' | '[' | '`';
}

/** End of the formula for each possible start in a paragraph, computed in one pass. */
function formulasIn(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const next = new Map<Kind, number>();
  for (const { at, kind } of signsIn(text).reverse()) {
    if (kind === '`') next.clear();
    else if (kind === '(' || kind === '[') take(at, next.get(kind === '(' ? ')' : ']'), 2);
    else if (kind === '$') {
      if (mayOpen(text, at)) take(at, next.get('$'), 1);
      // A formula contains no other dollar sign: a price before it doesn't start one.
      if (!mayClose(text, at)) next.delete('$');
      else next.set('$', at);
    } else {
      if (kind === '$$') take(at, next.get('$$'), 2);
      next.set(kind, at);
    }
  }
  return ends;

  function take(from: number, to: number | undefined, width: number): void {
    if (to === undefined || to - from > MAX_FORMULA) return;
    if (text.slice(from + width, to).trim()) ends.set(from, to + width);
  }
}

function signsIn(text: string): Sign[] {
  const signs: Sign[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    const following = text[at + 1];
    if (sign === '`') signs.push({ at, kind: '`' });
    else if (sign === '$' && following === '$') {
      signs.push({ at, kind: '$$' });
      at += 1;
    } else if (sign === '$') signs.push({ at, kind: '$' });
    else if (sign === '\\') {
      if (
        following === '(' ||
        following === ')' ||
        following === '[' ||
        following === ']' ||
        following === '`'
      )
        signs.push({ at, kind: following });
      at += 1;
    }
  }
  return signs;
}

function mayOpen(text: string, at: number): boolean {
  const [before = '', after] = [text[at - 1], text[at + 1]];
  return !isBlank(after) && (!/\w/.test(before) || /[\\^_{]/.test(after ?? ''));
}

function mayClose(text: string, at: number): boolean {
  const [before = '', after = ''] = [text[at - 1], text[at + 1]];
  if (isBlank(before) || isDigit(after)) return false;
  if (CURRENCY.test(text.slice(Math.max(0, at - LONGEST_CURRENCY), at))) return false;
  return !(/[/:]/.test(before) && /[\w({]/.test(after));
}

function isBlank(sign: string | undefined): boolean {
  return sign === undefined || sign.trim() === '';
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= '0' && sign <= '9';
}

/** Display formula on its own lines, which may look like a list or a heading. */
function blockFormula(state: StateBlock, first: number, end: number, silent: boolean): boolean {
  if ((state.sCount[first] ?? 0) - state.blkIndent >= 4) return false;
  const start = (state.bMarks[first] ?? 0) + (state.tShift[first] ?? 0);
  const close = BLOCKS[state.src.slice(start, start + 2)];
  if (!close) return false;
  const found = closingLine(state, first, end, close);
  if (!found) return false;
  if (silent) return true;
  const token = state.push('maths_block', '', 0);
  token.hidden = found.isOpen;
  token.content = state.getLines(first, found.line, state.blkIndent, false).trim();
  token.map = [first, found.line];
  token.block = true;
  state.line = found.line;
  return true;
}

/** The line after the formula; null when it isn't a formula. */
function closingLine(
  state: StateBlock,
  first: number,
  end: number,
  close: string,
): { line: number; isOpen: boolean } | null {
  const last = Math.min(end, first + MAX_LINES);
  let length = 0;
  for (let line = first; line < last; line += 1) {
    const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0) + (line === first ? 2 : 0);
    const text = state.src.slice(start, state.eMarks[line]).trimEnd();
    length += text.length;
    if (length > MAX_FORMULA || (line > first && (state.isEmpty(line) || isOutside(state, line))))
      return null;
    const at = text.indexOf(close);
    if (at < 0) continue;
    const content = state.src.slice((state.bMarks[first] ?? 0) + (state.tShift[first] ?? 0) + 2, start + at);
    const isWhole = at === text.length - 2 && text[at - 1] !== '\\' && content.trim() !== '';
    return isWhole ? { line: line + 1, isOpen: false } : null;
  }
  const isOpen = last === end && state.env?.[IS_GROWING] === true;
  return isOpen ? { line: end, isOpen } : null;
}

/** Whether the line is outside the current list item or quotation. */
function isOutside(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) < state.blkIndent;
}
