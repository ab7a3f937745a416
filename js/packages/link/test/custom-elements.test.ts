import { expect, it } from 'vitest';
import { define, tagOf } from '../src/custom-elements.ts';

it('puts the build hash into the tag and skips a tag that is taken', () => {
  class First extends HTMLElement {}
  class Second extends HTMLElement {}
  define('ac-probe', First);
  define('ac-probe', Second);
  expect(tagOf('ac-probe')).toBe('ac-probe-000000');
  expect(customElements.get('ac-probe-000000')).toBe(First);
});
