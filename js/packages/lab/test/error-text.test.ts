import { errorText, MAX_ERROR } from '@jupyter-ac/page';
import { expect, it } from 'vitest';
import { explainQuestion, type FailedCell, fixQuestion } from '../src/error-text.ts';

const ESC = '\u001b';
const error = (...traceback: string[]) => ({
  ename: 'ZeroDivisionError',
  evalue: 'division by zero',
  traceback,
});
const cell: FailedCell = {
  path: 'a/n.ipynb',
  id: 'b"2',
  pageId: 'b"2',
  notebook: 'work/a/n.ipynb',
  position: 3,
  source: 'x = "```"',
  error: 'ZeroDivisionError: division by zero',
};

it('is the traceback without colours and other commands', () => {
  const lines = [`${ESC}[31m----${ESC}[39m`, `${ESC}]0;title\u0007a\tb \u009b2J\u202e`];
  expect(errorText(error(...lines))).toBe('----\na\tb 2J');
  expect(errorText(error())).toBe('ZeroDivisionError: division by zero');
});

it('leaves out the middle of a long one', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `frame ${index}`);
  const text = errorText(
    error('ZeroDivisionError  Traceback', ...lines, 'ZeroDivisionError: division by zero'),
  );
  expect(text).toHaveLength(MAX_ERROR);
  expect(text.startsWith('ZeroDivisionError  Traceback\nframe 0')).toBe(true);
  expect(text).toContain('… (left out) …');
  expect(text.endsWith('frame 999\nZeroDivisionError: division by zero')).toBe(true);
});

it('asks for an edit of this very cell', () => {
  const { text: question, items } = fixQuestion(cell);
  expect(question).toContain('Fix the cell `id="b\\"2"` (cell 3) of `a/n.ipynb`');
  expect(question).toContain('as an edit of `a/n.ipynb` that changes only this cell');
  const [error] = items;
  expect(error).toEqual({
    kind: 'error',
    name: 'error of cell 3',
    text: 'ZeroDivisionError: division by zero',
    source: 'work/a/n.ipynb',
    cell: 'b"2',
  });
  const unnamed = fixQuestion({ ...cell, id: null });
  expect(unnamed.text).toContain('Fix cell 3 of');
  expect(unnamed.items[0]?.cell).toBe('b"2');
});

it('sends the cell and its error when it asks for an explanation', () => {
  const { text, items } = explainQuestion(cell);
  expect(items.map(({ kind }) => kind)).toEqual(['cell', 'error']);
  expect(items[0]).toMatchObject({ name: 'cell 3', text: 'x = "```"' });
  expect(text).toContain("Don't propose edits");
});
