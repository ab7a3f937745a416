import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newMarkdown, renderMarkdown } from '../../src/markdown/render.ts';
import { hasLinkDefinitions, stablePrefixLength } from '../../src/markdown/stable-prefix.ts';

const md = newMarkdown(false);

const BLOCKS = [
  'A paragraph\nof two lines.\n\n',
  '# Title\n',
  '- one\n- two\n\n  more of two\n\n',
  '1. first\n2. second\n',
  '```python\ndef f():\n\n    return 1\n```\n',
  '> quoted\nlazily\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '***\n',
  '***bold***\n',
  'Setext\n---\n',
  '-\n',
  '    indented\n\n    code\n\n',
  '```\nnever closed\n\n',
  '$$\na\n- b\n$$\n',
  '\\[\nx\n= y\n\\]\n',
  'so $a_1$ and \\(b\\)\n\n',
  '| $|a|$ | \\(P(a|b)\\) |\n|---|---|\n| `$` | $5 and $|b|$ |\n\n',
  '$$\nnever closed\n\n',
  'text\n$$\n# a\n',
];

/** HTML of the text as it is drawn while it grows by `step` characters at a time. */
function drawn(text: string, step: number): string {
  let html = '';
  let settled = 0;
  for (let end = step; end < text.length; end += step) {
    const length = stablePrefixLength(md, text.slice(settled, end));
    html += renderMarkdown(md, text.slice(settled, settled + length));
    settled += length;
  }
  return html + renderMarkdown(md, text.slice(settled));
}

it('never settles what the text to come would have changed', () => {
  const text = fc
    .array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 7 })
    .map((blocks) => blocks.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 17 }), (markdown, step) => {
      expect(drawn(markdown, step)).toBe(renderMarkdown(md, markdown));
    }),
    { numRuns: 300 },
  );
});

describe('the settled part', () => {
  it.each([
    ['one block', 'text\n\n', 0],
    ['a last line that may become something else', 'para\n\n**', 0],
    ['two blocks', 'one\n\ntwo\n', 5],
    ['an open fence', 'one\n\n```\ncode\n\nmore\n', 5],
  ])('of %s', (_name, text, length) => {
    expect(stablePrefixLength(md, text)).toBe(length);
  });
});

it.each([
  ['[a]: https://a.example', true],
  ['text\n  [a b]: x', true],
  ['[a](x) and [b]', false],
  ['`[a]: x`', false],
])('%j defines a link: %s', (text, expected) => {
  expect(hasLinkDefinitions(text)).toBe(expected);
});
