import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextMentions } from '../../src/model/context-mentions.ts';
import table from './mentions.json' with { type: 'json' };

const found = (text: string) => contextMentions(text).map(({ text: written }) => written);

describe('mentions in a question', () => {
  it.each(table)('are those that %%ac finds: $text', ({ text, mentions }) => {
    const written = contextMentions(text).map(({ kind, argument }) =>
      argument ? `@${kind}:${argument}` : `@${kind}`,
    );
    expect(written).toEqual(mentions);
  });

  it('are found with what they name, and whether something follows', () => {
    expect(contextMentions('See @var:df, (@cell:3) and @output')).toEqual([
      { text: '@var:df', kind: 'var', argument: 'df', isComplete: true },
      { text: '@cell:3', kind: 'cell', argument: '3', isComplete: true },
      { text: '@output', kind: 'output', argument: '', isComplete: false },
    ]);
  });

  it.each(['@cell', '@cell:', '@var:df,', '@cell:3'])('are not complete while they are typed: %s', (text) => {
    expect(contextMentions(`a ${text}`)[0]?.isComplete).toBe(false);
    expect(contextMentions(`a ${text} b`)[0]?.isComplete).toBe(true);
  });

  it.each([
    ['@cell @selection @output @error @notebook', 5],
    ['@file:src/a.py.', 1],
    ['@var:größe?', 1],
    ['why @error: it fails', 1],
    ['@cell\n@cell', 1],
  ])('%s', (text, count) => {
    expect(found(text)).toHaveLength(count);
  });

  it.each([
    '@df',
    '@app.cell',
    '@cell.x',
    '@cellular',
    'ada@cell',
    '@var:',
    '@var:3',
    '@cell:x',
    '@errors',
    '`@cell`',
    '```python\n@cell\ndef f(): ...\n```',
    '```\n@output',
    '`` @cell ``',
    '`` ` @cell ``',
    '~~~\n@error\n~~~',
    '  ~~~python\n@error',
    'Why?\n~~~\n```\n@cell\n~~~',
    '````\n```\n@cell\n```\n@error\n````',
    '```\nprint("```")\n@cell\n```',
    'Look: ```python @cell``` and ```python\n@cell',
    '@file:"',
    '@file:"my notes.md',
    '@file:',
  ])('not in %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['~~~\n@error\n~~~\n@cell', ['@cell']],
    ['```\n@error\n```\n@cell', ['@cell']],
    ['````\n```\n````\n@cell', ['@cell']],
    ['`` a `` @cell `b`', ['@cell']],
    ['One ` and @cell', ['@cell']],
    ['about ~~~ @cell', ['@cell']],
    ['~~~\n~~~\n@cell', ['@cell']],
    ['``` @error ``` then @cell', ['@cell']],
  ])('stand behind code: %j', (text, mentions) => {
    expect(found(text)).toEqual(mentions);
  });

  it('take a path with blanks in quotes', () => {
    expect(contextMentions('See (@file:"my notes.md"), please')).toEqual([
      { text: '@file:"my notes.md"', kind: 'file', argument: 'my notes.md', isComplete: true },
    ]);
  });

  it('leave the punctuation behind a path', () => {
    expect(contextMentions('Compare (@file:a/b.py).')[0]?.argument).toBe('a/b.py');
  });

  it('stand in the text, once each', () => {
    const pieces = fc.constantFrom(
      '@',
      'var:',
      'cell',
      'output:',
      '3',
      'df',
      'file:',
      'a',
      ' ',
      '\n',
      '.',
      '`',
      '"',
      '~~~',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        const mentions = found(text);
        expect(new Set(mentions).size).toBe(mentions.length);
        for (const mention of mentions) expect(text).toContain(mention);
      }),
    );
  });
});
