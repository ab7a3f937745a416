import '../support/jsdom.ts';
import { html, render } from 'lit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Edge, percentAt, splitter } from '../../src/elements/splitter.ts';

let sizes: number[];
let resets: number;

function bar(edge: Edge, percent = 30): HTMLElement {
  const container = document.createElement('div');
  container.getBoundingClientRect = () => new DOMRect(100, 100, 200, 400);
  document.body.append(container);
  const options = {
    area: 'files' as const,
    label: 'Height of the files',
    edge,
    value: percent,
    percent: () => percent,
    container: () => container,
    onResize: (size: number) => sizes.push(size),
    onReset: () => {
      resets += 1;
    },
  };
  render(html`${splitter(options)}`, container);
  const element = container.firstElementChild as HTMLElement;
  element.setPointerCapture = () => {};
  return element;
}

beforeEach(() => {
  sizes = [];
  resets = 0;
});
afterEach(() => document.body.replaceChildren());

describe('a splitter', () => {
  it('says what it is, where it stands and how it lies', () => {
    const element = bar('top');
    expect(element.getAttribute('role')).toBe('separator');
    expect(element.getAttribute('aria-orientation')).toBe('horizontal');
    expect(element.getAttribute('aria-valuenow')).toBe('30');
    expect(bar('left').getAttribute('aria-orientation')).toBe('vertical');
  });

  it.each([
    ['top', 'ArrowDown', 32],
    ['top', 'ArrowUp', 28],
    ['bottom', 'ArrowUp', 32],
    ['left', 'ArrowRight', 32],
    ['right', 'ArrowLeft', 32],
    ['right', 'ArrowRight', 28],
    ['top', 'Home', 10],
    ['top', 'End', 70],
  ] as const)('at the %s goes by %s to %i', (edge, key, expected) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true });
    bar(edge).dispatchEvent(event);
    expect(sizes).toEqual([expected]);
    expect(event.defaultPrevented).toBe(true);
  });

  it('leaves other keys to others, and is reset by Enter and a double click', () => {
    const element = bar('left');
    const event = new KeyboardEvent('keydown', { key: 'ArrowDown', cancelable: true });
    element.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    element.dispatchEvent(new MouseEvent('dblclick'));
    expect(sizes).toEqual([]);
    expect(resets).toBe(2);
  });

  it('follows the pointer until it is released', () => {
    const element = bar('top');
    const at = (type: string, clientY: number) =>
      element.dispatchEvent(new MouseEvent(type, { clientX: 0, clientY, button: 0 }));
    at('pointerdown', 200);
    at('pointermove', 300);
    element.dispatchEvent(new Event('lostpointercapture'));
    at('pointermove', 400);
    expect(sizes).toEqual([50]);
  });
});

it('measures from each edge', () => {
  const box = new DOMRect(100, 100, 200, 400);
  const point = { clientX: 150, clientY: 200 };
  expect(percentAt(point, box, 'top')).toBe(25);
  expect(percentAt(point, box, 'bottom')).toBe(75);
  expect(percentAt(point, box, 'left')).toBe(25);
  expect(percentAt(point, box, 'right')).toBe(75);
});
