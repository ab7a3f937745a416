/** Attributes that a plugin's elements may have: an allow-list, with checked addresses. */

import type { JsonObject, JsonValue } from '../model/panels/protocol.ts';

const MAX_VALUE = 10_000;
const MAX_ADDRESS = 2000;
/** A picture is part of the tree, so that it can't be larger. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i;

const EVERYWHERE: ReadonlySet<string> = new Set([
  ...['id', 'class', 'title', 'role', 'lang', 'dir', 'tabindex', 'hidden'],
]);

const BY_TAG: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    a: 'href',
    img: 'src alt width height',
    button: 'type disabled name value',
    input:
      'type name disabled readonly required placeholder min max step minlength maxlength multiple accept size ' +
      'autocomplete inputmode enterkeyhint spellcheck value checked',
    textarea:
      'name disabled readonly required placeholder rows cols wrap minlength maxlength autocomplete inputmode ' +
      'enterkeyhint spellcheck',
    select: 'name disabled required multiple size autocomplete',
    option: 'value label disabled selected',
    label: 'for',
    form: 'autocomplete novalidate',
    td: 'colspan rowspan headers',
    th: 'colspan rowspan headers scope abbr',
    ol: 'start reversed type',
    li: 'value',
  }).map(([tag, names]) => [tag, new Set(names.split(' '))]),
);

const INPUT_TYPES: ReadonlySet<string> = new Set(
  (
    'text search email url tel password number range checkbox radio date time datetime-local month week color ' +
    'file hidden button submit reset'
  ).split(' '),
);

/** Other spellings of React and of HTML. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['className', 'class'],
  ['htmlFor', 'for'],
]);

/** Set as properties: attributes give only what they begin with. */
const LIVE: ReadonlySet<string> = new Set(['value', 'checked']);

/** Addresses that open in a new tab: absolute, so that none is on the page's own server by its path. */
export function isAllowedAddress(address: string): boolean {
  if (address.length > MAX_ADDRESS) return false;
  // Browsers leave out control characters, so that they could split the name of a scheme.
  return /^(?:https?:\/\/|mailto:)[^\p{Cc}\s]+$/iu.test(address);
}

/** Allowed attributes of an element, by name; live properties of form controls aren't among them. */
export function attributesOf(tag: string, props: JsonObject): Map<string, string> {
  const allowed = new Map<string, string>();
  for (const [given, value] of Object.entries(props)) {
    const name = RENAMED.get(given) ?? given.toLowerCase();
    if (!isAllowed(tag, name)) continue;
    const text = attributeText(name, value);
    const checked = text === null ? null : checkedValue(tag, name, text);
    if (checked !== null) allowed.set(name, checked);
  }
  if (allowed.has('href')) {
    allowed.set('target', '_blank');
    allowed.set('rel', 'noopener noreferrer nofollow');
  }
  // Browsers would fill in the password of the Jupyter server.
  if (allowed.get('type') === 'password') allowed.set('autocomplete', 'new-password');
  return allowed;
}

function isAllowed(tag: string, name: string): boolean {
  if (isFormControl(tag) && LIVE.has(name)) return false;
  if (EVERYWHERE.has(name) || BY_TAG.get(tag)?.has(name)) return true;
  if (/^aria-[a-z]{1,40}$/.test(name)) return true;
  // The panel's own hooks and JupyterLab's are not for plugins.
  return /^data-[a-z][a-z0-9-]{0,60}$/.test(name) && !/^data-(?:ac|lm|jp)(?:-|$)/.test(name);
}

/** Elements whose `value` and `checked` are properties. */
export function isFormControl(tag: string): boolean {
  return tag === 'input' || tag === 'textarea' || tag === 'select';
}

function attributeText(name: string, value: JsonValue): string | null {
  if (typeof value === 'string') return value.length <= MAX_VALUE || name === 'src' ? value : null;
  if (typeof value === 'number') return `${value}`;
  if (typeof value !== 'boolean') return null;
  // Of these, false is a value; of others, it means that the attribute isn't there.
  if (name.startsWith('aria-') || name.startsWith('data-') || name === 'spellcheck') return `${value}`;
  return value ? '' : null;
}

function checkedValue(tag: string, name: string, text: string): string | null {
  if (name === 'href') return isAllowedAddress(text) ? text : null;
  if (name === 'src') return PICTURE.test(text) ? text : null;
  if (name === 'type' && tag === 'input') return INPUT_TYPES.has(text) ? text : null;
  return text;
}
