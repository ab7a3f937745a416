import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepFocus } from '../../src/panels/focus-keeper.ts';

let container: HTMLElement;
let field: HTMLInputElement;

beforeEach(() => {
  container = document.createElement('div');
  container.tabIndex = -1;
  field = document.createElement('input');
  field.value = 'abcd';
  container.append(field, document.createElement('p'));
  document.body.append(container);
});

afterEach(() => document.body.replaceChildren());

describe('the focus', () => {
  it('stays in what moves, with its selection', () => {
    field.focus();
    field.setSelectionRange(1, 3);
    keepFocus(container, () => {
      field.remove();
      container.append(field);
    });
    expect(document.activeElement).toBe(field);
    expect([field.selectionStart, field.selectionEnd]).toEqual([1, 3]);
  });

  it('stays in what has no caret', () => {
    field.type = 'checkbox';
    field.focus();
    keepFocus(container, () => {
      field.remove();
      container.append(field);
    });
    expect(document.activeElement).toBe(field);
  });

  it('of what is removed goes to the container', () => {
    field.focus();
    keepFocus(container, () => field.remove());
    expect(document.activeElement).toBe(container);
  });

  it('elsewhere is left alone', () => {
    const outside = document.createElement('button');
    document.body.append(outside);
    outside.focus();
    keepFocus(container, () => field.remove());
    expect(document.activeElement).toBe(outside);
    container.focus();
    keepFocus(container, () => container.replaceChildren());
    expect(document.activeElement).toBe(container);
  });
});
