import '../support/jsdom.ts';
import { describe, expect, it } from 'vitest';
import { linkAnswer } from '../../src/markdown/link-answer.ts';
import { markdownNodes } from '../../src/markdown/markdown-view.ts';
import { FileResolver } from '../../src/model/file-resolver.ts';
import type { RepositorySymbol } from '../../src/model/symbols.ts';
import { treeOf } from '../support/trees.ts';

const files = new FileResolver(() => tree);
const tree = treeOf(['src/a.py', 'lib/a.py', 'src/store.py', 'README.md']);

function symbol(name: string, line = 3): RepositorySymbol {
  return { name, kind: 'class', container: '', signature: '', location: { path: 'src/a.py', line, col: 1 } };
}

const KNOWN: Readonly<Record<string, readonly RepositorySymbol[]>> = {
  Report: [symbol('Report')],
  load: [symbol('load', 1), symbol('load', 9)],
  nothing: [],
};

function linked(markdown: string): { root: HTMLElement; links: string[]; unknown: string[] } {
  const root = document.createElement('div');
  root.append(markdownNodes(markdown));
  const unknown = linkAnswer(root, files, (name) => KNOWN[name]);
  const links = [...root.querySelectorAll<HTMLElement>('a.place')].map(
    ({ textContent, dataset: { path, line, query } }) =>
      query ? `${textContent} ? ${query}` : `${textContent} → ${path}:${line}`,
  );
  return { root, links, unknown };
}

describe('links in an answer', () => {
  it('are files in code and in prose, with their lines', () => {
    const { links, root } = linked(
      'See `src/a.py:4`, README.md and **src/store.py**, not `nope.py` or a.py.',
    );
    expect(links).toEqual([
      'src/a.py:4 → src/a.py:4',
      'README.md → README.md:0',
      'src/store.py → src/store.py:0',
    ]);
    expect(root.textContent).toContain('See src/a.py:4, README.md and src/store.py, not nope.py or a.py.');
  });

  it('are files by the end of their path where only one has it', () => {
    expect(linked('`store.py:2` and `lib/a.py` but not `a.py`.').links).toEqual([
      'store.py:2 → src/store.py:2',
      'lib/a.py → lib/a.py:0',
    ]);
  });

  it('are what Markdown links lead to', () => {
    expect(
      linked('[the store](src/store.py#L7) and [x](nope.py) and [out](https://x.org/src/a.py)').links,
    ).toEqual(['the store → src/store.py:7']);
  });

  it('lead to a heading, once its line is known', () => {
    const { root, links } = linked('`README.md#r`, README.md#r-s and [text](README.md#%C3%A4)');
    expect(links).toEqual(['README.md#r → README.md:0', 'README.md#r-s → README.md:0', 'text → README.md:0']);
    const anchors = [...root.querySelectorAll<HTMLElement>('a.place')].map(({ dataset }) => dataset.anchor);
    expect(anchors).toEqual(['r', 'r-s', 'ä']);
  });

  it('are symbols where one is meant; several are searched for', () => {
    const { links, unknown } = linked('`Report` `load()` `nothing` `Unknown.name` `a + b`');
    expect(links).toEqual(['Report → src/a.py:3', 'load() ? load']);
    expect(unknown).toEqual(['Unknown.name']);
  });

  it('leave blocks of code alone, and what is a link already', () => {
    const { root, links } = linked('```\nsrc/a.py\n```\n\n`README.md`');
    expect(links).toHaveLength(1);
    linkAnswer(root, files, (name) => KNOWN[name]);
    expect(root.querySelectorAll('a.place a, a.place')).toHaveLength(1);
  });

  it('are made of the files that there are only, whatever an answer says', () => {
    const { root } = linked(
      '[x](javascript:alert(1)) <a class="place" data-path="x">y</a> `../../etc/passwd` /etc/passwd',
    );
    expect(root.querySelectorAll('a.place, a[href]')).toHaveLength(0);
  });
});
