import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/panels/protocol.ts';
import { attributesOf, isAllowedAddress, isFormControl } from '../../src/panels/attributes.ts';

const attributes = (tag: string, props: JsonObject) => Object.fromEntries(attributesOf(tag, props));

describe('addresses', () => {
  it.each(['https://example.org/x?y#z', 'HTTP://h', 'mailto:a@b.c'])('may be %s', (address) => {
    expect(isAllowedAddress(address)).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    ' https://h',
    'https://h/a b',
    'https://h/\n',
    'java\tscript:x',
    '//h/x',
    '/lab',
    '#x',
    'data:text/html,x',
    'blob:https://h/1',
    'vbscript:x',
    'https:',
    `https://h/${'x'.repeat(2000)}`,
  ])('may not be %j', (address) => {
    expect(isAllowedAddress(address)).toBe(false);
  });

  it('open in a new tab', () => {
    expect(attributes('a', { href: 'https://h/', target: '_top', rel: 'opener' })).toEqual({
      href: 'https://h/',
      target: '_blank',
      rel: 'noopener noreferrer nofollow',
    });
  });

  it('of pictures are the pictures themselves', () => {
    const png = 'data:image/png;base64,AA==';
    expect(attributes('img', { src: png, alt: 'a', srcset: 'x 2x' })).toEqual({ src: png, alt: 'a' });
    expect(attributes('img', { src: 'data:text/html,<script>' })).toEqual({});
    expect(attributes('input', { src: png })).toEqual({});
  });
});

describe('values', () => {
  it('are texts: true for an attribute alone, false for none but where it is a word', () => {
    expect(
      attributes('input', { disabled: true, required: false, min: 3, spellcheck: false, 'aria-busy': false }),
    ).toEqual({ disabled: '', min: '3', spellcheck: 'false', 'aria-busy': 'false' });
  });

  it('of other kinds, and very long ones, are left out', () => {
    expect(attributes('div', { title: null, id: ['a'], role: {}, lang: 'x'.repeat(10_001) })).toEqual({});
  });

  it('of inputs are of known types; a password is a new one', () => {
    expect(attributes('input', { type: 'image' })).toEqual({});
    expect(attributes('input', { type: 'password', autocomplete: 'on' })).toEqual({
      type: 'password',
      autocomplete: 'new-password',
    });
  });
});

describe('names', () => {
  it('are those of the tag, whatever their case, and React’s', () => {
    const props = { tabIndex: 0, className: 'k', htmlFor: 'i', colSpan: 2, maxLength: 3 };
    expect(attributes('td', props)).toEqual({ tabindex: '0', class: 'k', colspan: '2' });
    expect(attributes('label', props)).toEqual({ tabindex: '0', class: 'k', for: 'i' });
    expect(attributes('textarea', props)).toEqual({ tabindex: '0', class: 'k', maxlength: '3' });
  });

  it('of data are the plugin’s own, not those of the page', () => {
    const props = {
      'data-x': '1',
      'data-ac': '2',
      'data-ac-x': '3',
      'data-lm-y': '4',
      'data-jp-z': '5',
      'data-': '6',
    };
    expect(attributes('div', props)).toEqual({ 'data-x': '1' });
  });

  it('of live values are left to the form controls', () => {
    expect(attributes('input', { value: 'x', checked: true })).toEqual({});
    expect(attributes('li', { value: 3 })).toEqual({ value: '3' });
    expect(['input', 'textarea', 'select', 'button'].map(isFormControl)).toEqual([true, true, true, false]);
  });

  it.each([
    'onclick',
    'onClick',
    'style',
    'srcdoc',
    'action',
    'formaction',
    'is',
    'slot',
    'popover',
    'part',
    'nonce',
  ])('are never %s', (name) => {
    for (const tag of ['div', 'form', 'button', 'input', 'a', 'img'])
      expect(attributes(tag, { [name]: 'x' })).toEqual({});
  });
});
