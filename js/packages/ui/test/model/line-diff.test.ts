import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, type Line, linesOf, withGaps } from '../../src/model/line-diff.ts';

const text = ({ parts }: Line) => parts.map((part) => part.text).join('');
const side = (lines: readonly Line[], gone: '-' | '+') =>
  lines.filter((line) => line.sign !== gone).map(text);
const marked = ({ parts }: Line) => parts.filter((part) => part.isMarked).map((part) => part.text);
const drawn = (lines: readonly Line[]) => lines.map((line) => line.sign + text(line));

describe('a diff', () => {
  it('has both texts in it, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '  a', '', 'x = 1', 'x = 2'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, next) => {
        const both = diffLines(
          old.map((line) => `${line}\n`).join(''),
          next.map((line) => `${line}\n`).join(''),
        );
        expect(side(both, '+')).toEqual(old);
        expect(side(both, '-')).toEqual(next);
      }),
    );
  });

  it('says what went before what came', () => {
    expect(drawn(diffLines('a\nb\nc\n', 'a\nB\nC\nc\n'))).toEqual([' a', '-b', '+B', '+C', ' c']);
  });

  it('marks the words that differ', () => {
    const [old, next] = diffLines('total = price * 2\n', 'total = cost * 2\n') as [Line, Line];
    expect([marked(old), marked(next)]).toEqual([['price'], ['cost']]);
  });

  it('marks a shift of the indentation and nothing else', () => {
    const [old, next] = diffLines('  return total\n', '\treturn total\n') as [Line, Line];
    expect([marked(old), marked(next)]).toEqual([['  '], ['\t']]);
  });

  it('marks no words of lines that have little in common', () => {
    const lines = diffLines('import os\n', 'def main() -> None:\n');
    expect(lines.flatMap(marked)).toEqual([]);
  });

  it('sees no difference in line ends alone', () => {
    expect(drawn(diffLines('a\r\nb\r\n', 'a\nb\n'))).toEqual([' a', ' b']);
    expect(linesOf('a\r\n\r\nb')).toEqual(['a', '', 'b']);
  });

  it('shows texts that are too long to compare one after the other', () => {
    const lines = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}\n`).join('');
    const both = diffLines(`same\n${lines('old')}end\n`, `same\n${lines('new')}end\n`);
    expect(both).toHaveLength(6002);
    expect(both.slice(1, 3001).every(({ sign }) => sign === '-')).toBe(true);
  });
});

describe('gaps', () => {
  it('take the place of lines that are far from any change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const shown = withGaps(
      diffLines(lines.join(''), [...lines.slice(0, 10), 'new\n', ...lines.slice(10)].join('')),
    );
    expect(shown.map((line) => (line.sign === '…' ? line.count : text(line)))).toEqual([
      7,
      ...['7', '8', '9', 'new', '10', '11', '12'],
      7,
    ]);
  });

  it('are no shorter than two lines', () => {
    expect(withGaps(diffLines('1\n2\n3\n4\n', '1\n2\n3\n4\nnew\n'))).toHaveLength(5);
  });
});
