import { expect, it } from 'vitest';
import { decodeHTMLStrict } from '../../src/markdown/entities.ts';
import { newMarkdown, renderMarkdown } from '../../src/markdown/render.ts';

it.each([
  ['&amp;', '&'],
  ['&semi;', ';'],
  ['&nbsp;', '\u00a0'],
  ['&rarr;', '→'],
  ['&CounterClockwiseContourIntegral;', '∳'],
  ['&nosuchname;', '&nosuchname;'],
  ['&ampx;', '&ampx;'],
  ['&notit;', '&notit;'],
])('reads %s as %s', (reference, characters) => {
  expect(decodeHTMLStrict(reference)).toBe(characters);
});

it('is what Markdown is read with', () => {
  const html = renderMarkdown(newMarkdown(false), '&copy; &lt;b&gt; &bogus; \\&amp; `&amp;`');
  expect(html).toBe('<p>© &lt;b&gt; &amp;bogus; &amp;amp; <code>&amp;amp;</code></p>\n');
});
