import '../support/jsdom.ts';
import { LitElement } from 'lit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Dismissal } from '../../src/controllers/dismissal.ts';
import { OverlayStack } from '../../src/controllers/overlay-stack.ts';

let isOpen = false;
const close = vi.fn();
const pressedOutside = vi.fn();

class Host extends LitElement {
  readonly dismissal = new Dismissal(this, {
    isOpen: () => isOpen,
    close,
    isOutside: (event) => !event.composedPath().includes(this),
    pressedOutside,
  });
}
customElements.define('dismissal-host', Host);

let host: Host;
const press = (target: EventTarget): void => {
  target.dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }));
};

beforeEach(() => {
  vi.clearAllMocks();
  isOpen = false;
  host = document.body.appendChild(new Host());
});

afterEach(() => document.body.replaceChildren());

it('hears presses outside while it listens', () => {
  press(document.body);
  expect(pressedOutside).not.toHaveBeenCalled();
  host.dismissal.listen(true);
  press(host);
  expect(pressedOutside).not.toHaveBeenCalled();
  press(document.body);
  expect(pressedOutside).toHaveBeenCalledOnce();
  host.dismissal.listen(false);
  press(document.body);
  expect(pressedOutside).toHaveBeenCalledOnce();
});

it('is closed by Escape while it is open', async () => {
  const stack = new OverlayStack(document.body);
  expect(stack.closeLast()).toBe(false);
  isOpen = true;
  host.requestUpdate();
  await host.updateComplete;
  expect(stack.closeLast()).toBe(true);
  expect(close).toHaveBeenCalledOnce();
});
