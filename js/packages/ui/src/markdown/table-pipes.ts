/** Keeps a `|` within a formula from ending the cell of a table: tables are split before anything in them is read. */

import type { MarkdownIt, StateBlock } from 'markdown-it';

/** Stands for such a bar while the table is split; the parser's text never has one of its own. */
const HIDDEN = '\0';
const DELIMITER_ROW = /^[|:\- \t]+$/;
const DELIMITERS: ReadonlySet<string | undefined> = new Set('|:-');

/** Where in a line stands what may hold bars, in order. */
type FindSpans = (line: string) => readonly (readonly [number, number])[];

export function escapeFormulaPipes(md: MarkdownIt, findSpans: FindSpans): void {
  /** The first line that wasn't looked at; so each is looked at once. */
  const next = new WeakMap<StateBlock, number>();
  // Never a block itself: it goes over the lines that the rule for tables is about to split.
  md.block.ruler.before(
    'table',
    'table_bars',
    (state, line, end) => {
      const columns = line + 1 < end ? columnsOf(state, line + 1) : 0;
      const from = Math.max(line, next.get(state) ?? 0);
      if (columns) next.set(state, hidePipes(state, from, end, columns, findSpans));
      return false;
    },
    { alt: ['paragraph', 'reference'] },
  );
  md.core.ruler.after('block', 'table_bars', ({ tokens }) => {
    for (const token of tokens) {
      if (token.content.includes(HIDDEN)) token.content = token.content.replaceAll(HIDDEN, '|');
    }
  });
}

/** Goes to the next empty line; returns that line. */
function hidePipes(state: StateBlock, from: number, end: number, columns: number, find: FindSpans): number {
  const pieces: string[] = [];
  let [line, done] = [from, 0];
  for (; line < end && !state.isEmpty(line); line += 1) {
    const text = textOf(state, line);
    const hidden = withHiddenPipes(text, columns, find);
    if (hidden === text) continue;
    const start = startOf(state, line);
    pieces.push(state.src.slice(done, start), hidden);
    done = start + hidden.length;
  }
  if (pieces.length) state.src = pieces.join('') + state.src.slice(done);
  return line;
}

/** As long as the row itself. */
function withHiddenPipes(row: string, columns: number, find: FindSpans): string {
  if (!row.includes('|') || !/[$\\]/.test(row)) return row;
  let hidden = '';
  let done = 0;
  for (const [from, to] of find(row)) {
    hidden += row.slice(done, from) + row.slice(from, to).replaceAll('|', HIDDEN);
    done = to;
  }
  hidden += row.slice(done);
  if (hidden === row) return row;
  // `|$HOME|$PATH|` are two cells where two are wanted.
  return cellsIn(hidden) !== columns && cellsIn(row) === columns ? row : hidden;
}

/** How many columns a delimiter row makes; 0 for another line. */
function columnsOf(state: StateBlock, line: number): number {
  if (!DELIMITERS.has(state.src[startOf(state, line)])) return 0;
  const text = textOf(state, line);
  return DELIMITER_ROW.test(text) ? cellsIn(text) : 0;
}

/** How many cells the rule for tables makes of a row. */
function cellsIn(row: string): number {
  const text = row.trim();
  const bars = [...text.matchAll(/(?<!\\)\|/g)].map(({ index }) => index);
  return bars.length + 1 - Number(bars[0] === 0) - Number(bars.at(-1) === text.length - 1);
}

function startOf(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

function textOf(state: StateBlock, line: number): string {
  return state.src.slice(startOf(state, line), state.eMarks[line]);
}
