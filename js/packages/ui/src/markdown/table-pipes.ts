/** markdown-it plugin: hides `|` inside formulas from the table rule, which splits rows before parsing inline syntax. */

import type { MarkdownIt, StateBlock } from 'markdown-it';

/** Placeholder for a hidden pipe; markdown-it replaces NUL in its input, so it can't occur otherwise. */
const HIDDEN = '\0';
const DELIMITER_ROW = /^[|:\- \t]+$/;
const DELIMITERS: ReadonlySet<string | undefined> = new Set('|:-');

/** Finds the spans of a line in which pipes are hidden, in order. */
type FindSpans = (line: string) => readonly (readonly [number, number])[];

export function escapeFormulaPipes(md: MarkdownIt, findSpans: FindSpans): void {
  /** First unprocessed line, so that each line is processed once. */
  const next = new WeakMap<StateBlock, number>();
  // Never matches a block: it only rewrites the lines before the table rule splits them.
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

/** Processes the lines up to the next empty one; returns its number. */
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

/** The row with its formula pipes replaced; same length. */
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
  // `|$HOME|$PATH|` must stay two cells in a table with two columns.
  return cellsIn(hidden) !== columns && cellsIn(row) === columns ? row : hidden;
}

/** Number of columns of a delimiter row; 0 for other lines. */
function columnsOf(state: StateBlock, line: number): number {
  if (!DELIMITERS.has(state.src[startOf(state, line)])) return 0;
  const text = textOf(state, line);
  return DELIMITER_ROW.test(text) ? cellsIn(text) : 0;
}

/** Number of cells into which the table rule splits a row. */
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
