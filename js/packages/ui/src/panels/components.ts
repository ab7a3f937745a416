/** Components beyond the layout tags: a registry by type, with the props that each takes. */

import type { JsonObject, JsonValue, PanelChild } from '../model/panels/protocol.ts';
import { eventOfProp, TEXT } from '../model/panels/protocol.ts';

export type PropType = 'string' | 'number' | 'boolean' | 'array' | 'object';

export interface ComponentMetadata {
  readonly version: string;
  /** Props that are passed; others are left out, as are those of another type. */
  readonly propTypes: Readonly<Record<string, PropType>>;
}

export type Callback = (...args: readonly JsonValue[]) => void;

export interface ComponentProps {
  /** Declared props. */
  readonly props: ReadonlyMap<string, JsonValue>;
  readonly _nodeId: string;
  readonly _childNodes: readonly PanelChild[];
  /** Handlers by event, such as `onRowClick`. */
  readonly callbacks: ReadonlyMap<string, Callback>;
  /** Text of the children that are texts; or the prop of that name. */
  readonly title: string;
}

export interface ComponentContext {
  /** Renders these children, and only these, into an element of the component. */
  show(container: Element, children: readonly PanelChild[]): void;
}

export interface ComponentView {
  readonly element: HTMLElement;
  /** Called initially and after each change of the node or of what is below it. */
  update(props: ComponentProps): void;
  dispose?(): void;
}

export type PanelComponent = (context: ComponentContext) => ComponentView;

interface Registered extends ComponentMetadata {
  readonly component: PanelComponent;
}

export class ComponentRegistry {
  readonly #components = new Map<string, Registered>();

  /** Replaces a component of the same type. */
  register(type: string, component: PanelComponent, metadata: ComponentMetadata): void {
    this.#components.set(type, { ...metadata, component });
  }

  get(type: string): Registered | null {
    return this.#components.get(type) ?? null;
  }

  has(type: string): boolean {
    return this.#components.has(type);
  }

  /** Types and versions, sorted. */
  list(): { type: string; version: string }[] {
    return [...this.#components]
      .map(([type, { version }]) => ({ type, version }))
      .sort((a, b) => (a.type < b.type ? -1 : 1));
  }

  clear(): void {
    this.#components.clear();
  }
}

/** What a component gets of its node. */
export function componentProps(
  node: { id: string; props: JsonObject; children: readonly PanelChild[] },
  { propTypes }: ComponentMetadata,
  call: (handlerId: string, args: readonly JsonValue[]) => void,
): ComponentProps {
  const props = new Map<string, JsonValue>();
  const callbacks = new Map<string, Callback>();
  for (const [name, value] of Object.entries(node.props)) {
    const event = eventOfProp(name);
    if (event !== null) {
      if (typeof value === 'string') callbacks.set(event, (...args) => call(value, args));
    } else if (Object.hasOwn(propTypes, name) && typeOf(value) === propTypes[name]) props.set(name, value);
  }
  const title = props.get('title');
  const text = node.children.map((child) => {
    if (typeof child === 'string') return child;
    return child.type === TEXT ? (child.text ?? '') : '';
  });
  return {
    props,
    callbacks,
    _nodeId: node.id,
    _childNodes: node.children,
    title: typeof title === 'string' ? title : text.join(''),
  };
}

function typeOf(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
