import '../support/jsdom.ts';
import { expect, it } from 'vitest';
import type { PanelChild } from '../../src/model/panels/protocol.ts';
import { virtualList } from '../../src/panels/virtual-list.ts';

it('shows the children in view, at the height of all', () => {
  const shown: PanelChild[][] = [];
  const view = virtualList({ show: (_, children) => shown.push([...children]) });
  const children = Array.from({ length: 10_000 }, (_, at) => `row ${at}`);
  const update = (props: Record<string, number | string>) =>
    view.update({
      props: new Map(Object.entries(props)),
      callbacks: new Map(),
      _nodeId: 'n',
      _childNodes: children,
      title: '',
    });
  update({ rowHeight: 40, height: 400, label: 'Rows' });
  const { element } = view;
  expect(shown.at(-1)?.[0]).toBe('row 0');
  expect(shown.at(-1)?.length).toBeLessThan(60);
  expect([element.getAttribute('aria-label'), element.style.maxHeight]).toEqual(['Rows', '400px']);
  element.scrollTop = 40 * 5000;
  element.dispatchEvent(new Event('scroll'));
  expect(shown.at(-1)?.[0]).toBe('row 4988');
  const heights = [...element.children].map(
    (part) => Number.parseInt((part as HTMLElement).style.height, 10) || 0,
  );
  expect((heights[0] as number) + (heights.at(-1) as number) + (shown.at(-1) as []).length * 40).toBe(
    400_000,
  );
  update({});
  expect([element.getAttribute('aria-label'), element.style.maxHeight]).toEqual(['List', '320px']);
  view.dispose?.();
});
