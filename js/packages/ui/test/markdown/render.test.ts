import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as colours from '../../src/colours/index.ts';
import { highlightCode } from '../../src/markdown/code-highlighter.ts';
import { isAllowedLink, newMarkdown, renderMarkdown } from '../../src/markdown/render.ts';
import { sanitize } from '../../src/markdown/sanitize.ts';

const md = newMarkdown(false);

function show(markdown: string): HTMLElement {
  const root = document.createElement('div');
  root.append(sanitize(renderMarkdown(md, markdown)));
  for (const block of root.querySelectorAll('.code')) highlightCode(block, colours);
  return root;
}

/** Everything that could load, run or navigate. */
function dangers(root: Element): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(/^(script|style|iframe|object|embed|img|svg|math|form|input|link|meta|base|video|audio)$/i.test(
      element.tagName,
    )
      ? [element.tagName]
      : []),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          /^on|^src|^style|^id$|^name$/i.test(name) || (name === 'href' && !isAllowedLink(value)),
      )
      .map(({ name, value }) => `${name}=${value}`),
  ]);
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<style>*{background:url(http://evil)}</style>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox)',
  '[x](file:///etc/passwd)',
  '[x](blob:http://host/id)',
  '<javascript:alert(1)>',
  '![x](https://evil.example/pixel.png)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x](javascript:alert(1) "t")',
  '[x]: javascript:alert(1)\n\n[x]',
  '```<img src=x onerror=alert(1)>\ncode\n```',
  '```"><script>alert(1)</script>\ncode\n```',
  '```html\n<img src=x onerror=alert(1)>\n```',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  '[x](https://ok.example "\\" onmouseover=alert(1)")',
  '**<b onclick=alert(1)>x</b>**',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '`<script>alert(1)</script>`',
  '<x-app data-ac="send" id=send>',
];

describe('what a model writes', () => {
  it.each(ATTACKS)('can do no harm: %s', (attack) => {
    expect(dangers(show(attack))).toEqual([]);
  });

  it('can do no harm in any mixture', () => {
    const piece = fc.oneof(
      fc.constantFrom(...ATTACKS),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('\n\n', '> ', '- '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect(dangers(show(pieces.join('')))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is sanitised even if the parser let something through', () => {
    const html = '<p style="position:fixed" id="x" onclick="a()">t</p><img src="y"><a href="data:x">z</a>';
    const root = document.createElement('div');
    root.append(sanitize(html));
    expect(root.innerHTML).toBe('<p>t</p><a>z</a>');
  });
});

describe('links', () => {
  it.each(['https://a.example/x', 'http://a.example', 'mailto:a@b.example'])(
    '%s opens apart, tells nothing',
    (url) => {
      const link = show(`[x](${url})`).querySelector('a');
      expect(link?.getAttribute('href')).toBe(url);
      expect(link?.target).toBe('_blank');
      expect(link?.rel.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer']));
    },
  );

  it('into the repository are text for now', () => {
    const link = show('[units](src/units.py)').querySelector('a');
    expect(link?.hasAttribute('href')).toBe(false);
    expect(link?.textContent).toBe('units');
  });

  it('are made of bare addresses, not of file names', () => {
    const root = show('see https://a.example/x and models.py');
    expect([...root.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['https://a.example/x']);
  });

  it('stand for pictures, which load nothing', () => {
    const root = show('![a chart](https://a.example/chart.png)');
    expect(root.querySelector('img')).toBeNull();
    expect(root.querySelector('a')?.textContent).toBe('Image: a chart');
  });
});

describe('code', () => {
  it('is coloured in a known language, with its name above', () => {
    const root = show('```python\ndef f(): pass\n```');
    expect(root.querySelector('.code-head span')?.textContent).toBe('python');
    expect(root.querySelector('.hljs-keyword')?.textContent).toBe('def');
    expect(root.querySelector('code')?.textContent).toBe('def f(): pass\n');
  });

  it.each([
    'js',
    'ts',
    'tsx',
    'json',
    'sh',
    'html',
    'yml',
    'c',
    'c++',
    'diff',
    'md',
    'sql',
    'rs',
    'go',
    'java',
    'css',
  ])('knows %s', (language) => {
    const code = '# a\n"b": 1 // c\n<d>\n- 1\n+ e\nselect 1;\nfn x() { return 1; }\na { color: red }';
    expect(show(`\`\`\`${language}\n${code}\n\`\`\``).querySelector('code span')).not.toBeNull();
  });

  it('in an unknown language stays as it is', () => {
    const root = show('```brainf\n<+>\n```');
    expect(root.querySelector('code')?.innerHTML).toBe('&lt;+&gt;\n');
  });

  it('keeps its text, whatever it is', () => {
    const code = fc.string({ unit: 'grapheme', maxLength: 200 }).filter((text) => !/[`\r\n\0]/.test(text));
    fc.assert(
      fc.property(code, fc.constantFrom('python', 'html', ''), (text, language) => {
        const shown = show(`\`\`\`${language}\n${text}\n\`\`\``).querySelector('code')?.textContent;
        expect(shown).toBe(text === '' ? '\n' : `${text}\n`);
      }),
      { numRuns: 100 },
    );
  });
});

it('aligns table columns without style attributes', () => {
  const cells = show('| a | b |\n|--:|:-:|\n| 1 | 2 |').querySelectorAll('td');
  expect([...cells].map((cell) => cell.className)).toEqual(['right', 'center']);
});

it("keeps a question's line ends", () => {
  expect(renderMarkdown(newMarkdown(true), 'one\ntwo')).toContain('<br>');
});
