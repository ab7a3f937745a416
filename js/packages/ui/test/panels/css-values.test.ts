import { describe, expect, it } from 'vitest';
import { cssName, cssValue, declarations } from '../../src/panels/css-values.ts';

it.each([
  ['backgroundColor', 'background-color'],
  ['WebkitLineClamp', '-webkit-line-clamp'],
  ['--myColor', '--myColor'],
  ['color', 'color'],
])('%s is %s', (name, css) => {
  expect(cssName(name)).toBe(css);
});

describe('a value', () => {
  it.each([
    ['margin-top', 4, '4px'],
    ['margin-top', 0, '0'],
    ['opacity', 0.5, '0.5'],
    ['z-index', 2_147_483_647, '2147483647'],
    ['color', 'RGB(1 2 3)', 'RGB(1 2 3)'],
    ['width', 'calc((1px + 2px) * 3)', 'calc((1px + 2px) * 3)'],
    ['position', 'absolute', 'absolute'],
  ])('of %s can be %s', (name, value, css) => {
    expect(cssValue(name, value)).toBe(css);
  });

  it.each([
    ['background', 'url(https://evil.example/x)'],
    ['background', 'URL("x")'],
    ['background', 'image-set("x" 1x)'],
    ['background', '-webkit-image-set(url(x) 1x)'],
    ['background', 'element(#password)'],
    ['background', 'paint(x)'],
    ['background', 'u\\72l(x)'],
    ['background', 'u/**/rl(x)'],
    ['background', 'red, src("x")'],
    ['width', 'expression(alert(1))'],
    ['content', 'attr(data-x)'],
    ['position', ' FIXED '],
    ['color', 'x'.repeat(2001)],
    ['color', ['red']],
    ['color', null],
    ['color', true],
  ])('of %s can not be %j', (name, value) => {
    expect(cssValue(name, value as never)).toBeNull();
  });
});

it('names that act outside of the box are left out', () => {
  const style = {
    color: 'red',
    '--own': 'blue',
    viewTransitionName: 'x',
    anchorName: '--a',
    positionAnchor: '--a',
    MozBinding: 'x',
    behavior: 'x',
    'color;background': 'x',
    '': 'x',
  };
  expect([...declarations(style)]).toEqual([
    ['color', 'red'],
    ['--own', 'blue'],
  ]);
});
