import { expect, it } from 'vitest';
import { errorOutput, outputImages, outputText, reportText } from '../../src/controllers/output-text.ts';

const ESC = '\u001b';
const ERROR = {
  output_type: 'error',
  ename: 'ValueError',
  evalue: 'no',
  traceback: [`${ESC}[31mTraceback${ESC}[0m`, ...Array.from({ length: 40 }, (_, index) => `frame ${index}`)],
};

it('cuts texts after 20 lines, and leaves errors whole and without colours', () => {
  const text = Array.from({ length: 25 }, (_, index) => `line ${index}\n`);
  const lines = outputText([{ output_type: 'stream', text }, ERROR]).split('\n');
  expect(lines.slice(19, 23)).toEqual(['line 19', '(5 more lines)', 'Traceback', 'frame 0']);
  expect(lines.at(-1)).toBe('frame 39');
  expect(errorOutput([ERROR, { output_type: 'stream', text: 'after' }])).toMatch(/^Traceback\nframe 0/);
  expect(errorOutput([{ output_type: 'stream', text: 'none' }])).toBe('');
});

it('shows values by their text, and no other formats', () => {
  const value = { output_type: 'execute_result', data: { 'text/plain': ['1\n', '2'], 'text/html': '<b>' } };
  expect(outputText([value, { output_type: 'display_data', data: { 'x/y': {} } }])).toBe('1\n2');
});

it('takes the first five images, one of each output', () => {
  const image = (type: string) => ({ output_type: 'display_data', data: { [type]: 'iVBO\nRw==\n' } });
  expect(outputImages([image('image/png'), image('image/svg+xml'), image('image/jpeg')])).toEqual([
    'data:image/png;base64,iVBORw==',
    'data:image/jpeg;base64,iVBORw==',
  ]);
  expect(outputImages(Array.from({ length: 7 }, () => image('image/png')))).toHaveLength(5);
});

it('writes an error of the kernel with its frames, variables and causes', () => {
  const frame = {
    ...{ kind: 'cell' as const, file: '', cell: 4, line: 2, function: '<module>', source: 'a = 1\nf(a)' },
    ...{ locals: [{ name: 'a', type: 'int', line: '1' }], locals_left_out: 0 },
  };
  const report = {
    ...{ type: 'KeyError', message: "'x'", notes: ['in row 3'], frames: [frame], frames_left_out: 2 },
    causes: ['ValueError: no'],
  };
  expect(reportText(report)).toBe(
    "KeyError: 'x'\nin row 3\nFrames, those of the repository first:\n  Cell [4], line 2, in <module>\n" +
      '    a = 1\n    f(a)\n      a: int = 1\n  (2 more frames)\nCaused by ValueError: no',
  );
});
