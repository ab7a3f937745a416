/** Shows where a link leads while it is hovered or focused, at the lower edge of the text; ASCII only. */
import { t } from '@jupyter-ac/messages';

const LONGEST = 300;

/** Describes the links for screen readers; hover and focus are for `LinkAddress`. */
export function describeLinks(nodes: ParentNode): void {
  for (const link of nodes.querySelectorAll('a[href]'))
    link.setAttribute('aria-description', t('Leads to %1', shownAddress(link.getAttribute('href') ?? '')));
}

/** An address as the browser uses it: names in other alphabets in their ASCII form, long ones cut. */
export function shownAddress(href: string): string {
  let address = href;
  try {
    address = new URL(href).href;
  } catch {
    // It is shown as it is written.
  }
  const plain = address.replace(/[^\x21-\x7e]/gu, (sign) => escaped(sign));
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain;
}

function escaped(sign: string): string {
  try {
    return encodeURIComponent(sign);
  } catch {
    // Half of a character.
    return '%EF%BF%BD';
  }
}

/** One instance per rendered text. */
export class LinkAddress {
  readonly #box = document.createElement('div');
  readonly #address = document.createElement('span');

  /** @param root an element with links */
  constructor(private readonly root: HTMLElement) {
    this.#box.className = 'leads';
    // The description of the link says it to screen readers.
    this.#box.setAttribute('aria-hidden', 'true');
    this.#box.append(this.#address);
    root.addEventListener('pointerover', (event) => this.#show(event.target));
    root.addEventListener('pointerleave', () => this.#show(null));
    root.addEventListener('focusin', (event) => this.#show(event.target));
    root.addEventListener('focusout', () => this.#show(null));
  }

  #show(target: EventTarget | null): void {
    const href = target instanceof Element ? target.closest('a[href]')?.getAttribute('href') : null;
    if (!href) {
      this.#box.remove();
      return;
    }
    this.#address.textContent = shownAddress(href);
    this.root.append(this.#box);
  }
}
