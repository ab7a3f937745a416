/** Events of a panel's elements, listened to at its root: handlers of a node and of those above it are called. */

import { type DomEvent, handlerOf, type JsonObject, type JsonValue } from '../model/panels/protocol.ts';
import {
  type Control,
  controlValue,
  isControl,
  isTyped,
  keyArguments,
  wheelArguments,
} from './event-arguments.ts';
import type { TextGuard } from './text-guard.ts';

export interface EventSource {
  /** Props of the node that an element renders; null for an element of a component. */
  propsOf(element: Node): JsonObject | null;
  /** Elements are being moved or removed: what they lose is not the user's doing. */
  readonly isPatching: boolean;
}

export type SendEvent = (handlerId: string, args: readonly JsonValue[]) => Promise<unknown>;

export class PanelEvents {
  readonly #stop = new AbortController();
  /** What `input` has sent, as JSON: the `change` that follows says the same. */
  readonly #sent = new WeakMap<Control, string>();
  /** Turns of the wheel that are sent with the next frame, as one. */
  #turn: { readonly handlers: readonly string[]; deltaY: number; last: WheelEvent } | null = null;
  #frame = 0;

  constructor(
    private readonly container: HTMLElement,
    private readonly source: EventSource,
    private readonly guard: TextGuard,
    private readonly send: SendEvent,
  ) {
    const { signal } = this.#stop;
    const listen = <E extends keyof HTMLElementEventMap>(
      type: E,
      listener: (event: HTMLElementEventMap[E]) => void,
      more: AddEventListenerOptions = {},
    ) => container.addEventListener(type, listener, { signal, ...more });
    listen('click', (event) => this.#bubble(event, 'onClick', []));
    listen('keydown', (event) => this.#bubble(event, 'onKeyDown', keyArguments(event)));
    listen('keyup', (event) => this.#bubble(event, 'onKeyUp', keyArguments(event)));
    listen('wheel', (event) => this.#onWheel(event), { passive: true });
    listen('submit', (event) => this.#onSubmit(event));
    listen('input', (event) => this.#onInput(event));
    listen('change', (event) => this.#onChange(event));
    listen('compositionstart', (event) => this.#compose(event, true));
    listen('compositionend', (event) => this.#compose(event, false));
    // These don't bubble: each is of the element that it is dispatched to.
    listen('focus', (event) => this.#own(event, 'onFocus'), { capture: true });
    listen('blur', (event) => this.#onBlur(event), { capture: true });
    listen('mouseenter', (event) => this.#own(event, 'onMouseEnter'), { capture: true });
    listen('mouseleave', (event) => this.#own(event, 'onMouseLeave'), { capture: true });
  }

  dispose(): void {
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
  }

  #bubble(event: Event, name: DomEvent, args: readonly JsonValue[]): void {
    for (const handler of this.#handlers(event.target, [name])) this.#fire(handler, args);
  }

  #own(event: Event, name: DomEvent): void {
    if (this.source.isPatching) return;
    const props = event.target instanceof Element ? this.source.propsOf(event.target) : null;
    const handler = props && handlerOf(props, name);
    if (handler) this.#fire(handler, []);
  }

  /** A wheel turns more often than a plugin can be asked. */
  #onWheel(event: WheelEvent): void {
    const handlers = this.#handlers(event.target, ['onWheel']);
    if (!handlers.length) return;
    if (this.#turn?.handlers.join() === handlers.join()) {
      this.#turn.deltaY += event.deltaY;
      this.#turn.last = event;
      return;
    }
    this.#sendTurn();
    this.#turn = { handlers, deltaY: event.deltaY, last: event };
    this.#frame = requestAnimationFrame(() => this.#sendTurn());
  }

  #sendTurn(): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = null;
    cancelAnimationFrame(this.#frame);
    for (const handler of turn.handlers) this.#fire(handler, wheelArguments(turn.last, turn.deltaY));
  }

  #onSubmit(event: Event): void {
    // The page would be left.
    event.preventDefault();
    this.#bubble(event, 'onSubmit', []);
  }

  #onInput(event: Event): void {
    const { target } = event;
    if (!(target instanceof Element) || !isControl(target)) return;
    if (isTyped(target)) this.guard.typed(target, () => this.#sendValue(target, ['onInput', 'onChange']));
    else this.guard.sent(target, this.#sendValue(target, ['onInput', 'onChange']));
  }

  #onChange(event: Event): void {
    const { target } = event;
    if (!(target instanceof Element) || !isControl(target)) return;
    if (isTyped(target)) this.guard.flush(target);
    const sent = this.#sent.get(target);
    this.#sent.delete(target);
    if (sent !== valueKey(target)) this.guard.sent(target, this.#sendValue(target, ['onChange']));
  }

  #onBlur(event: Event): void {
    const { target } = event;
    if (this.source.isPatching || !(target instanceof Element)) return;
    if (isControl(target) && isTyped(target)) {
      this.guard.flush(target);
      this.guard.left(target);
    }
    this.#own(event, 'onBlur');
  }

  #compose({ target }: Event, isComposing: boolean): void {
    if (target instanceof Element && isControl(target) && isTyped(target)) {
      this.guard.composing(target, isComposing);
    }
  }

  async #sendValue(control: Control, names: readonly DomEvent[]): Promise<void> {
    const handlers = this.#handlers(control, names);
    this.#sent.set(control, valueKey(control));
    if (!handlers.length) return;
    const given = controlValue(control, this.source.propsOf(control) ?? {});
    const value = given instanceof Promise ? await given : given;
    await Promise.all(handlers.map((handler) => this.send(handler, [value])));
  }

  #fire(handler: string, args: readonly JsonValue[]): void {
    this.#sendTurn();
    this.guard.flush();
    void this.send(handler, args);
  }

  /** Handlers of the target and of the elements above it, the inner ones first. */
  #handlers(target: EventTarget | null, names: readonly DomEvent[]): string[] {
    const found: string[] = [];
    for (let at = target as Node | null; at && at !== this.container; at = at.parentNode) {
      const props = this.source.propsOf(at);
      if (!props) continue;
      for (const name of names) {
        const handler = handlerOf(props, name);
        if (handler) found.push(handler);
      }
    }
    return found;
  }
}

/** The value as text, without reading files. */
function valueKey(control: Control): string {
  if (control instanceof HTMLInputElement && control.type === 'file') {
    const rows = [...(control.files ?? [])].map(({ name, size, lastModified }) => [name, size, lastModified]);
    return JSON.stringify(rows);
  }
  return JSON.stringify(controlValue(control, {}));
}
