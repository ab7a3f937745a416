import { describe, expect, it } from 'vitest';
import { editedCells } from '../../src/model/edited-cells.ts';

const cells = (old: string, next: string, ids: Record<string, number> = {}) =>
  editedCells(old, next, new Map(Object.entries(ids)));

describe('the cells of an edit block', () => {
  it.each([
    ['# %% cell=3\nx = 1', '# %% cell=3\nx = 2', 'Cell 3'],
    ['# %% cell=3\nx\n// %% [markdown] cell=4', '', 'Cells 3–4'],
    ['x = 1\n# %% cell=3\ny', 'x', 'Cells 2–3'],
    ['# %% cell=3', '# %% cell=3\nx\n# %%\ny', 'Cell 3, new cell'],
    ['', '# %%\nx\n# %% [markdown]\n# y', 'new cells'],
    ['', 'x = 1', 'new cell'],
    ['# %% cell=3 tags=["id=\\"a\\""]', '', 'Cell 3'],
  ])('%j → %j', (old, next, label) => {
    expect(cells(old, next)).toBe(label);
  });

  it('are found by their ids where the notebook is at hand', () => {
    expect(cells('# %% id="a1"\nx', '# %% id="a1"\ny', { a1: 7 })).toBe('Cell 7');
    expect(cells('# %% [markdown] id="a1"\n# %% id="b2"', '', { a1: 7, b2: 8 })).toBe('Cells 7–8');
  });

  it.each([
    ['x = 1', 'x = 2'],
    ['# %% id="a1"\nx', '# %% id="a1"\ny'],
    ['# %% cell=3\n# %% id="b2"', ''],
  ])('are left out when they are not known: %j', (old, next) => {
    expect(cells(old, next)).toBe('');
  });
});
