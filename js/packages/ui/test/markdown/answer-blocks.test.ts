import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectFootnotes } from '../../src/markdown/footnotes.ts';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';
import { isAllowedLink } from '../../src/markdown/render.ts';

let answer: HTMLElement;

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
  answer = document.createElement('div');
  document.body.append(answer);
});

afterEach(() => document.body.replaceChildren());

function show(text: string, isQuestion = false): void {
  answer.replaceChildren();
  new MarkdownView(answer, isQuestion).show(text, true);
}

/** What is drawn, in one line. */
const html = () => answer.innerHTML.replace(/<div><\/div>$/, '').replaceAll('\n', '');

/** Everything that could load, run, leave the box or be found from outside. */
function dangers(root: Element): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(/^(script|style|iframe|object|embed|svg|form|link|meta|base|video|audio|picture|source)$/i.test(
      element.tagName,
    )
      ? [element.tagName]
      : []),
    ...(element.tagName === 'IMG' &&
    !/^data:image\/(png|jpeg|gif|webp|avif);base64,/.test(element.getAttribute('src') ?? '')
      ? ['img']
      : []),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          /^on|^srcset|^style|^id$|^name$|^background/i.test(name) ||
          (name === 'href' && !isAllowedLink(value)) ||
          (name === 'src' && element.tagName !== 'IMG'),
      )
      .map(({ name, value }) => `${name}=${value}`),
  ]);
}

describe('details', () => {
  it('contain Markdown below a summary', () => {
    show(
      '<details>\n<summary><b>The</b> **log**</summary>\n\n- one\n\n```\n</details>\n```\n</details>\n\nAfter.',
    );
    const details = answer.querySelector('details');
    expect(details?.querySelector('summary')?.innerHTML).toBe('The <strong>log</strong>');
    expect(details?.querySelector('li')?.textContent).toBe('one');
    expect(details?.querySelector('code')?.textContent).toBe('</details>\n');
    expect(answer.lastElementChild?.previousElementSibling?.textContent).toBe('After.');
    expect(details?.open).toBe(false);
  });

  it.each([
    ['<details><summary>A</summary>text</details>', '<details><summary>A</summary><p>text</p></details>'],
    [
      '<details open><summary>A</summary>\n\ntext\n</details>',
      '<details open=""><summary>A</summary><p>text</p></details>',
    ],
    ['<details>\ntext', '<details><summary>Details</summary><p>text</p></details>'],
    ['a\n<DETAILS>\nb\n</DETAILS>', '<p>a</p><details><summary>Details</summary><p>b</p></details>'],
    ['`<details>`', '<p><code>&lt;details&gt;</code></p>'],
    ['a <details> b', '<p>a &lt;details&gt; b</p>'],
  ])('%j is %s', (text, expected) => {
    show(text);
    expect(html()).toBe(expected);
  });

  it('nest, and deeper ones are text', () => {
    show('<details>\n<details>\nx\n</details>\ny\n</details>\nz');
    expect(answer.querySelectorAll('details details')).toHaveLength(1);
    expect(answer.querySelector('details')?.textContent).toContain('y');
    show('<details>\n'.repeat(200));
    expect(answer.querySelectorAll('details').length).toBeLessThan(10);
  });

  it('take nothing but themselves from their tags', () => {
    show(
      '<details onclick="alert(1)" style="position:fixed">\n<summary onclick=x><b>t</b></summary>\n</details>',
    );
    expect(dangers(answer)).toEqual([]);
    expect(answer.querySelector('b')).toBeNull();
  });

  it('stay as the reader has opened them while the answer is streamed', () => {
    const view = new MarkdownView(answer, false);
    view.show('<details>\n<summary>A</summary>\n\none', false);
    answer.querySelector('details')?.toggleAttribute('open', true);
    view.show('<details>\n<summary>A</summary>\n\none two\n</details>\n\nThree', false);
    expect(answer.querySelector('details')?.open).toBe(true);
    view.show(
      '<details>\n<summary>A</summary>\n\none two\n</details>\n\nThree.\n\n[a]: https://a.example',
      true,
    );
    expect(answer.querySelector('details')?.open).toBe(true);
  });
});

describe('footnotes', () => {
  const TEXT = 'It holds[^1], and so[^note] again[^1].\n\n[^1]: Because *so*.\n[^note]: See\n    more.\n';

  it('lead to each other, without ids', () => {
    show(TEXT);
    connectFootnotes(answer);
    const references = [...answer.querySelectorAll<HTMLElement>('.footnote-ref button')];
    expect(references.map(({ textContent }) => textContent)).toEqual(['1', 'note', '1']);
    expect(references[0]?.getAttribute('aria-label')).toBe('Footnote 1');
    expect(references[0]?.title).toBe('Because so.');
    references[1]?.click();
    expect(document.activeElement?.textContent).toContain('See\nmore.');
    answer.querySelectorAll<HTMLElement>('.footnote-back')[0]?.click();
    expect(document.activeElement).toBe(references[0]);
    expect(answer.querySelectorAll('[id], [href]')).toHaveLength(0);
  });

  it('of two answers do not meet', () => {
    const other = document.createElement('div');
    document.body.append(other);
    new MarkdownView(other, false).show('Here[^1].\n\n[^1]: Other.', true);
    show(TEXT);
    for (const each of [answer, other]) connectFootnotes(each);
    other.querySelector<HTMLElement>('.footnote-ref button')?.click();
    expect(other.contains(document.activeElement)).toBe(true);
  });

  it('are connected across the parts of an answer, once', () => {
    for (const text of ['Here[^a].', '[^a]: There.']) {
      const part = document.createElement('div');
      answer.append(part);
      new MarkdownView(part, false).show(text, true);
    }
    connectFootnotes(answer);
    connectFootnotes(answer);
    expect(answer.querySelectorAll('.footnote-ref button')).toHaveLength(1);
    expect(answer.querySelectorAll('.footnote-back')).toHaveLength(1);
  });

  it('without a note are text again', () => {
    show('Match `[^a]` or [^b] or [^c](https://x.example).');
    connectFootnotes(answer);
    expect(answer.textContent).toContain('Match [^a] or [^b] or ^c.');
    expect(answer.querySelectorAll('button')).toHaveLength(0);
  });

  it('do not move while they are streamed', () => {
    const view = new MarkdownView(answer, false);
    const seen: string[] = [];
    for (let end = 1; end <= TEXT.length; end += 1) {
      view.show(TEXT.slice(0, end), false);
      seen.push(answer.querySelector('p')?.outerHTML ?? '');
    }
    const before = html();
    view.show(TEXT, true);
    expect(html().replaceAll('<div></div>', '')).toBe(
      before.replaceAll(/<\/?div>(?=$|<div class="footnote")/g, '').replaceAll('<div></div>', ''),
    );
    expect(seen.at(-1)).toBe(answer.querySelector('p')?.outerHTML);
  });

  it('are not looked for in questions', () => {
    show('What is [^a]?', true);
    expect(answer.querySelector('sup')).toBeNull();
  });
});

describe('tables', () => {
  it('scroll in their own box, by the keyboard too', () => {
    show('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(answer.querySelector('table')?.tabIndex).toBe(0);
  });
});

it('whatever is in an answer loads nothing, runs nothing and has no names', () => {
  const piece = fc.constantFrom(
    ...[
      '<details>',
      '</details>',
      '<summary>',
      '</summary>',
      '<details open onload=x>',
      '\n',
      '\n\n',
      '    ',
      '> ',
      '- ',
    ],
    ...[
      '[^1]',
      '[^1]: ',
      '[^a]: <img src=x>',
      '![x](https://e.example/p.png)',
      '![x](//e.example/p.png)',
      '```',
      '|',
      '$',
    ],
    ...[
      '![x](data:image/png;base64,AAAA)',
      '![x](data:text/html;base64,AAAA)',
      '![x](a.png)',
      '![x](../../a.png)',
    ],
    ...[
      '[x](javascript:alert(1))',
      '<img src=x onerror=alert(1)>',
      '<style>',
      '"><script>',
      'text',
      '`',
      '\0',
      '\u202e',
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const view = new MarkdownView(answer, false);
      answer.replaceChildren(...answer.children);
      view.show(text.slice(0, text.length / 2), false);
      view.show(text, true);
      connectFootnotes(answer);
      expect(dangers(answer)).toEqual([]);
      answer.replaceChildren();
    }),
    { numRuns: 60 },
  );
});

it('the same is drawn whether it was streamed or not', () => {
  const piece = fc.constantFrom(
    '<details>\n',
    '</details>\n',
    '<summary>s</summary>',
    '[^1]',
    '\n[^1]: n\n',
    'a',
    '\n',
    '\n\n',
    '- ',
    '    ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const text = pieces.join('');
      const streamed = document.createElement('div');
      const view = new MarkdownView(streamed, false);
      for (let end = 0; end < text.length; end += 3) view.show(text.slice(0, end), false);
      view.show(text, true);
      const whole = document.createElement('div');
      new MarkdownView(whole, false).show(text, true);
      expect(streamed.textContent?.replace(/\s+/g, ' ')).toBe(whole.textContent?.replace(/\s+/g, ' '));
    }),
    { numRuns: 60 },
  );
});
