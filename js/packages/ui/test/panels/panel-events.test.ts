import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/panels/protocol.ts';
import { type EventSource, PanelEvents } from '../../src/panels/panel-events.ts';
import { TextGuard } from '../../src/panels/text-guard.ts';

let container: HTMLElement;
let source: { isPatching: boolean; propsOf: EventSource['propsOf'] };
let events: PanelEvents;
let sent: unknown[][];
const props = new Map<Node, JsonObject>();

function add(tag: string, handlers: Record<string, string>, parent: Element = container): HTMLElement {
  const element = document.createElement(tag);
  const ids = Object.entries(handlers).map(([event, id]) => [`_${event}HandlerId`, id]);
  props.set(element, Object.fromEntries(ids));
  parent.append(element);
  return element;
}

const fire = (element: Element, event: Event) => element.dispatchEvent(event);
const wheel = (deltaY: number, x: number) => new WheelEvent('wheel', { deltaY, clientX: x, bubbles: true });
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

beforeEach(() => {
  container = document.createElement('div');
  document.body.append(container);
  sent = [];
  props.clear();
  source = { isPatching: false, propsOf: (element) => props.get(element) ?? null };
  const send = async (...event: unknown[]) => {
    sent.push(event);
  };
  events = new PanelEvents(container, source, new TextGuard(() => true), send);
});

afterEach(() => {
  events.dispose();
  document.body.replaceChildren();
});

describe('events', () => {
  it('call the handlers of a node and of those above it, the inner ones first', () => {
    const outer = add('div', { onClick: 'outer' });
    const plain = outer.appendChild(document.createElement('b'));
    const inner = add('button', { onClick: 'inner' }, plain);
    inner.click();
    expect(sent).toEqual([
      ['inner', []],
      ['outer', []],
    ]);
  });

  it('that do not bubble are of one node', () => {
    const outer = add('div', { onMouseEnter: 'outer', onFocus: 'outer' });
    const inner = add(
      'button',
      { onMouseEnter: 'inner', onMouseLeave: 'left', onFocus: 'focus', onBlur: 'blur' },
      outer,
    );
    fire(inner, new MouseEvent('mouseenter'));
    fire(inner, new MouseEvent('mouseleave'));
    inner.focus();
    inner.blur();
    expect(sent.map(([id]) => id)).toEqual(['inner', 'left', 'focus', 'blur']);
  });

  it('of elements that are being moved are not the user’s', () => {
    const button = add('button', { onFocus: 'focus', onBlur: 'blur' });
    source.isPatching = true;
    button.focus();
    button.blur();
    expect(sent).toEqual([]);
  });

  it('of keys say which', () => {
    const field = add('input', { onKeyDown: 'down', onKeyUp: 'up' });
    fire(field, new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', shiftKey: true, bubbles: true }));
    fire(field, new KeyboardEvent('keyup', { key: 'a', code: 'KeyA', bubbles: true }));
    const key = { key: 'a', code: 'KeyA', altKey: false, ctrlKey: false, metaKey: false };
    expect(sent).toEqual([
      ['down', [{ ...key, shiftKey: true }]],
      ['up', [{ ...key, shiftKey: false }]],
    ]);
  });

  it('come no more after the end', () => {
    const button = add('button', { onClick: 'x' });
    events.dispose();
    button.click();
    expect(sent).toEqual([]);
  });
});

describe('the wheel', () => {
  it('is said once a frame, with all that it has turned', async () => {
    const outer = add('div', { onWheel: 'outer' });
    const list = add('ul', { onWheel: 'list' }, outer);
    for (let count = 1; count <= 50; count += 1) fire(list, wheel(count % 2 ? 3 : -1, count));
    expect(sent).toEqual([]);
    await frame();
    expect(sent).toEqual([
      ['list', [{ deltaY: 50, x: 50, y: 0 }]],
      ['outer', [{ deltaY: 50, x: 50, y: 0 }]],
    ]);
    await frame();
    expect(sent).toHaveLength(2);
  });

  it('over other elements, and other events, keep their order', async () => {
    const one = add('ul', { onWheel: 'one', onClick: 'click' });
    const two = add('ul', { onWheel: 'two' });
    fire(one, wheel(1, 0));
    fire(two, wheel(2, 0));
    one.click();
    fire(container, wheel(4, 0));
    await frame();
    expect(sent.map(([id]) => id)).toEqual(['one', 'two', 'click']);
  });
});

describe('values', () => {
  it('of a checkbox are sent once, though it is an input and a change', () => {
    const box = add('input', { onChange: 'c', onInput: 'i' }) as HTMLInputElement;
    box.type = 'checkbox';
    box.click();
    expect(sent).toEqual([
      ['i', [true]],
      ['c', [true]],
    ]);
    box.checked = false;
    fire(box, new Event('change', { bubbles: true }));
    expect(sent.slice(2)).toEqual([['c', [false]]]);
  });

  it('that are being typed go before any other event', () => {
    const form = add('form', { onSubmit: 's' });
    const field = add('input', { onInput: 'i' }, form) as HTMLInputElement;
    field.value = 'a';
    fire(field, new Event('input', { bubbles: true }));
    const submit = new Event('submit', { bubbles: true, cancelable: true });
    fire(form, submit);
    expect(submit.defaultPrevented).toBe(true);
    expect(sent).toEqual([
      ['i', ['a']],
      ['s', []],
    ]);
  });

  it('go to a form around them too', () => {
    const form = add('form', { onChange: 'all' });
    const select = add('select', {}, form) as HTMLSelectElement;
    select.append(new Option('a', 'a'), new Option('b', 'b'));
    select.value = 'b';
    fire(select, new Event('change', { bubbles: true }));
    expect(sent).toEqual([['all', ['b']]]);
  });
});
