/**
 * Renders snapshots of a panel's tree into an element, by the ids of the nodes. Snapshots share what has not changed,
 * so that only changed nodes are looked at; an element lives as long as its node, also when it moves.
 *
 * The children of an element are arranged before what is in them: no element ever has to go into one below it.
 */

import { t } from '@jupyter-ac/messages';
import {
  type JsonObject,
  LAYOUT_TAGS,
  type PanelChild,
  type PanelNode,
  TEXT,
  VOID_TAGS,
} from '../model/panels/protocol.ts';
import { arrange } from './child-order.ts';
import {
  type ComponentRegistry,
  type ComponentView,
  componentProps,
  type PanelComponent,
} from './components.ts';
import { isControl } from './event-arguments.ts';
import { keepFocus } from './focus-keeper.ts';
import { setControlValue, setSelection } from './form-values.ts';
import {
  applyProps,
  type Children,
  createDom,
  emptyChildren,
  type Mounted,
  mountedOf,
  notice,
} from './mounted.ts';
import { type EventSource, PanelEvents, type SendEvent } from './panel-events.ts';
import { TextGuard } from './text-guard.ts';

export interface RendererOptions {
  readonly components: ComponentRegistry;
  readonly send: SendEvent;
  /** A component of the host has thrown. */
  readonly onFailure: (type: string, error: unknown) => void;
}

export class TreeRenderer implements EventSource {
  readonly #mounted = new Map<string, Mounted>();
  readonly #byElement = new WeakMap<Node, Mounted>();
  readonly #root = emptyChildren();
  readonly #guard = new TextGuard((field) => this.#activeElement() === field);
  readonly #events: PanelEvents;
  /** May be rendered nowhere after the current update. */
  #candidates: Mounted[] = [];
  #isPatching = false;

  constructor(
    private readonly container: HTMLElement,
    private readonly options: RendererOptions,
  ) {
    this.#events = new PanelEvents(container, this, this.#guard, options.send);
  }

  get isPatching(): boolean {
    return this.#isPatching;
  }

  propsOf(element: Node): JsonObject | null {
    return this.#byElement.get(element)?.node.props ?? null;
  }

  /** Renders a snapshot; null for nothing. */
  render(root: PanelNode | null): void {
    this.#patch(() => this.#show(this.#root, this.container, root ? [root] : []));
  }

  /** Removes all; the renderer is of no use afterwards. */
  dispose(): void {
    this.render(null);
    this.#events.dispose();
    this.#guard.dispose();
  }

  #activeElement(): Element | null {
    return (this.container.getRootNode() as Document | ShadowRoot).activeElement;
  }

  #patch(change: () => void): void {
    if (this.#isPatching) {
      change();
      return;
    }
    this.#isPatching = true;
    try {
      keepFocus(this.container, () => {
        change();
        for (const each of this.#candidates) {
          if (each.place !== null) continue;
          each.dom.remove();
          this.#forget(each);
        }
      });
    } finally {
      this.#candidates = [];
      this.#isPatching = false;
    }
  }

  #show(place: Children, parent: Element, children: readonly PanelChild[]): void {
    const left = [...place.strings];
    const strings: Text[] = [];
    const members: Mounted[] = [];
    const nodes = children.map((child) => {
      const given = typeof child === 'string' ? bareText(left.shift(), child) : this.#mountedFor(child);
      if (given instanceof Text) strings.push(given);
      else members.push(given);
      return given instanceof Text ? given : given.dom;
    });
    for (const each of place.members) {
      // Another parent may have taken it already.
      if (each.place !== place) continue;
      each.place = null;
      this.#candidates.push(each);
    }
    for (const each of members) each.place = place;
    arrange(parent, place.nodes, nodes);
    for (const text of left) text.remove();
    Object.assign(place, { members, strings, nodes });
    let index = 0;
    for (const child of children) {
      if (typeof child === 'string') continue;
      this.#update(members[index] as Mounted, child);
      index += 1;
    }
  }

  #mountedFor(node: PanelNode): Mounted {
    const known = this.#mounted.get(node.id);
    if (known && isSameElement(known.node, node)) return known;
    const mounted = this.#mount(node);
    this.#mounted.set(node.id, mounted);
    return mounted;
  }

  #mount(node: PanelNode): Mounted {
    const registered = LAYOUT_TAGS.has(node.type) ? null : this.options.components.get(node.type);
    if (registered) return this.#mountComponent(node, registered.component);
    const mounted = mountedOf(node, createDom(node), null);
    if (LAYOUT_TAGS.has(node.type)) this.#byElement.set(mounted.dom, mounted);
    return mounted;
  }

  /** One that throws is shown as such; it stays so until its node is another one. */
  #mountComponent(node: PanelNode, component: PanelComponent): Mounted {
    let mounted: Mounted | null = null;
    const show = (container: Element, children: readonly PanelChild[]) => {
      if (mounted) this.#showIn(mounted, container, children);
    };
    try {
      const view = component({ show });
      mounted = mountedOf(node, view.element, view);
      return mounted;
    } catch (error) {
      this.options.onFailure(node.type, error);
      return mountedOf(node, notice('failed', t('%1 could not be shown.', node.type)), null);
    }
  }

  #showIn(mounted: Mounted, container: Element, children: readonly PanelChild[]): void {
    let place = mounted.containers.get(container);
    if (!place) {
      place = emptyChildren();
      mounted.containers.set(container, place);
    }
    const known = place;
    this.#patch(() => this.#show(known, container, children));
  }

  #update(mounted: Mounted, node: PanelNode): void {
    if (mounted.node === node && !mounted.isNew) return;
    const { node: before, isNew, dom } = mounted;
    Object.assign(mounted, { node, isNew: false });
    if (mounted.view) this.#updateComponent(mounted, mounted.view);
    else if (node.type === TEXT) setText(dom as Text, node.text ?? '');
    else if (this.#byElement.has(dom)) this.#updateElement(mounted, isNew ? null : before);
  }

  #updateElement(mounted: Mounted, before: PanelNode | null): void {
    const { node, dom } = mounted;
    const element = dom as HTMLElement;
    const hasNewProps = before?.props !== node.props;
    if (hasNewProps) {
      applyProps(mounted, node.props);
      if (isControl(element)) setControlValue(element, before?.props ?? null, node.props, this.#guard);
    }
    if (VOID_TAGS.has(node.type) || node.type === 'textarea') return;
    const hasNewChildren = before ? before.children !== node.children : node.children.length > 0;
    if (hasNewChildren) this.#showIn(mounted, element, node.children);
    if (element instanceof HTMLSelectElement && (hasNewChildren || hasNewProps)) {
      setSelection(element, before?.props ?? null, node.props, hasNewChildren, this.#guard);
    }
  }

  #updateComponent(mounted: Mounted, view: ComponentView): void {
    const { node } = mounted;
    const registered = this.options.components.get(node.type);
    if (!registered) return;
    try {
      view.update(componentProps(node, registered, (handler, args) => void this.options.send(handler, args)));
    } catch (error) {
      this.options.onFailure(node.type, error);
    }
  }

  /** With what is rendered in it and nowhere else. */
  #forget(mounted: Mounted): void {
    const { id } = mounted.node;
    if (this.#mounted.get(id) === mounted) this.#mounted.delete(id);
    if (mounted.dom instanceof Element && isControl(mounted.dom)) this.#guard.forget(mounted.dom);
    for (const place of mounted.containers.values()) {
      for (const each of place.members) if (each.place === place) this.#forget(each);
    }
    try {
      mounted.view?.dispose?.();
    } catch (error) {
      this.options.onFailure(mounted.node.type, error);
    }
  }
}

/** An input of another type is another element: what it has is of its type. */
function isSameElement(before: PanelNode, node: PanelNode): boolean {
  return before.type === node.type && (node.type !== 'input' || before.props.type === node.props.type);
}

function setText(dom: Text, text: string): void {
  if (dom.data !== text) dom.data = text;
}

function bareText(given: Text | undefined, text: string): Text {
  if (!given) return document.createTextNode(text);
  if (given.data !== text) given.data = text;
  return given;
}
