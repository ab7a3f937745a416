import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LayoutStore, MAX_PERCENT, MIN_PERCENT, SIZE_NAMES } from '../../src/model/layout.ts';

class MapStorage {
  readonly kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

describe('the layout', () => {
  it('is kept: what one panel has set, the next one has', () => {
    const storage = new MapStorage();
    const layout = new LayoutStore(storage);
    let changes = 0;
    layout.subscribe(() => {
      changes += 1;
    });
    layout.resize('filesHeight', 33.33);
    layout.resize('leftWidth', 5);
    layout.show('chat');
    expect(changes).toBe(3);
    const next = new LayoutStore(storage);
    expect(next.sizes).toEqual({ filesHeight: 33.3, leftWidth: MIN_PERCENT });
    expect(next.shown).toBe('chat');
    next.reset('leftWidth');
    expect(new LayoutStore(storage).sizes).toEqual({ filesHeight: 33.3 });
  });

  it('works for the page where the storage is forbidden or full', () => {
    const full = new MapStorage();
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    for (const layout of [new LayoutStore(null), new LayoutStore(full)]) {
      layout.resize('rightWidth', 20);
      expect(layout.sizes).toEqual({ rightWidth: 20 });
    }
  });

  it('takes nothing but sizes within bounds from whatever is stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), stored()), (written) => {
        const storage = new MapStorage();
        storage.setItem('jupyter-ac.layout', written);
        const { sizes, shown } = new LayoutStore(storage);
        expect(['all', 'chat', 'files', 'context']).toContain(shown);
        for (const [name, size] of Object.entries(sizes)) {
          expect(SIZE_NAMES).toContain(name);
          expect(size).toBeGreaterThanOrEqual(MIN_PERCENT);
          expect(size).toBeLessThanOrEqual(MAX_PERCENT);
        }
      }),
    );
  });

  it('takes no size that is no number', () => {
    const layout = new LayoutStore(null);
    layout.resize('leftWidth', Number.NaN);
    layout.resize('leftWidth', Number.POSITIVE_INFINITY);
    expect(layout.sizes).toEqual({});
  });
});

function stored(): fc.Arbitrary<string> {
  const sizes = fc.dictionary(fc.constantFrom(...SIZE_NAMES, '__proto__'), fc.anything());
  return fc.record({ shown: fc.anything(), sizes }).map((value) => JSON.stringify(value) ?? '');
}
