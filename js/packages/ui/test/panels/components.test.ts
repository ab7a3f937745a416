import { describe, expect, it } from 'vitest';
import { ComponentRegistry, componentProps } from '../../src/panels/components.ts';
import { textNode } from '../support/panel-trees.ts';

const component = () => ({ element: document.createElement('i'), update() {} });
const METADATA = { version: '2', propTypes: { title: 'string', rows: 'array', size: 'number' } } as const;

describe('the registry', () => {
  it('has components by type', () => {
    const components = new ComponentRegistry();
    components.register('B', component, METADATA);
    components.register('A', component, { version: '1', propTypes: {} });
    expect(components.list()).toEqual([
      { type: 'A', version: '1' },
      { type: 'B', version: '2' },
    ]);
    expect(components.get('B')).toMatchObject({ component, version: '2' });
    expect([components.has('A'), components.has('toString'), components.get('__proto__')]).toEqual([
      true,
      false,
      null,
    ]);
    components.clear();
    expect(components.list()).toEqual([]);
  });
});

describe('a component gets', () => {
  const propsOf = (props: object, children: unknown[] = [], called: unknown[] = []) =>
    componentProps({ id: 'n', props: props as never, children: children as never }, METADATA, (...call) =>
      called.push(call),
    );

  it('declared props of the declared types only', () => {
    const { props } = propsOf({ title: 't', rows: [1], size: '3', other: 1, toString: 'x', children: [] });
    expect([...props]).toEqual([
      ['title', 't'],
      ['rows', [1]],
    ]);
  });

  it('its handlers as functions, by their events', () => {
    const called: unknown[] = [];
    const { callbacks } = propsOf({ _onRowClickHandlerId: 'n:onRowClick', _onBadHandlerId: 3 }, [], called);
    expect([...callbacks.keys()]).toEqual(['onRowClick']);
    callbacks.get('onRowClick')?.(4, 'x');
    expect(called).toEqual([['n:onRowClick', [4, 'x']]]);
  });

  it('its children, and their text as a title unless it has one', () => {
    const children = ['a', textNode('t', 'b'), { id: 'e', type: 'p', props: {}, children: ['no'] }];
    expect(propsOf({}, children)).toMatchObject({ title: 'ab', _nodeId: 'n', _childNodes: children });
    expect(propsOf({ title: 'own' }, children).title).toBe('own');
  });
});
