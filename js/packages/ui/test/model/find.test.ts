import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  hitsOf,
  MOST_HITS,
  matchesIn,
  PLAIN,
  patternOf,
  repeatsRepetitions,
  shownText,
  withoutMarkdown,
} from '../../src/model/find.ts';
import { type Message, parseMessages } from '../../src/model/messages.ts';

function messages(...contents: string[]): Message[] {
  return parseMessages(
    contents.map((content, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content,
      request_id: `${index}`,
    })),
  );
}

function pattern(query: string, more = {}): RegExp {
  const made = patternOf(query, { ...PLAIN, ...more });
  if (!(made instanceof RegExp)) throw new Error(String(made));
  return made;
}

it('takes a query literally, in any case', () => {
  expect(matchesIn('a.b A.B axb', pattern('a.b'))).toEqual([
    [0, 3],
    [4, 7],
  ]);
  expect(matchesIn('a.b A.B', pattern('a.b', { isCaseMatched: true }))).toEqual([[0, 3]]);
  expect(patternOf('', PLAIN)).toBeNull();
});

it('finds whole words, also beyond ASCII', () => {
  const whole = { isWholeWord: true };
  expect(matchesIn('map maps remap map_ map', pattern('map', whole))).toEqual([
    [0, 3],
    [20, 23],
  ]);
  expect(matchesIn('Straße Straßen', pattern('straße', whole))).toEqual([[0, 6]]);
});

it('takes patterns, says what is none, and leaves empty matches out', () => {
  expect(matchesIn('a1 b22', pattern('[a-z]\\d+', { isRegex: true }))).toEqual([
    [0, 2],
    [3, 6],
  ]);
  expect(matchesIn('abc', pattern('x*', { isRegex: true }))).toEqual([]);
  expect(typeof patternOf('(', { ...PLAIN, isRegex: true })).toBe('string');
});

it('searches what is shown: no signs of Markdown, but the text of code', () => {
  const text = withoutMarkdown(
    '# Title\n\n- **bold** _it_ `code`\n1. [link](https://x.org/hidden)\n> quoted\n\n| a | b |\n| --- | --- |\n\n```python\n# not a title\nx = 2 ** 3 ** 4\n```\n',
  );
  for (const shown of ['Title', 'bold it code', 'link', 'quoted', '# not a title', 'x = 2 ** 3 ** 4'])
    expect(text).toContain(shown);
  for (const hidden of ['hidden', '**bold', '---', 'python', '```']) expect(text).not.toContain(hidden);
});

it('lists hits in the order of the messages, each with its number', () => {
  const [one, two] = messages('map and map', 'a **map**');
  expect(hitsOf([one, two] as Message[], pattern('map'))).toEqual([
    { key: '0/user', number: 0 },
    { key: '0/user', number: 1 },
    { key: '1/assistant', number: 0 },
  ]);
  expect(shownText(one as Message)).toBe('map and map');
});

it('lists no more hits than it says', () => {
  expect(hitsOf(messages('a'.repeat(MOST_HITS + 5)), pattern('a'))).toHaveLength(MOST_HITS);
});

it('finds each literal query in a text that has it', () => {
  const words = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
  fc.assert(
    fc.property(words, words, words, (before, query, after) => {
      const text = `${before}${query}${after}`;
      const found = matchesIn(text, pattern(query, { isCaseMatched: true }));
      expect(found.length).toBeGreaterThan(0);
      for (const [start, end] of found) expect(text.slice(start, end)).toBe(query);
    }),
  );
});

it.each(['(a+)+', '(?:\\w+\\s?)*x', '((a|b)*c)+', '(a{2,})*', '([^x]+y?)+', '(a(b+)c)*'])(
  'does not run %s, which repeats a repetition',
  (query) => {
    expect(repeatsRepetitions(query)).toBe(true);
    expect(patternOf(query, { ...PLAIN, isRegex: true })).toContain('could take too long');
    expect(patternOf(query, PLAIN)).toBeInstanceOf(RegExp);
  },
);

it.each([
  'a+b*',
  '(ab)+',
  '(a|b)*',
  '\\(a+\\)+',
  '[(a+)]+',
  '(a+)b',
  '(a+)(b)*',
  'x{2}',
  '(ab)?c+',
  '(',
  '[',
  '\\',
])('runs %s', (query) => {
  expect(repeatsRepetitions(query)).toBe(false);
});
