import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerSegment, splitAnswer } from '../../src/model/answer-segments.ts';
import { editsOf, NO_EDITS, withBlocks } from '../../src/model/edits.ts';
import { answerOf, completion } from '../support/answers.ts';

const ANSWER = answerOf(
  'Two 🟧 changes.\n\n',
  { path: 'a.py', old: 'x = 1\n', new: 'x = 2\n' },
  '\nAnd\n\n',
  { path: 'b.py', new: 'y\n' },
  'Done.\n',
);
const over = editsOf(completion(ANSWER)).list;
const wordsOf = (piece: AnswerSegment): string => {
  if (piece.kind === 'calls') return `step ${piece.step}`;
  return piece.kind === 'prose' ? piece.text.trim() : `${piece.old}>${piece.new}`;
};
const words = (pieces: readonly AnswerSegment[]) => pieces.map(wordsOf);
const isOpen = (piece: AnswerSegment) => piece.kind !== 'calls' && piece.isOpen;
const sourceOf = (piece: AnswerSegment): string => {
  if (piece.kind === 'calls') return '';
  return piece.kind === 'prose' ? piece.text : piece.block;
};

/** What a server says while the answer comes in. */
function growing(...rows: object[]) {
  return withBlocks(NO_EDITS, rows).list;
}

describe('an answer that is over', () => {
  it('is cut into prose and cards by the spans, in UTF-16 units', () => {
    expect(words(splitAnswer(ANSWER.content, over, false))).toEqual([
      'Two 🟧 changes.',
      'x = 1\n>x = 2\n',
      'And',
      '>y\n',
      'Done.',
    ]);
  });

  it('has the whole block to copy', () => {
    const [, card] = splitAnswer(ANSWER.content, over, false);
    expect(card).toMatchObject({ block: 'a.py\n🟧🟧🟧 EDIT\nx = 1\n🟨🟨🟨 REPL\nx = 2\n🟩🟩🟩 END\n' });
  });

  it('has no empty prose between two cards', () => {
    const answer = answerOf({ path: 'a' }, '\n', { path: 'b' });
    const edits = editsOf(completion(answer)).list;
    expect(splitAnswer(answer.content, edits, false).map(({ kind }) => kind)).toEqual(['card', 'card']);
  });

  it.each([
    ['behind its end', [0, 99_999]],
    ['backwards', [20, 10]],
    ['over another one', [0, 60]],
    ['of nothing', [5, 5]],
    ['of another kind', 'all'],
  ])('keeps its text where a span reaches %s', (_what, span) => {
    const broken = editsOf({
      edit_blocks: [],
      edit_results: [ANSWER.results[0], { ...ANSWER.results[1], span, new_preview: 'y ...' }],
    }).list;
    const pieces = splitAnswer(ANSWER.content, broken, false);
    expect(words(pieces).slice(0, 2)).toEqual(['Two 🟧 changes.', 'x = 1\n>x = 2\n']);
    expect(words(pieces)[2]).toContain('b.py\n🟧🟧🟧 EDIT');
    // What became of it is still shown.
    expect(words(pieces)[3]).toBe('>y ...');
  });

  it('keeps its text where an inner span lies outside the block', () => {
    const broken = editsOf({ edit_blocks: [{ ...ANSWER.blocks[0], old_span: [0, 3] }] }).list;
    expect(splitAnswer(ANSWER.content, broken, false)).toHaveLength(1);
  });
});

describe('an answer that comes in', () => {
  const head = 'Look:\n\na.py\n🟧🟧🟧 EDIT\n';
  const row = { index: 0, file_path: 'a.py', kind: 'edit', complete: false, span: [7, head.length] };

  it('is prose until a block is named', () => {
    expect(splitAnswer(head, [], true)).toEqual([{ kind: 'prose', text: head, isOpen: true }]);
  });

  it('closes the prose before a block, which has all that follows', () => {
    const edits = growing({ ...row, old_span: [head.length, head.length], new_span: [0, 0] });
    const pieces = splitAnswer(`${head}x = 1\ny = 2\n🟨🟨`, edits, true);
    expect(pieces[0]).toEqual({ kind: 'prose', text: 'Look:\n\n', isOpen: false });
    expect(pieces[1]).toMatchObject({ kind: 'card', isOpen: true, old: 'x = 1\ny = 2\n', new: '' });
    expect(pieces).toHaveLength(2);
  });

  it('grows the new text once it has begun, by whole lines', () => {
    const old = `${head}x = 1\n`;
    const middle = `${old}🟨🟨🟨 REPL\n`;
    const edits = growing({
      ...row,
      span: [7, middle.length],
      old_span: [head.length, old.length],
      new_span: [middle.length, middle.length],
    });
    const [, card] = splitAnswer(`${middle}x = 2\n🟩🟩🟩 EN`, edits, true);
    expect(card).toMatchObject({ isOpen: true, old: 'x = 1\n', new: 'x = 2\n' });
  });

  it('is prose again behind a whole block', () => {
    const edits = withBlocks(NO_EDITS, ANSWER.blocks.slice(0, 1)).list;
    const pieces = splitAnswer(ANSWER.content.slice(0, -40), edits, true);
    expect(pieces.map(isOpen)).toEqual([false, false, true]);
  });

  it('leaves a block alone that another one has cut short', () => {
    const text = `${head}x = 1\nb.py\n🟧🟧🟧 EDIT\nz\n`;
    const cut = text.indexOf('b.py');
    const edits = growing(
      { ...row, span: [7, cut], old_span: [head.length, cut], new_span: [0, 0] },
      {
        index: 1,
        file_path: 'b.py',
        complete: false,
        span: [cut, text.length],
        old_span: [text.length - 2, text.length],
      },
    );
    expect(words(splitAnswer(text, edits, true))).toEqual(['Look:', 'x = 1\n>', 'z\n>']);
  });

  it('waits with a block whose text has not come yet', () => {
    expect(words(splitAnswer('Look:', growing({ ...row, complete: true }), true))).toEqual(['Look:']);
  });
});

describe('whatever a server says', () => {
  const place = fc.tuple(fc.nat(80), fc.nat(80));
  const row = fc.record({ complete: fc.boolean(), span: place, old_span: place, new_span: place });

  it('loses no word of the answer and shows none twice', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), fc.boolean(), (rows, isGrowing) => {
        const text = ANSWER.content.slice(0, 70);
        const edits = growing(...rows.map((one, index) => ({ ...one, index })));
        const pieces = splitAnswer(text, edits, isGrowing);
        const shown = pieces.map(sourceOf).join('');
        expect(shown.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});

describe('the calls of a run', () => {
  const steps = [
    { step: 1, end: 5 },
    { step: 2, end: 12 },
  ];

  it('stand behind the text of their step', () => {
    expect(words(splitAnswer('Look.\nNow so.\nDone.', [], false, steps))).toEqual([
      'Look.',
      'step 1',
      'Now so',
      'step 2',
      '.\nDone.',
    ]);
  });

  it('stand behind one another where a step has no text', () => {
    const empty = [...steps.slice(0, 1), { step: 2, end: 5 }];
    expect(words(splitAnswer('Look.', [], true, empty))).toEqual(['Look.', 'step 1', 'step 2']);
  });

  it('stand between the edits around them', () => {
    const end = ANSWER.content.indexOf('\nAnd');
    expect(words(splitAnswer(ANSWER.content, over, false, [{ step: 1, end }])).join('|')).toMatch(
      /x = 1\n>x = 2\n\|step 1\|And/,
    );
  });

  it('never split an edit', () => {
    const end = ANSWER.content.indexOf('EDIT');
    const plain = words(splitAnswer(ANSWER.content, over, false));
    const split = words(splitAnswer(ANSWER.content, over, false, [{ step: 1, end }]));
    expect(split.filter((piece) => piece !== 'step 1')).toEqual(plain);
    expect(split).toHaveLength(plain.length + 1);
  });

  it('replace the calls that the model has written into its text', () => {
    const text = 'So:\n🟦🟦🟦 CALL read_file\n{"path": "a.py"}\n🟩🟩🟩 END\n';
    expect(words(splitAnswer(text, [], false, [{ step: 1, end: text.length }]))).toEqual(['So:', 'step 1']);
    expect(words(splitAnswer(text, [], false))).toEqual([text.trim()]);
  });
});
