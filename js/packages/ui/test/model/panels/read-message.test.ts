import { describe, expect, it } from 'vitest';
import { MessageReader } from '../../../src/model/panels/read-message.ts';
import { element, textNode } from '../../support/panel-trees.ts';

const node = (value: unknown) => new MessageReader().node(value);
const batch = (value: unknown) => new MessageReader().batch(value);

describe('a node', () => {
  it('of the protocol is taken as it is, older ones with bare strings too', () => {
    for (const each of [element('a', ['bare', element('b')]), textNode('t', 'x')])
      expect(node(each)).toEqual(each);
  });

  it('keeps only the members of the protocol', () => {
    expect(node({ ...element('a'), text: 'x', more: 1 })).toEqual(element('a'));
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['no id', { ...element('a'), id: undefined }],
    ['an empty id', element('')],
    ['a number as id', { ...element('a'), id: 1 }],
    ['a long id', element('x'.repeat(1001))],
    ['a type that is no text', { ...element('a'), type: {} }],
    ['props that are a list', { ...element('a'), props: [] }],
    ['children that are an object', { ...element('a'), children: {} }],
    ['a child that is a number', { ...element('a'), children: [1] }],
    ['a text without text', { ...textNode('a', ''), text: 7 }],
    ['a function', { ...element('a'), props: { x: () => 1 } }],
    ['a number that is not JSON', element('a', [], { x: Number.NaN })],
    ['inherited members', Object.create(element('a'))],
  ])('with %s is refused', (_, value) => {
    expect(() => node(value)).toThrow();
  });

  it('that contains itself is refused, and so are props that do', () => {
    const circle = { ...element('a'), children: [] as unknown[] };
    circle.children.push(circle);
    expect(() => node(circle)).toThrow('deeper');
    const props: Record<string, unknown> = {};
    props.self = props;
    expect(() => node({ ...element('a'), props })).toThrow('nested');
  });

  it('of a million nodes is refused early', () => {
    let seen = 0;
    const child = new Proxy(element('a'), {
      get: (target, name) => {
        seen += name === 'id' ? 1 : 0;
        return Reflect.get(target, name);
      },
    });
    expect(() => node({ ...element('r'), children: Array(1_000_000).fill(child) })).toThrow('at most');
    expect(seen).toBeLessThan(50_000);
  });

  it('can have a prop that is named as the prototype, which changes no object', () => {
    const read = node(JSON.parse('{"id":"a","type":"div","props":{"__proto__":{"bad":1}},"children":[]}'));
    expect(Object.keys(read.props)).toEqual(['__proto__']);
    expect(({} as { bad?: number }).bad).toBeUndefined();
  });
});

describe('a batch', () => {
  it.each([
    ['no list', { type: 'setRoot', node: null }],
    ['no object', [1]],
    ['an unknown type', [{ type: 'explode' }]],
    ['a name of the prototype as type', [{ type: 'constructor' }]],
    ['a text of version 2', [{ type: 'setText', parentId: 'a', childIndex: 0, text: 'x' }]],
    ['a removal of version 2', [{ type: 'removeChild', parentId: 'a', nodeId: 'b', childIndex: 0 }]],
    ['a text without text', [{ type: 'setText', nodeId: 'a' }]],
    ['no parent', [{ type: 'appendChild', node: element('a') }]],
    ['no anchor', [{ type: 'insertBefore', parentId: 'a', node: element('b') }]],
    ['no root', [{ type: 'setRoot' }]],
    ['too many mutations', Array(100_001).fill({ type: 'setRoot', node: null })],
  ])('with %s is refused', (_, value) => {
    expect(() => batch(value)).toThrow();
  });
});
