import { expect, it } from 'vitest';
import { fitsKernel } from '../../src/model/kernel-language.ts';

it.each([
  ['python', 'python', true],
  ['py', 'python', true],
  ['ipython3', 'Python', true],
  ['', 'r', true],
  ['', '', true],
  ['R', 'r', true],
  ['jl', 'Julia', true],
  ['cpp', 'C++17', true],
  ['sh', 'bash', true],
  ['python', '', false],
  ['bash', 'python', false],
  ['r', 'ruby', false],
  ['json', 'javascript', false],
])('takes code of %j in a notebook of %j: %s', (block, kernel, fits) => {
  expect(fitsKernel(block, kernel)).toBe(fits);
});
