/** Line diff with word-level highlights (longest common subsequence). Pure. */

export interface Part {
  readonly text: string;
  /** It is missing in the line's other version. */
  readonly isMarked: boolean;
}

export interface Line {
  readonly sign: '-' | '+' | ' ';
  readonly parts: readonly Part[];
}

/** Equal lines that are left out. */
export interface Gap {
  readonly sign: '…';
  readonly count: number;
}

/** Limit of the table: beyond it the comparison would block the page, and the texts are shown one after the other. */
const MAX_CELLS = 400_000;
const MAX_WORD_CELLS = 40_000;
/** Share of common words from which two lines count as versions of one line. */
const MIN_SIMILARITY = 0.4;
/** Number of added lines among which a removed line's new version is searched. */
const LOOKAHEAD = 5;
const CONTEXT_LINES = 3;

const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

/** Unified diff of two texts; removed lines come before added ones. */
export function diffLines(old: string, next: string): Line[] {
  const [before, after] = [linesOf(old), linesOf(next)];
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (const [row, column] of [...common(before, after, MAX_CELLS), [before.length, after.length] as const]) {
    lines.push(...change(before.slice(i, row), after.slice(j, column)));
    if (row < before.length) lines.push({ sign: ' ', parts: plain(before[row] ?? '') });
    [i, j] = [row + 1, column + 1];
  }
  return lines;
}

/** Replaces long runs of equal lines by gaps. */
export function withGaps(lines: readonly Line[]): (Line | Gap)[] {
  const isNear = lines.map(() => false);
  lines.forEach(({ sign }, index) => {
    if (sign !== ' ') isNear.fill(true, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  });
  const shown: (Line | Gap)[] = [];
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (end < lines.length && isNear[end] === isNear[start]) end += 1;
    // A gap takes a line itself.
    if (isNear[start] || end - start < 2) shown.push(...lines.slice(start, end));
    else shown.push({ sign: '…', count: end - start });
    start = end;
  }
  return shown;
}

/** Lines without their line ends. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function change(removed: readonly string[], added: readonly string[]): Line[] {
  const before: Part[][] = removed.map(plain);
  const after: Part[][] = added.map(plain);
  let next = 0;
  removed.forEach((line, index) => {
    const end = Math.min(added.length, next + LOOKAHEAD);
    for (let place = next; place < end; place += 1) {
      const pair = words(line, added[place] ?? '');
      if (!pair) continue;
      [before[index], after[place]] = pair;
      next = place + 1;
      return;
    }
  });
  return [
    ...before.map((parts) => ({ sign: '-', parts }) as const),
    ...after.map((parts) => ({ sign: '+', parts }) as const),
  ];
}

/** Word diff of two lines; null when they have too little in common. */
function words(old: string, next: string): [Part[], Part[]] | null {
  const [before, after] = [old.match(WORDS) ?? [], next.match(WORDS) ?? []];
  const pairs = common(before, after, MAX_WORD_CELLS);
  const count = (tokens: readonly string[]) => tokens.filter((token) => token.trim()).length;
  const same = count(pairs.map(([index]) => before[index] ?? ''));
  if (same < MIN_SIMILARITY * Math.max(count(before), count(after))) return null;
  return [
    parts(before, new Set(pairs.map(([index]) => index))),
    parts(after, new Set(pairs.map(([, index]) => index))),
  ];
}

function parts(tokens: readonly string[], same: ReadonlySet<number>): Part[] {
  const merged: { text: string; isMarked: boolean }[] = [];
  tokens.forEach((text, index) => {
    const last = merged.at(-1);
    const isMarked = !same.has(index);
    if (last?.isMarked === isMarked) last.text += text;
    else merged.push({ text, isMarked });
  });
  return merged;
}

function plain(text: string): Part[] {
  return [{ text, isMarked: false }];
}

/** Index pairs of a longest common subsequence; for too long texts only the common beginning and end. */
function common(one: readonly string[], other: readonly string[], most: number): [number, number][] {
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let tail = 0;
  const rest = Math.min(one.length, other.length) - start;
  while (tail < rest && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const [rows, columns] = [one.length - start - tail, other.length - start - tail];
  const pairs: [number, number][] = Array.from({ length: start }, (_, index) => [index, index]);
  if (rows * columns <= most) {
    const middle = longest(one.slice(start, start + rows), other.slice(start, start + columns));
    for (const [row, column] of middle) pairs.push([start + row, start + column]);
  }
  for (let left = tail; left > 0; left -= 1) pairs.push([one.length - left, other.length - left]);
  return pairs;
}

function longest(one: readonly string[], other: readonly string[]): [number, number][] {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
