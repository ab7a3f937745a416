import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownArguments, shownOutput } from '../../../src/model/agent/shown-output.ts';

it('has the values of arguments on lines of their own, and broken ones as they are', () => {
  expect(shownArguments('{"path":"a.py"}')).toBe('{\n  "path": "a.py"\n}');
  expect(shownArguments('{"path":"a.p')).toBe('{"path":"a.p');
});

it('keeps lines and tabs, and shows what is invisible', () => {
  expect(shownOutput('a\tb\r\nc\u202ed\u001b[31m')).toBe('a\tb\nc\\u{202e}d\\u{1b}[31m');
});

it('hides nothing, whatever a tool gives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (output) => {
      expect(shownOutput(output).replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});
