import { describe, expect, it } from 'vitest';
import { headingLine } from '../../src/model/headings.ts';

const TEXT = `# The \`first\` one

## Use it, now! ##

~~~sh
# Not a heading
~~~

## Use it, now!
### [Linked](https://x.org) Äpfel
`;

describe('the heading that a link means', () => {
  it.each([
    ['the-first-one', 1],
    ['use-it-now', 3],
    ['use-it-now-1', 9],
    ['Linked-Äpfel', 10],
    ['not-a-heading', 0],
    ['', 0],
  ])('%s is in line %i', (anchor, line) => {
    expect(headingLine('docs/a.md', TEXT, anchor)).toBe(line);
  });

  it('is in a Markdown document only', () => {
    expect(headingLine('a.py', '# part', 'part')).toBe(0);
    expect(headingLine('a.MD', '# part\r\n', 'part')).toBe(1);
  });
});
