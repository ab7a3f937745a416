import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as colours from '../../src/colours/index.ts';
import { CodeHighlighter } from '../../src/markdown/code-highlighter.ts';
import { DiagramBlocks } from '../../src/markdown/diagrams.ts';
import { FormulaRenderer } from '../../src/markdown/formulas.ts';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';
import { MAX_FORMULA } from '../../src/markdown/maths-plugin.ts';
import { PostProcessor } from '../../src/markdown/post-processor.ts';
import { newMarkdown, renderMarkdown } from '../../src/markdown/render.ts';
import { sanitize } from '../../src/markdown/sanitize.ts';
import { stablePrefixLength } from '../../src/markdown/stable-prefix.ts';
import * as maths from '../../src/maths/index.ts';
import { processorTime } from '../support/processor-time.ts';

const md = newMarkdown(false);

const postProcessor = (load: () => Promise<typeof maths>, maxFormulas?: number) =>
  new PostProcessor(
    new FormulaRenderer(load, maxFormulas),
    new CodeHighlighter(async () => colours),
    new DiagramBlocks(() => null),
  );

/** The formulas of a text, each with the signs around it; display ones begin with `D`. */
function found(markdown: string): string[] {
  const nodes = sanitize(renderMarkdown(md, markdown));
  return [...nodes.querySelectorAll('.math')].map(
    (each) => (each.classList.contains('display') ? 'D' : '') + each.textContent,
  );
}

/** What is written in a cell, and what is seen of it while no formula is set. */
const CELLS = [
  ['$|x|$', '$|x|$'],
  ['$P(a|b)$ and $|c|$', '$P(a|b)$ and $|c|$'],
  ['\\(|x|\\)', '\\(|x|\\)'],
  ['$$a|b$$', '$$a|b$$'],
  ['`$a$`', '$a$'],
  ['`$`', '$'],
  ['$5', '$5'],
  ['a \\| b', 'a | b'],
  ['', ''],
] as const;

function cellsOf(row: string, columns: number): string[] {
  const table = `${'| h '.repeat(columns)}|\n${'|---'.repeat(columns)}|\n${row}\n`;
  const nodes = sanitize(renderMarkdown(md, table));
  return [...nodes.querySelectorAll('td')].map(({ textContent }) => textContent);
}

async function shown(markdown: string): Promise<HTMLElement> {
  const root = document.createElement('div');
  new MarkdownView(
    root,
    false,
    postProcessor(async () => maths),
  ).show(markdown, true);
  await vi.waitFor(() => expect(root.querySelector('math, .math > code')).not.toBeNull(), 30_000);
  return root;
}

describe('formulas are found', () => {
  it.each([
    ['so $a_1 * b_2$ and $*c*$', ['$a_1 * b_2$', '$*c*$']],
    ['\\(a\\,b\\) and \\[x \\\\ y\\]', ['\\(a\\,b\\)', 'D\\[x \\\\ y\\]']],
    ['$$x$$ in a line', ['D$$x$$']],
    ['$$\na\n- b\n# c\n= d\n$$', ['D$$\na\n- b\n# c\n= d\n$$']],
    ['where\n\\[\na\n= b\n\\]\nholds', ['D\\[\na\n= b\n\\]']],
    ['- item\n  $$\n  a\n  $$\n- $b$', ['D$$\na\n$$', '$b$']],
    ['> \\[\n> a\n> \\]', ['D\\[\na\n\\]']],
    ['| a |\n|---|\n| $x_1$ |', ['$x_1$']],
    ['**bold $a*b$ text**', ['$a*b$']],
    ['[$a$](https://a.example)', ['$a$']],
    ['costs $5 and $x$, or $6 for $y$', ['$x$', '$y$']],
    ['| a | b |\n|---|---|\n| $|x|$ | $P(a|b)$ |', ['$|x|$', '$P(a|b)$']],
    ['| $|x|$ | b |\n|:-:|---|\n| \\(a|b\\) | $$|y|$$ |', ['$|x|$', '\\(a|b\\)', 'D$$|y|$$']],
    ['> | a |\n> |---|\n> | $\\|x\\|$ |', ['$\\|x\\|$']],
    ['the $n$th, $k$-means, 10$^\\circ$C, H$_2$O, 5$\\mu$m', ['$n$', '$k$', '$^\\circ$', '$_2$', '$\\mu$']],
    ['其中$x$是$f$(x), $x,$ and $3$', ['$x$', '$f$', '$x,$', '$3$']],
    ['text\n| a |\n|---|\n| $|x|$ |', ['$|x|$']],
  ])('in %j', (text, formulas) => {
    expect(found(text)).toEqual(formulas);
  });

  it.each([
    'costs $5 and $6',
    'from $5-$6 on',
    'US$ 5 or 10 $ more',
    'from $5.00–$6.00, US$ 3 each',
    '5$-6$, or 7$, 8$; (5$) and (6$)',
    '$7; USD$ and CAD$',
    '$HOME/$USER and $PATH:$HOME',
    '$(pwd)/$(ls)',
    '$ a$ and $a $',
    '\\$a\\$',
    '`$a$` and `\\(b\\)`',
    'one `$` and two `$`',
    '```\n$a$\n\\[b\\]\n```',
    '    $$\n    a\n    $$',
    '$$\na\n\nb\n$$',
    '\\\\(a\\\\)',
    '$$ $$',
    `$${'a'.repeat(MAX_FORMULA + 1)}$`,
  ])('not in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('in no cells that are as many as the table has columns', () => {
    expect(cellsOf('|$HOME|$PATH|', 2)).toEqual(['$HOME', '$PATH']);
    expect(cellsOf('| $5 | `$a|b$` | c |', 4)).toEqual(['$5', '`$a', 'b$`', 'c']);
    expect(cellsOf('| a \\| b | $5 |', 2)).toEqual(['a | b', '$5']);
  });

  it('in each cell of a table on its own, whatever stands in the others', () => {
    const rows = fc.array(fc.constantFrom(...CELLS), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, (cells) => {
        const row = `| ${cells.map(([written]) => written).join(' | ')} |`;
        expect(cellsOf(row, cells.length)).toEqual(cells.map(([, seen]) => seen));
      }),
      { numRuns: 200 },
    );
  });

  it('and what keeps the bars in them is never seen', () => {
    const piece = fc.constantFrom('| ', '|---|\n', '$', 'x', '`', '\\(', '\\)', '> ', '- ', '```\n', '\n');
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (markdown) => {
        expect(renderMarkdown(md, markdown)).not.toMatch(/[\0\ufffd]/);
      }),
      { numRuns: 500 },
    );
  });

  it('while the text grows, and no part of one is drawn for good', () => {
    const text = 'First.\n\n$$\na\n- b\n';
    expect(stablePrefixLength(md, text)).toBe('First.\n\n'.length);
    const tail = sanitize(renderMarkdown(md, '$$\na\n- b\n', true));
    expect(tail.querySelector('li')).toBeNull();
    expect(tail.textContent?.trim()).toBe('$$\na\n- b');
  });

  it.each([
    '$a ',
    '$$a ',
    '| $a|b$ |\n|---|\n',
    '> |a|\n|-|\n',
    '\\(a ',
    '\\[\n',
    '$$\na\n\n',
    '$',
    '\\(`',
    '$a$',
  ])('in linear time, of many %j', (piece) => {
    const time = (size: number): number => {
      const text = piece.repeat(size / piece.length);
      return processorTime(() => renderMarkdown(md, text)) + 1;
    };
    time(20_000);
    const short = Math.min(...[1, 2, 3].map(() => time(20_000)));
    const long = Math.min(...[1, 2, 3].map(() => time(160_000)));
    expect(long / short).toBeLessThan(40);
  });
});

describe('formulas are set', () => {
  it('as MathML, inline and on their own', async () => {
    const root = await shown('so $a_1$, and\n\n$$\n\\frac{a}{b}\n$$\n');
    expect(root.querySelectorAll('math')).toHaveLength(2);
    expect(root.querySelector('msub')?.textContent).toBe('a1');
    expect(root.querySelector('.display mfrac')).not.toBeNull();
    expect(root.textContent).not.toContain('$');
  });

  it('a few at once, more in slices of time, and of many only the first', async () => {
    const root = document.createElement('div');
    document.body.append(root);
    const view = new MarkdownView(
      root,
      false,
      postProcessor(async () => maths, 30),
    );
    view.show('$a$', true);
    await vi.waitFor(() => expect(root.querySelector('math')).not.toBeNull(), 30_000);
    view.show(Array.from({ length: 40 }, (_, number) => `$x_{${number}}$`).join(' '), true);
    expect(root.querySelectorAll('math')).toHaveLength(20);
    await vi.waitFor(() => expect(root.querySelectorAll('math')).toHaveLength(30), 30_000);
    expect(root.querySelectorAll('.math')[39]?.textContent).toBe('$x_{39}$');
    root.remove();
  });

  it('in letters and lines that browsers know', async () => {
    const root = await shown(
      '$\\mathbb{R} \\mathcal{OL} \\mathbf{x1} \\boldsymbol{\\beta} \\mathfrak{g} \\mathrm{d}$',
    );
    expect(root.textContent?.trim()).toBe('ℝ𝒪ℒ𝐱𝟏𝜷𝔤d');
    for (const kind of root.querySelectorAll('[mathvariant]'))
      expect(kind.getAttribute('mathvariant')).toBe('normal');
    const lined = await shown('$\\overline{x+y} + \\underline{z}$');
    expect(lined.querySelector('.overline')?.textContent).toBe('x+y');
    expect(lined.querySelector('.underline')?.textContent).toBe('z');
    expect(lined.textContent).not.toContain('‾');
  });

  it.each([
    ['a \\bmod n', 'a mod n'],
    ['\\underset{x}{\\operatorname{argmin}} f', 'argmin\u2061xf'],
    ['\\stackrel{!}{=}', '=!'],
    ['\\overset{def}{=}', '=def'],
    ['\\mathop{abc}_i', 'abci'],
  ])('whole, also where KaTeX puts elements into an operator: %s', async (tex, text) => {
    const root = await shown(`$${tex}$`);
    expect(root.textContent?.replace(/\s+/g, ' ').trim()).toBe(text);
    for (const token of root.querySelectorAll('mo, mi')) expect(token.children).toHaveLength(0);
  });

  it.each([
    ['\\sin x', 'sin_x'],
    ['2\\sin\\theta\\cos\\theta', '2_sin_θ_cos_θ'],
    ['O(n \\log n)', 'O(n_log_n)'],
    ['\\log_2 n', 'log2_n'],
    ['a + \\max(b)', 'a+max(b)'],
    ['\\sin^2(x) \\cos y', 'sin2(x)_cos_y'],
    ['\\min', 'min'],
  ])('with a blank beside the name of a function: %s', async (tex, text) => {
    const root = await shown(`$${tex}$`);
    for (const space of root.querySelectorAll('mspace')) space.textContent = '_';
    expect(root.textContent?.replaceAll('\u2061', '').trim()).toBe(text);
  });

  it('in columns that stand as they are meant, with their lines', async () => {
    const root = await shown(
      '$\\begin{aligned}a&=b\\\\c&=d\\end{aligned}\\begin{array}{l|r}e&f\\\\\\hline g&h\\end{array}$',
    );
    const classes = [...root.querySelectorAll('mtd')].map(({ classList }) => [...classList].join(' '));
    const row = ['to-right joined-right', 'to-left joined-left'];
    expect(classes).toEqual([
      ...row,
      ...row,
      'to-left solid-right solid-below',
      'to-right solid-below',
      'to-left solid-right',
      'to-right',
    ]);
  });

  it('with frames, strokes, accents and primes', async () => {
    const root = await shown("$\\boxed{a}\\cancel{b}\\hat{c}\\widetilde{de}f'_i\\xrightarrow{g}$");
    expect(root.querySelector('menclose.box')?.textContent).toBe('a');
    expect(root.querySelector('menclose.updiagonalstrike')?.textContent).toBe('b');
    expect([...root.querySelectorAll('mover[accent] mo')].map((sign) => sign.textContent)).toEqual([
      'ˆ',
      '˜',
    ]);
    expect(root.querySelector('msubsup > mpadded')?.textContent).toBe('′');
    expect(root.querySelector('[width^="+"]')).toBeNull();
  });

  it('once loaded, at once: the tail of a growing answer never shows source again', async () => {
    const root = document.createElement('div');
    const load = vi.fn(async () => maths);
    const view = new MarkdownView(root, false, postProcessor(load));
    view.show('so $a$', false);
    expect(root.querySelector('.math')?.textContent).toBe('$a$');
    await vi.waitFor(() => expect(root.querySelector('math')).not.toBeNull(), 30_000);
    view.show('so $a$ and $b$', false);
    expect(root.querySelectorAll('math')).toHaveLength(2);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('not while what sets them is not there: the source stays, and nobody asks again at once', async () => {
    const root = document.createElement('div');
    const load = vi.fn(async () => {
      throw new Error('gone');
    });
    const view = new MarkdownView(root, false, postProcessor(load));
    view.show('so $a$', false);
    await Promise.resolve();
    view.show('so $a$ and', true);
    expect(load).toHaveBeenCalledTimes(1);
    expect(root.textContent).toContain('so $a$ and');
  });

  it.each(['$\\frac{a$', '$\\nosuchcommand$', `$${'{'.repeat(1900)}${'}'.repeat(1900)}$`])(
    'or shown as code: %s',
    async (text) => {
      const root = await shown(text);
      if (!root.querySelector('math')) expect(root.querySelector('.math > code')?.textContent).toBe(text);
    },
  );
});

describe('a hostile formula', () => {
  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/pixel.png}',
    '\\htmlStyle{position:fixed}{x}',
    '\\htmlId{send}{x}',
    '\\htmlClass{toast}{x}',
    '\\htmlData{ac=send}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\color{url(https://evil.example)}x',
    '\\colorbox{red;position:fixed}{x}',
  ])('leads nowhere and carries no style: %s', async (tex) => {
    const root = await shown(`$${tex}$`);
    if (/^\\(href|url|include|html)/.test(tex))
      expect(root.querySelector('.math > code')?.textContent).toBe(`$${tex}$`);
    for (const element of root.querySelectorAll('*')) {
      expect(element.tagName).not.toMatch(/^(a|img|mglyph|script|style)$/i);
      const names = element.getAttributeNames().filter((name) => /^(on|href|src|style|id|data-)/.test(name));
      expect(names).toEqual([]);
    }
  });

  it.each([
    '\\def\\a{\\a\\a}\\a',
    '\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c',
    '\\newcommand{\\a}[1]{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}',
  ])('that explodes is stopped: %s', (tex) => {
    expect(() => maths.formula(tex, false)).toThrow('Too many expansions');
  });

  it('takes no more room than an answer has', () => {
    expect(maths.formula('\\rule{9999em}{9999em}', false)).not.toContain('9999em"');
    expect(maths.formula('\\hspace{9999em}', false)).not.toContain('9999em"');
  });
});
