import '../support/jsdom.ts';
import recorded from 'virtual:python-batches';
import { describe, expect, it } from 'vitest';
import { PanelTree } from '../../src/model/panels/panel-tree.ts';
import type { PanelNode } from '../../src/model/panels/protocol.ts';
import { TreeRenderer } from '../../src/panels/renderer.ts';
import { usualComponents } from '../../src/panels/usual-components.ts';

interface Life {
  readonly sent: readonly (readonly ['updateTree' | 'applyMutations', unknown])[];
  readonly trees: readonly (PanelNode | null)[];
}

const lives = recorded
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Life);

function host(): { tree: PanelTree; place: HTMLElement; renderer: TreeRenderer } {
  const place = document.createElement('div');
  const onFailure = (_: string, error: unknown) => {
    throw error;
  };
  const options = { components: usualComponents(), send: async () => {}, onFailure };
  return { tree: new PanelTree(), place, renderer: new TreeRenderer(place, options) };
}

describe('what a panel in Python sends', () => {
  it('has all kinds of changes', () => {
    const batches = lives.flatMap(({ sent }) =>
      sent.flatMap(([name, batch]) => (name === 'applyMutations' ? batch : [])),
    );
    const kinds = new Set((batches as { type: string }[]).map(({ type }) => type));
    expect([...kinds].sort()).toEqual([
      'appendChild',
      'insertBefore',
      'moveBefore',
      'removeChild',
      'setProps',
      'setRoot',
      'setText',
    ]);
  });

  it('leads the page to the same tree, message by message, and to the same elements as a fresh page', () => {
    for (const { sent, trees } of lives) {
      const { tree, place, renderer } = host();
      sent.forEach(([method, payload], at) => {
        if (method === 'updateTree') tree.replace(payload);
        else tree.apply(payload);
        expect(tree.root).toEqual(trees[at]);
        // Not each snapshot is rendered: several may come in one frame.
        if (at % 3 === 1) return;
        renderer.render(tree.root);
        const other = host();
        other.renderer.render(trees[at] ?? null);
        expect(place.innerHTML).toBe(other.place.innerHTML);
        other.renderer.dispose();
      });
      renderer.dispose();
      expect(place.innerHTML).toBe('');
    }
  });
});
