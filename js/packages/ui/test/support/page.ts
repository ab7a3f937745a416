/** What tests of elements find in the page, and do to it. */

import { focused } from '../../src/controllers/focus.ts';

/** Every element below `root` in the tree of open shadow roots. */
export function* deep(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* deep(element.shadowRoot);
  }
}

/** What has this `data-ac`. */
export function all(name: string): HTMLElement[] {
  return [...deep(document)].filter((element): element is HTMLElement => {
    return element instanceof HTMLElement && element.dataset.ac === name;
  });
}

/** The only one that has it. */
export function one<T extends HTMLElement = HTMLElement>(name: string): T {
  const found = all(name);
  if (found.length !== 1) throw new Error(`${found.length} elements are ${name}`);
  return found[0] as T;
}

/** Until all elements have drawn what there is to draw. */
export async function drawn(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setTimeout(resolve, 4));
}

/** Presses a key on what has the focus. */
export async function press(key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    composed: true,
    cancelable: true,
    ...more,
  });
  (focused() ?? document.body).dispatchEvent(event);
  await drawn();
  return event;
}

/** Clicks, and waits until what follows is drawn. */
export async function click(element: Element | null | undefined): Promise<void> {
  if (!(element instanceof HTMLElement)) throw new Error('there is nothing to click');
  element.click();
  await drawn();
}

/** Types into a field, replacing what it has. */
export async function fill(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await drawn();
}
