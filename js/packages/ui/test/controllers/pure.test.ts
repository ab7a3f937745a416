import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDark } from '../../src/controllers/theme.ts';
import { treeAction } from '../../src/controllers/tree-keys.ts';
import { visibleRange } from '../../src/controllers/virtual-list.ts';
import { rowsOf } from '../../src/model/tree-rows.ts';
import { treeOf } from '../support/trees.ts';

describe('the keyboard of the tree', () => {
  const { root } = treeOf(['docs/a.md', 'src/app/x.py', 'src/y.py', 'zoo.py']);
  const rows = rowsOf(root, (path) => path !== 'docs', null);
  const paths = rows.map((row) => row.node.path);
  const press = (key: string, path: string) => {
    const action = treeAction(key, rows, paths.indexOf(path));
    if (action?.kind === 'move') return paths[action.index];
    return action && `${action.kind} ${action.row.node.path}`;
  };

  it.each([
    ['ArrowDown', 'docs', 'src'],
    ['ArrowUp', 'docs', 'docs'],
    ['ArrowDown', 'zoo.py', 'zoo.py'],
    ['Home', 'zoo.py', 'docs'],
    ['End', 'docs', 'zoo.py'],
    ['ArrowRight', 'docs', 'expand docs'],
    ['ArrowRight', 'src', 'src/app'],
    ['ArrowRight', 'zoo.py', null],
    ['ArrowLeft', 'src', 'collapse src'],
    ['ArrowLeft', 'src/app/x.py', 'src/app'],
    ['ArrowLeft', 'zoo.py', 'zoo.py'],
    [' ', 'src', 'toggle src'],
    ['Enter', 'zoo.py', 'toggle zoo.py'],
    ['z', 'docs', 'zoo.py'],
    ['Tab', 'docs', null],
    ['F5', 'docs', null],
  ])('%s on %s: %s', (key, path, expected) => {
    expect(press(key, path)).toBe(expected);
  });

  it('does nothing without rows', () => {
    for (const key of ['ArrowLeft', ' ', 'a']) expect(treeAction(key, [], -1)).toBeNull();
  });
});

describe('the window over the rows', () => {
  it('covers what is in view, whatever the scroll position', () => {
    const numbers = fc.tuple(fc.nat(20_000), fc.nat(600_000), fc.nat(2000));
    fc.assert(
      fc.property(numbers, ([count, top, height]) => {
        const { first, end } = visibleRange(count, 24, top, height);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        const firstInView = Math.floor(top / 24);
        const lastInView = Math.min(count - 1, Math.floor((top + height) / 24));
        if (firstInView < count) {
          expect(first).toBeLessThanOrEqual(firstInView);
          expect(end).toBeGreaterThan(lastInView);
        }
      }),
    );
  });

  it('is small for many rows and whole for few', () => {
    const { first, end } = visibleRange(5000, 24, 24_000, 480);
    expect(end - first).toBeLessThan(60);
    expect(visibleRange(250, 24, 0, 480)).toEqual({ first: 0, end: 250 });
  });
});

it.each([
  ['rgb(255, 255, 255)', false],
  ['rgb(17, 17, 17)', true],
  ['rgba(33, 33, 33, 0.9)', true],
  ['color(srgb 0.1 0.1 0.12)', true],
  ['color(srgb 0.98 0.97 0.95)', false],
])('%s is dark: %s', (colour, expected) => {
  expect(isDark(colour)).toBe(expected);
});
