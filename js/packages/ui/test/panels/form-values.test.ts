import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/panels/protocol.ts';
import { setControlValue, setSelection } from '../../src/panels/form-values.ts';
import { TextGuard } from '../../src/panels/text-guard.ts';

let guard: TextGuard;

const control = (type: string) => Object.assign(document.createElement('input'), { type });
const set = (element: Element, before: JsonObject | null, props: JsonObject) =>
  setControlValue(element, before, props, guard);

beforeEach(() => {
  guard = new TextGuard(() => false);
});

describe('a field', () => {
  it('begins with its value, or with the default', () => {
    const field = control('text');
    set(field, null, { value: 3, defaultValue: 'no' });
    expect(field.value).toBe('3');
    const other = document.createElement('textarea');
    set(other, null, { defaultValue: 'd' });
    expect(other.value).toBe('d');
  });

  it('follows its value; without one it keeps what it has', () => {
    const field = control('text');
    set(field, null, { value: 'a' });
    set(field, { value: 'a' }, { value: 'b' });
    expect(field.value).toBe('b');
    field.value = 'typed';
    set(field, { value: 'b' }, { title: 't' });
    set(field, { title: 't' }, { title: 'u', defaultValue: 'x' });
    expect(field.value).toBe('typed');
  });

  it('is as the plugin says when it says the same again', () => {
    const field = control('text');
    field.value = 'typed';
    set(field, { value: '' }, { value: '' });
    expect(field.value).toBe('');
  });

  it('of files can not be set', () => {
    const field = control('file');
    expect(() => set(field, null, { value: '/etc/passwd' })).not.toThrow();
    expect(field.value).toBe('');
  });
});

describe('a checkbox', () => {
  it('is checked as it is said, also when it is said again', () => {
    const box = control('checkbox');
    set(box, null, { defaultChecked: true, value: 'v' });
    expect([box.checked, box.value]).toEqual([true, 'v']);
    set(box, { defaultChecked: true }, { checked: false });
    expect(box.checked).toBe(false);
    box.checked = true;
    set(box, { checked: false }, { checked: false, title: 't' });
    expect(box.checked).toBe(false);
    box.checked = true;
    set(box, { checked: false }, { title: 't' });
    expect(box.checked).toBe(true);
  });

  it('that is a radio button is not unchecked by a word said again: another one does that', () => {
    const button = control('radio');
    button.checked = true;
    set(button, { checked: false }, { checked: false });
    expect(button.checked).toBe(true);
    button.checked = false;
    set(button, { checked: true }, { checked: true });
    expect(button.checked).toBe(true);
  });
});

describe('a selection', () => {
  const make = (multiple = false) => {
    const select = document.createElement('select');
    select.multiple = multiple;
    select.append(...['a', 'b', 'c'].map((value) => new Option(value, value)));
    return select;
  };
  const chosen = (select: HTMLSelectElement) => [...select.selectedOptions].map(({ value }) => value);

  it('is what the plugin says, one or several, also when it says it again', () => {
    const one = make();
    setSelection(one, null, { defaultValue: 'b' }, true, guard);
    expect(chosen(one)).toEqual(['b']);
    setSelection(one, {}, { value: 'c' }, false, guard);
    expect(chosen(one)).toEqual(['c']);
    one.value = 'a';
    setSelection(one, { value: 'c' }, { value: 'c' }, false, guard);
    expect(chosen(one)).toEqual(['c']);
    const several = make(true);
    setSelection(several, null, { value: ['a', 'c', 'x'] }, true, guard);
    expect(chosen(several)).toEqual(['a', 'c']);
  });

  it('stays with new options, and without a word of the plugin', () => {
    const select = make();
    setSelection(select, { value: 'b' }, { value: 'b' }, true, guard);
    expect(chosen(select)).toEqual(['b']);
    select.value = 'c';
    setSelection(select, { value: 'b' }, {}, false, guard);
    expect(chosen(select)).toEqual(['c']);
  });
});
