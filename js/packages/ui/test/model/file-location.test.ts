import { describe, expect, it } from 'vitest';
import {
  escapeInvisible,
  locationLabel,
  parseLocation,
  parseLspLocation,
} from '../../src/model/file-location.ts';
import { mentionsIn, resolveMention, symbolName } from '../../src/model/mentions.ts';

const FILES = {
  resolve: (written: string) =>
    ['src/a.py', 'README.md', 'Makefile', 'a b.py'].find((path) => path === written) ?? '',
};

describe('a location as people write it', () => {
  it.each([
    ['a.py', 'a.py', 0, 0],
    ['./src/a.py:12', 'src/a.py', 12, 0],
    ['a.py:12:3', 'a.py', 12, 3],
    ['a.py#L12', 'a.py', 12, 0],
    ['a.py#L12-L20', 'a.py', 12, 0],
    ['a.py:12-20', 'a.py', 12, 0],
    ['a:b.py', 'a:b.py', 0, 0],
    ['', '', 0, 0],
  ])('%s', (written, path, line, col) => {
    expect(parseLocation(written)).toEqual({ path, line, col });
  });

  it('is read from what the server names, and is none without a file', () => {
    const range = { startLineNumber: 3, startColumn: 5 };
    expect(parseLspLocation({ file: 'a.py', range })).toEqual({ path: 'a.py', line: 3, col: 5 });
    expect(parseLspLocation(null)).toBeNull();
    expect(parseLspLocation({ range })).toBeNull();
  });
});

describe('a name with signs that are not seen', () => {
  it.each([
    ['src/a b.py', 'src/a b.py'],
    ['café_名前.py', 'café_名前.py'],
    ['evil\u202egnp.exe.py', 'evil\\u{202e}gnp.exe.py'],
    ['a\u200bb\u{e0041}.py', 'a\\u{200b}b\\u{e0041}.py'],
    ['two\nlines\t.py', 'two\\u{a}lines\\u{9}.py'],
    ['\ud800.py', '\\u{d800}.py'],
  ])('%j shows them', (name, shown) => {
    expect(escapeInvisible(name)).toBe(shown);
    expect(locationLabel({ path: name, line: 3, col: 0 })).toBe(`${shown}:3`);
  });
});

describe('the files that a text names', () => {
  it('are found with their lines, wherever a sentence puts them', () => {
    const text =
      'See src/a.py:3, (README.md) and "src/a.py". Not lib/src/a.py, https://x.org/README.md or e.g.';
    const found = mentionsIn(text, FILES).map(({ start, end, location }) => [
      text.slice(start, end),
      location.line,
    ]);
    expect(found).toEqual([
      ['src/a.py:3', 3],
      ['README.md', 0],
      ['src/a.py', 0],
    ]);
  });

  it('need a dot or a slash in prose, but not in code', () => {
    expect(mentionsIn('Makefile', FILES)).toEqual([]);
    expect(resolveMention('Makefile', FILES)?.path).toBe('Makefile');
    expect(resolveMention('a b.py', FILES)?.path).toBe('a b.py');
    expect(resolveMention('nothing.py', FILES)).toBeNull();
  });

  it('may be named with a heading, or a symbol, that is kept', () => {
    const text = 'See README.md#use-it, src/a.py#L3-L5 and (README.md#r).';
    expect(
      mentionsIn(text, FILES).map(({ start, end, location: { path, line, anchor } }) => [
        text.slice(start, end),
        path,
        line,
        anchor,
      ]),
    ).toEqual([
      ['README.md#use-it', 'README.md', 0, 'use-it'],
      ['src/a.py#L3-L5', 'src/a.py', 3, undefined],
      ['README.md#r', 'README.md', 0, 'r'],
    ]);
    expect(resolveMention('README.md#r', FILES)).toEqual({ path: 'README.md', line: 0, col: 0, anchor: 'r' });
    expect(resolveMention('nothing.md#r', FILES)).toBeNull();
    expect(resolveMention('#r', FILES)).toBeNull();
  });

  it('are not guessed by the rest of a path with a blank in it', () => {
    const files = {
      resolve: (written: string) => (written === 'b.py' ? 'lib/b.py' : FILES.resolve(written)),
    };
    expect(mentionsIn('"with blank/a b.py"', files)).toEqual([]);
    expect(mentionsIn('either/or README.md', files)).toHaveLength(1);
    expect(mentionsIn('src/a.py b.py', files)).toHaveLength(2);
  });

  it('are looked for in a time that grows with the text only', () => {
    expect(mentionsIn('a/'.repeat(50_000), FILES)).toEqual([]);
    expect(mentionsIn(`${'.'.repeat(50_000)}/`, FILES)).toEqual([]);
    expect(mentionsIn('a:1'.repeat(30_000), FILES)).toEqual([]);
  });
});

describe('the name that inline code asks for', () => {
  it.each([
    ['Report', 'Report'],
    ['Report.mean', 'Report.mean'],
    ['mean(a, b)', 'mean'],
    ['Store::load()', 'Store.load'],
    [' load ', 'load'],
    ['f1', 'f1'],
    ['f(x)', 'f'],
    ['total?', 'total?'],
    ['Store#save!(x)', 'Store.save!'],
    ['deploy-all', 'deploy-all'],
    ['view->load', 'view.load'],
    ['f(a(b), c(d(e)))', 'f'],
    ['f(a) + g(b)', ''],
    ['f(a)(b)', ''],
    ['a-', ''],
    ['a + b', ''],
    ['f(', ''],
    ['x', ''],
    ['12', ''],
    ['--flag', ''],
    ['a'.repeat(300), ''],
  ])('%s', (code, name) => {
    expect(symbolName(code)).toBe(name);
  });
});
