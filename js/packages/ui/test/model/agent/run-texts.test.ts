import { expect, it } from 'vitest';
import {
  callDuration,
  duration,
  limitsText,
  progressText,
  usedText,
} from '../../../src/model/agent/run-texts.ts';
import { runRow } from '../../support/runs.ts';

const { used, limits } = runRow();

it('says how far a run is', () => {
  expect(progressText(used, limits)).toBe(
    '3 of 25 steps · 41k of 400k tokens · $0.12 of $1.00 · 2 min of 15 min',
  );
  expect(usedText(used)).toBe('3 steps · 41k tokens · $0.12 · 2 min');
});

it('says nothing of a price that is not known, and of limits that are not', () => {
  const none = { steps: 0, tokens: 0, usd: null, seconds: 0 };
  expect(progressText({ ...used, usd: null }, limits)).toBe(
    '3 of 25 steps · 41k of 400k tokens · 2 min of 15 min',
  );
  expect(progressText({ ...used, steps: 1 }, none)).toBe('1 step · 41k tokens · $0.12 · 2 min');
});

it('says the limits before', () => {
  expect(limitsText(limits)).toBe('up to 25 steps · 400k tokens · $1.00 · 15 min');
  expect(limitsText({ steps: 5 })).toBe('up to 5 steps');
  expect(limitsText({})).toBe('');
});

it('says how long something took', () => {
  expect([0, 59.9, 60, 3599, 3600, 3900].map(duration)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '1 h 5 min',
  ]);
  expect([3.2, 999, 1234, 14_000, 120_000].map(callDuration)).toEqual([
    '3 ms',
    '999 ms',
    '1.2 s',
    '14 s',
    '2 min',
  ]);
});
