import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { triggerAt } from '../../src/model/input-menu.ts';

/** The trigger at `|`. */
function at(marked: string) {
  const cursor = marked.indexOf('|');
  return triggerAt(marked.replace('|', ''), cursor);
}

describe('what opens the menu', () => {
  it.each([
    ['@re|', { kind: '@', scope: null, query: 're', start: 0, end: 3 }],
    ['see @src/a.py|', { kind: '@', scope: null, query: 'src/a.py', start: 4, end: 13 }],
    ['see @file:a| now', { kind: '@', scope: 'file', query: 'a', start: 4, end: 11 }],
    ['x\n@symbol:|', { kind: '@', scope: 'symbol', query: '', start: 2, end: 10 }],
    ['@other:a|', { kind: '@', scope: null, query: 'other:a', start: 0, end: 8 }],
    ['/|', { kind: '/', scope: null, query: '', start: 0, end: 1 }],
    ['/com|', { kind: '/', scope: null, query: 'com', start: 0, end: 4 }],
  ])('%s', (text, trigger) => {
    expect(at(text)).toEqual(trigger);
  });

  it.each([
    'ada@example|',
    '@a b|',
    '@a|b',
    'x /new|',
    '/usr/bin|',
    '/new conversation|',
    ' /new|',
    '/n|ew',
    'a|',
  ])('not %s', (text) => {
    expect(at(text)).toBeNull();
  });

  it('always names a part of the text that ends at the cursor', () => {
    const texts = fc.string({ unit: fc.constantFrom('@', '/', ':', 'file', 'a', ' ', '\n', '.', 'é') });
    fc.assert(
      fc.property(texts, fc.nat(), (text, number) => {
        const cursor = number % (text.length + 1);
        const trigger = triggerAt(text, cursor);
        if (!trigger) return;
        expect(trigger.end).toBe(cursor);
        const typed = text.slice(trigger.start, trigger.end);
        expect(typed.startsWith(trigger.kind)).toBe(true);
        expect(typed.endsWith(trigger.query)).toBe(true);
        expect(typed).not.toMatch(/\s/);
        expect(text.slice(0, trigger.start)).toMatch(/(^|\s)$/);
      }),
    );
  });
});
