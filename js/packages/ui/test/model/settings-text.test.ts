import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueAt, withValue } from '../../src/model/settings-text.ts';

describe('one value of a text is changed', () => {
  it('and the rest keeps its form, its order and what no form knows', () => {
    const before = '{\n    "novel" : [1,  2],\n    "edits": {"retries": 1, "x": 1.0}\n}\n';
    expect(withValue(before, ['edits', 'retries'], 2)).toBe(
      '{\n    "novel" : [1,  2],\n    "edits": {"retries": 2, "x": 1.0}\n}\n',
    );
  });

  it('in a file that is not there yet', () => {
    expect(withValue('', ['edits', 'review'], true)).toBe('{\n  "edits": {\n    "review": true\n  }\n}\n');
  });

  it('and taken away again with what is left empty around it', () => {
    expect(withValue('{"edits": {"review": true}}', ['edits', 'review'], undefined)).toBe('');
    const before = '{\n    "a": 1,\n    "edits": {"review": true},\n    "b":  [2]\n}\n';
    expect(withValue(before, ['edits', 'review'], undefined)).toBe('{\n    "a": 1,\n    "b":  [2]\n}\n');
    expect(withValue('{"a": 1}\n', ['edits', 'review'], undefined)).toBe('{"a": 1}\n');
  });

  it('but not where a name is there twice', () => {
    expect(withValue('{"a": 1, "a": 2}', ['a'], 3)).toBeNull();
  });

  it('is read back, whatever else is there', () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    const values = fc.dictionary(name, fc.oneof(fc.jsonValue({ maxDepth: 2 })));
    fc.assert(
      fc.property(values, name, name, fc.jsonValue({ maxDepth: 2 }), (before, first, second, value) => {
        const above = (before as Record<string, unknown>)[first];
        fc.pre(above === undefined || (typeof above === 'object' && above !== null && !Array.isArray(above)));
        const text = withValue(JSON.stringify(before), [first, second], value);
        const after = JSON.parse(text ?? 'null') as Record<string, unknown>;
        expect(valueAt(after, [first, second])).toEqual(JSON.parse(JSON.stringify(value)));
        for (const other of Object.keys(before))
          if (other !== first) expect(after[other]).toEqual(JSON.parse(JSON.stringify(before[other])));
      }),
    );
  });
});
