/** Component `VirtualList`: renders only those of its children that are in view; they have one height. */

import type { ComponentContext, ComponentMetadata, ComponentProps, ComponentView } from './components.ts';
import { RowWindow } from './row-window.ts';

const USUAL_ROW_PX = 26;
const USUAL_HEIGHT_PX = 320;

export const VIRTUAL_LIST: ComponentMetadata = {
  version: '1',
  propTypes: { rowHeight: 'number', height: 'number', label: 'string' },
};

export function virtualList(context: ComponentContext): ComponentView {
  const element = document.createElement('div');
  const rows = document.createElement('div');
  const above = document.createElement('div');
  const below = document.createElement('div');
  element.className = 'virtual-list';
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  element.append(above, rows, below);
  let shown: ComponentProps['_childNodes'] = [];
  const window = new RowWindow(element, USUAL_ROW_PX, ({ first, end }, count) => {
    above.style.height = `${first * window.rowPx}px`;
    below.style.height = `${(count - end) * window.rowPx}px`;
    context.show(rows, shown.slice(first, end));
  });
  return {
    element,
    update({ props, _childNodes }) {
      const [height, rowPx, label] = [props.get('height'), props.get('rowHeight'), props.get('label')];
      element.style.maxHeight = `${typeof height === 'number' && height > 0 ? height : USUAL_HEIGHT_PX}px`;
      window.rowPx = typeof rowPx === 'number' && rowPx > 0 ? rowPx : USUAL_ROW_PX;
      element.style.setProperty('--row-height', `${window.rowPx}px`);
      element.setAttribute('aria-label', typeof label === 'string' ? label : 'List');
      shown = _childNodes;
      window.update(shown.length);
    },
    dispose: () => window.dispose(),
  };
}
