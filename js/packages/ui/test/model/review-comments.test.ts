import { describe, expect, it } from 'vitest';
import { userMessage } from '../../src/model/messages.ts';
import { commentsIn, reviewComments } from '../../src/model/review-comments.ts';

const FILES = { resolve: (written: string) => (['src/a.py', 'b.md'].includes(written) ? written : '') };
const lines = (answer: string) =>
  commentsIn(answer, FILES).map(({ path, line, end, text }) => [path, line, end, text]);

describe('the comments of an answer', () => {
  it('are list items and paragraphs that name a line, also in words', () => {
    expect(
      lines('Good work.\n\n- `src/a.py:12`: **Never** ends.\n- b.md, line 3 is wrong\n  twice.'),
    ).toEqual([
      ['src/a.py', 12, 12, 'src/a.py:12: Never ends.'],
      ['b.md', 3, 3, 'b.md, line 3 is wrong twice.'],
    ]);
    expect(lines('See src/a.py:10-20.')).toEqual([['src/a.py', 10, 20, 'See src/a.py:10-20.']]);
  });

  it('are split by sentence when a paragraph names several lines', () => {
    expect(lines('At src/a.py:1 it waits. At src/a.py:9 it stops.')).toEqual([
      ['src/a.py', 1, 1, 'At src/a.py:1 it waits.'],
      ['src/a.py', 9, 9, 'At src/a.py:9 it stops.'],
    ]);
  });

  it('of a heading are the text below it', () => {
    expect(lines('### `src/a.py:4`\n\nThis leaks.')).toEqual([['src/a.py', 4, 4, 'src/a.py:4 This leaks.']]);
  });

  it('are not in code, nor about files that are unknown or named without a line', () => {
    expect(lines('```\nsrc/a.py:1\n```\nsrc/a.py is new, c.py:3 too.')).toEqual([]);
  });

  it('end before long ranges and long texts', () => {
    const [comment] = commentsIn(`src/a.py:1-9999999 ${'x'.repeat(2000)}`, FILES);
    expect([comment?.end, comment?.text.length]).toEqual([201, 600]);
  });
});

it('only answers since the review began have comments of it', () => {
  const answer = (content: string) => ({ ...userMessage('1', content), role: 'assistant' as const });
  const began = { ...userMessage('', 'began'), role: 'system' as const, kind: 'review_started' };
  const messages = [
    answer('src/a.py:1 old'),
    began,
    userMessage('2', 'src/a.py:2?'),
    answer('src/a.py:3 new'),
  ];
  expect(reviewComments(messages, FILES).map(({ line }) => line)).toEqual([3]);
  expect(reviewComments(messages.slice(0, 1), FILES)).toHaveLength(1);
});
