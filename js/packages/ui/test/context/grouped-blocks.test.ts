import { describe, expect, it } from 'vitest';
import { requestSections } from '../../src/context/grouped-blocks.ts';
import { parseBreakdown } from '../../src/model/breakdown.ts';

type Item = readonly [name: string, text?: string, cached?: boolean];

function parts(head: readonly Item[], rest: readonly Item[]) {
  const block = (tier: string, items: readonly Item[]) => ({
    tier,
    tokens: items.length,
    contents: items.map(([name, text = '', cached = false]) => ({ name, text, tokens: 1, n: 1, cached })),
  });
  const half = rest.slice(0, 3);
  return requestSections(
    parseBreakdown({
      blocks: [block('L0', head), block('L3', half), block('active', rest.slice(3))],
    }),
  );
}

describe('the parts of the next request', () => {
  it('are its beginning, the turns with their questions, and what is new', () => {
    const found = parts(
      [['system', '', true], ['map']],
      [
        ['a.py'],
        ['question', 'Why?', true],
        ['answer'],
        ['question', 'How?'],
        ['answer'],
        ['question', 'What?'],
        ['reminder'],
      ],
    );
    expect(found.map(({ kind, number, title, tokens }) => [kind, number, title, tokens])).toEqual([
      ['start', 0, '', 2],
      ['turn', 1, 'Why?', 3],
      ['turn', 2, 'How?', 2],
      ['next', 0, 'What?', 2],
    ]);
    expect(found.map(({ cachedTokens }) => cachedTokens)).toEqual([1, 1, 0, 0]);
  });

  it('the steps of a run belong to its turn, with the files that changed in between', () => {
    const steps: Item[] = [
      ['diff'],
      ['tool_result'],
      ['step'],
      ['answer'],
      ['tool_calls'],
      ['tool_result'],
      ['step'],
    ];
    const asked: Item[] = [['run'], ['question', 'Fix it.'], ['answer'], ['tool_calls']];
    const found = parts([['tools']], [...asked, ...steps, ['answer'], ['question', 'And?']]);
    expect(found.map(({ kind, title, tokens }) => [kind, title, tokens])).toEqual([
      ['start', '', 1],
      ['turn', 'Fix it.', 12],
      ['next', 'And?', 1],
    ]);
  });

  it('a repeated request for edits belongs to its turn', () => {
    const found = parts([], [['question', 'Why?'], ['answer'], ['retry'], ['answer'], ['reminder']]);
    expect(found.map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ['turn', 4],
      ['next', 1],
    ]);
  });

  it('a summary stands for the turns before', () => {
    const found = parts([], [['summary', 'They spoke.'], ['answer'], ['question', 'Why?'], ['answer']]);
    expect(found.map(({ kind }) => kind)).toEqual(['summary', 'turn']);
    expect(found[0]?.items[0]?.text).toBe('They spoke.');
  });
});
