/** Elements of nodes: how they are made, and how props become attributes and styles. */

import { t } from '@jupyter-ac/messages';
import { type JsonObject, LAYOUT_TAGS, type PanelNode, TEXT } from '../model/panels/protocol.ts';
import { attributesOf } from './attributes.ts';
import type { ComponentView } from './components.ts';
import { declarations } from './css-values.ts';

/** What is rendered into one element. */
export interface Children {
  members: readonly Mounted[];
  /** Of the children that are bare strings. */
  strings: readonly Text[];
  /** Of both, in order. */
  nodes: readonly Node[];
}

/** A node that is rendered. */
export interface Mounted {
  node: PanelNode;
  readonly dom: Element | Text;
  /** Its props and children have not been rendered yet. */
  isNew: boolean;
  attributes: ReadonlyMap<string, string>;
  styles: ReadonlyMap<string, string>;
  /** Where it is rendered; null: nowhere any more. */
  place: Children | null;
  /** Of a component. */
  readonly view: ComponentView | null;
  /** What is rendered into its element, or into the elements of a component. */
  readonly containers: Map<Element, Children>;
}

const NONE: ReadonlyMap<string, string> = new Map();

export function emptyChildren(): Children {
  return { members: [], strings: [], nodes: [] };
}

export function mountedOf(node: PanelNode, dom: Element | Text, view: ComponentView | null): Mounted {
  const containers = new Map<Element, Children>();
  return { node, dom, view, containers, isNew: true, attributes: NONE, styles: NONE, place: null };
}

/** Element or text of a node that is not a component; one of an unknown type says so. */
export function createDom(node: PanelNode): Element | Text {
  if (node.type === TEXT) return document.createTextNode(node.text ?? '');
  if (LAYOUT_TAGS.has(node.type) || node.type === 'wbr') return document.createElement(node.type);
  return notice('uniview-unknown', t('Unknown: %1', node.type));
}

export function notice(className: string, text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.textContent = text;
  return element;
}

/** Sets what differs from before. */
export function applyProps(mounted: Mounted, props: JsonObject): void {
  const element = mounted.dom as HTMLElement;
  const attributes = attributesOf(element.localName, props);
  for (const name of mounted.attributes.keys()) if (!attributes.has(name)) element.removeAttribute(name);
  for (const [name, value] of attributes) {
    if (mounted.attributes.get(name) !== value) element.setAttribute(name, value);
  }
  const styles = stylesOf(props);
  for (const name of mounted.styles.keys()) if (!styles.has(name)) element.style.removeProperty(name);
  for (const [name, value] of styles) {
    if (mounted.styles.get(name) !== value || !mounted.styles.has(name))
      element.style.setProperty(name, value);
  }
  if (!styles.size && mounted.styles.size) element.removeAttribute('style');
  Object.assign(mounted, { attributes, styles });
}

function stylesOf(props: JsonObject): ReadonlyMap<string, string> {
  const style = Object.hasOwn(props, 'style') ? props.style : null;
  if (typeof style === 'string') return declarations(parsedStyle(style));
  if (typeof style !== 'object' || style === null || Array.isArray(style)) return NONE;
  return declarations(style as JsonObject);
}

/** Declarations of CSS text; in a document that loads nothing. */
function parsedStyle(text: string): JsonObject {
  const { style } = document.implementation.createHTMLDocument('').createElement('div');
  style.cssText = text.slice(0, 10_000);
  return Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name)]));
}
