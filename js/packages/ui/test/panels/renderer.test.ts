import '../support/jsdom.ts';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PanelTree } from '../../src/model/panels/panel-tree.ts';
import type { JsonObject, PanelChild, PanelNode } from '../../src/model/panels/protocol.ts';
import { usualComponents } from '../../src/panels/index.ts';
import { TreeRenderer } from '../../src/panels/renderer.ts';
import { batchFor, choices, element, NodeMaker, textNode } from '../support/panel-trees.ts';

let container: HTMLElement;
let renderer: TreeRenderer;
let sent: unknown[][];

function host(): [HTMLElement, TreeRenderer] {
  const place = document.createElement('div');
  place.tabIndex = -1;
  document.body.append(place);
  const components = usualComponents();
  components.register(
    'Chart',
    ({ show }) => {
      const view = document.createElement('figure');
      return { element: view, update: ({ _childNodes }) => show(view, _childNodes) };
    },
    { version: '1', propTypes: {} },
  );
  const send = async (...event: unknown[]) => {
    sent.push(event);
  };
  return [
    place,
    new TreeRenderer(place, {
      components,
      send,
      onFailure: (_, error) => {
        throw error;
      },
    }),
  ];
}

const of = (
  type: string,
  props: JsonObject = {},
  children: readonly PanelChild[] = [],
  id = type,
): PanelNode => ({
  id,
  type,
  props,
  children,
});
const show = (...children: PanelChild[]) => renderer.render(element('r', children));
const find = <T extends HTMLElement>(selector: string) => container.querySelector(selector) as T;
const typed = (field: HTMLInputElement, value: string) => {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
};
const changed = (field: Element) => field.dispatchEvent(new Event('change', { bubbles: true }));

beforeEach(() => {
  sent = [];
  [container, renderer] = host();
});

afterEach(() => {
  renderer.dispose();
  document.body.replaceChildren();
});

describe('the elements', () => {
  it('are those of a fresh rendering after any changes, and live as long as their nodes', () => {
    fc.assert(
      fc.property(choices, (numbers) => {
        const maker = new NodeMaker(numbers);
        const tree = new PanelTree();
        let model = maker.root();
        tree.replace(model);
        renderer.render(tree.root);
        for (let round = 0; round < 6; round += 1) {
          const [batch, next] = batchFor(model, numbers, maker);
          tree.apply(batch);
          model = next;
          if (round % 3 === 1) continue;
          renderer.render(tree.root);
          const [other, fresh] = host();
          fresh.render(tree.root);
          expect(container.innerHTML).toBe(other.innerHTML);
          fresh.dispose();
          other.remove();
        }
      }),
    );
  });

  it('are moved, not made again, also out of what they were in', () => {
    show(of('section', {}, [of('input', {}, [], 'i')]), of('p'));
    const [input, section] = [find('input'), find('section')];
    input.focus();
    renderer.render(element('r', [element('x', [of('input', {}, [], 'i')]), of('section')]));
    expect([find('input'), find('section')]).toEqual([input, section]);
    expect(document.activeElement).toBe(input);
    renderer.render(element('r', [of('input', {}, [of('p')], 'other')]));
    expect(document.activeElement).toBe(container);
  });

  it('of unknown types say so', () => {
    show(of('script', {}, [textNode('t', 'alert(1)')]), of('__proto__'));
    expect([...container.querySelectorAll('.uniview-unknown')].map(({ textContent }) => textContent)).toEqual(
      ['Unknown: script', 'Unknown: __proto__'],
    );
    expect(container.querySelector('script')).toBeNull();
  });
});

describe('hostile props', () => {
  it.each<[string, string, JsonObject]>([
    ['a script as address', 'a', { href: 'javascript:alert(1)' }],
    ['a hidden script', 'a', { href: 'java\nscript:alert(1)' }],
    ['an address of the server', 'a', { href: '/lab/api' }],
    ['data as address', 'a', { href: 'data:text/html,x' }],
    ['a picture from elsewhere', 'img', { src: 'https://evil.example/x.png' }],
    ['several pictures', 'img', { srcset: 'https://evil.example/x.png 2x' }],
    ['a document', 'div', { srcdoc: '<script>' }],
    ['handlers in text', 'div', { onclick: 'alert(1)', onClick: 'alert(1)' }],
    ['raw HTML', 'div', { dangerouslySetInnerHTML: { __html: '<b>' }, innerHTML: '<b>' }],
    ['a target of a form', 'form', { action: 'https://evil.example', formaction: 'x' }],
    ['a picture as button', 'input', { type: 'image', src: 'data:image/png,x' }],
    ['hooks of the panel', 'div', { 'data-ac': 'tool-approve', 'data-lm-suppress-shortcuts': 'x' }],
    ['a popover', 'div', { popover: 'auto', is: 'x', slot: 'y', contenteditable: true }],
    [
      'styles that load',
      'div',
      { style: { background: 'url(https://evil.example)', cursor: 'image-set("x" 1x)' } },
    ],
    ['a hidden function', 'div', { style: { background: 'u\\72l(x)', color: 'ur/**/l(x)' } }],
    ['a fixed place', 'div', { style: { position: 'fixed', viewTransitionName: 'x' } }],
    ['a name of the prototype', 'div', JSON.parse('{"__proto__":{"class":"x"},"constructor":"x"}')],
  ])('such as %s come to nothing', (_, tag, props) => {
    show(of(tag, props, [], 'n'));
    expect(find(tag === 'div' ? 'div > div' : tag).getAttributeNames()).toEqual([]);
  });

  it('leave what is allowed', () => {
    const style = { backgroundColor: 'rgb(1, 2, 3)', marginTop: 4, opacity: 0.5 };
    show(of('a', { href: 'https://example.org/x', className: 'k', style }), of('label', { htmlFor: 'i' }));
    expect(find('a').outerHTML).toBe(
      '<a href="https://example.org/x" class="k" target="_blank" rel="noopener noreferrer nofollow" ' +
        'style="background-color: rgb(1, 2, 3); margin-top: 4px; opacity: 0.5;"></a>',
    );
    expect(find('label').getAttribute('for')).toBe('i');
  });
});

describe('events', () => {
  it('have the arguments of the protocol, and go to what is above too', () => {
    const ids = {
      _onClickHandlerId: 'c',
      _onKeyDownHandlerId: 'k',
      _onFocusHandlerId: 'f',
    };
    renderer.render({ ...element('r', [of('button', ids)]), props: { _onClickHandlerId: 'outer' } });
    find('button').focus();
    find('button').click();
    find('button').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', ctrlKey: true, bubbles: true }),
    );
    expect(sent).toEqual([
      ['f', []],
      ['c', []],
      ['outer', []],
      ['k', [{ key: 'a', code: 'KeyA', altKey: false, ctrlKey: true, metaKey: false, shiftKey: false }]],
    ]);
  });

  it('of a form never leave the page, and come after what was typed', () => {
    show(
      of('form', { _onSubmitHandlerId: 's' }, [
        of('input', { _onChangeHandlerId: 'v', _onInputHandlerId: 'i' }),
      ]),
    );
    typed(find('input'), 'a');
    typed(find('input'), 'ab');
    expect(sent).toEqual([]);
    const submit = new Event('submit', { bubbles: true, cancelable: true });
    find('form').dispatchEvent(submit);
    expect(submit.defaultPrevented).toBe(true);
    expect(sent).toEqual([
      ['i', ['ab']],
      ['v', ['ab']],
      ['s', []],
    ]);
  });

  it('of a checkbox say once whether it is checked; of a selection, what is selected', () => {
    const options = ['a', 'b', 'c'].map((value) => of('option', { value }, [], value));
    const props = { multiple: true, value: ['a', 'c'], _onChangeHandlerId: 'm' };
    show(of('input', { type: 'checkbox', _onChangeHandlerId: 'x' }), of('select', props, options));
    find('input').click();
    changed(find('select'));
    expect(sent).toEqual([
      ['x', [true]],
      ['m', [['a', 'c']]],
    ]);
  });
});

describe('what the user types', () => {
  const field = (value: string) => show(of('input', { value, _onChangeHandlerId: 'v' }));

  it('is not replaced by an older echo, but by what the plugin makes of it', async () => {
    field('');
    const input = find<HTMLInputElement>('input');
    input.focus();
    typed(input, 'a');
    changed(input);
    typed(input, 'ab');
    field('a');
    expect(input.value).toBe('ab');
    changed(input);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    field('ab');
    field('AB');
    expect([input.value, input.selectionStart]).toEqual(['AB', 2]);
    field('');
    expect(input.value).toBe('');
  });

  it('stays when other props change', () => {
    field('x');
    typed(find('input'), 'y');
    show(of('input', { value: 'x', title: 't', _onChangeHandlerId: 'v' }));
    expect(find<HTMLInputElement>('input').value).toBe('y');
  });
});

describe('components of many rows', () => {
  it('render those in view only', () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [`row ${at}`, at]);
    show(of('DataTable', { columns: ['name', 'n'], rows, _onRowClickHandlerId: 'c' }));
    expect(container.querySelectorAll('tr').length).toBeLessThan(100);
    find('.data-table table').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }));
    find('.data-table table').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    expect(sent).toEqual([['c', [1]]]);
    const items = Array.from({ length: 9000 }, (_, at) => of('div', {}, [`${at}`], `i${at}`));
    show(of('VirtualList', {}, items, 'list'));
    expect(container.querySelectorAll('*').length).toBeLessThan(100);
    expect(find('.virtual-list').textContent).toMatch(/^012345/);
  });
});
