// Every regular expression of the packages takes linear time, whatever it is applied to:
// `tests/meta/test_expressions.py` for the front end.
import { describe, expect, it } from 'vitest';
import { attacks, expressions, expressionsIn, sized } from './expressions.mjs';

/** Lengths of texts, and how many of the worst go on to the next length. */
const SIZES = [
  [20, 200],
  [1000, 12],
  [16_000, 0],
];
/** Times what a simple expression takes over a text as long; super-linear is a multiple of hundreds. */
const MOST = 25;
const TRIES = 3;
/** Of the simple expression: less is told apart badly. In microseconds. */
const LEAST_US = 100;
/** What takes longer isn't tried again. */
const SURE_US = 100_000;
const WAIT_MS = 60_000;
const SIMPLE = /[\s\S]/;

function spent(pattern, text) {
  const all = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  const begun = process.cpuUsage();
  text.replace(all, '');
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

/** How many times the simple expression it takes; the least of several when that is too much. */
function multiple(pattern, text) {
  let found = Number.POSITIVE_INFINITY;
  let isSure = false;
  for (let tried = 0; tried < TRIES && found > MOST && !isSure; tried += 1) {
    const took = spent(pattern, text);
    found = Math.min(found, took / Math.max(LEAST_US, spent(SIMPLE, text)));
    isSure = took > SURE_US;
  }
  return found;
}

/** What an expression is slow on; '' for one that isn't. */
function fault(pattern) {
  let tried = attacks(pattern);
  for (const [size, kept] of SIZES) {
    const ranked = [];
    for (const attack of tried) {
      const times = multiple(pattern, sized(attack, size));
      if (times > MOST) {
        return `${size} characters of ${JSON.stringify(attack)} take ${Math.round(times)} times as long`;
      }
      ranked.push({ attack, times });
    }
    ranked.sort((one, other) => other.times - one.times);
    tried = ranked.slice(0, kept).map(({ attack }) => attack);
  }
  return '';
}

describe('the expressions of the packages', { timeout: WAIT_MS }, () => {
  const found = expressions();

  it('are found', () => {
    expect(found.length).toBeGreaterThan(30);
    const source = "const A = 'x+'; const B = new RegExp(`^$" + "{A}$`, 'u'); /y/g.test('');";
    const made = expressionsIn('a.ts', source);
    expect(made.map(({ place, pattern }) => `${place} ${pattern}`)).toEqual([
      'a.ts:1 /^x+$/u',
      'a.ts:1 /y/g',
    ]);
    expect(() => expressionsIn('a.ts', 'new RegExp(given)')).toThrow('only runs know');
  });

  it.each(found)('$place takes linear time: $pattern', ({ pattern }) => {
    expect(fault(pattern)).toBe('');
  });

  it.each([/\/+$/, /\]\([^)]*\)/g, /^(a+)+$/, /(?:a|\w)*!/, /<!--[\s\S]*?-->/, /\s*\n/u])(
    'would be found out: %s',
    (pattern) => {
      expect(fault(pattern)).not.toBe('');
    },
  );
});
