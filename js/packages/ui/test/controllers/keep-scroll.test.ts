import '../support/jsdom.ts';
import { html, LitElement } from 'lit';
import { beforeEach, expect, it } from 'vitest';
import { KeepScroll } from '../../src/controllers/keep-scroll.ts';
import { drawn } from '../support/page.ts';

class Scrolled extends LitElement {
  constructor() {
    super();
    new KeepScroll(this);
  }

  protected override render() {
    return html`<div class="first"></div><div class="second"></div>`;
  }
}
customElements.define('x-scrolled', Scrolled);

let element: Scrolled;

function part(name: string): HTMLElement {
  return element.renderRoot.querySelector(`.${name}`) as HTMLElement;
}

function scroll(to: HTMLElement, top: number, left = 0): void {
  to.scrollTop = top;
  to.scrollLeft = left;
  to.dispatchEvent(new Event('scroll'));
}

/** As a browser does: what isn't in the page has no scroll position. */
async function takeOutAndPutBack(): Promise<void> {
  element.remove();
  for (const name of ['first', 'second']) Object.assign(part(name), { scrollTop: 0, scrollLeft: 0 });
  document.body.append(element);
  await drawn();
}

beforeEach(async () => {
  element = document.createElement('x-scrolled') as Scrolled;
  document.body.replaceChildren(element);
  await drawn();
});

it('restores each scroller, both ways, as often as it is put back', async () => {
  scroll(part('first'), 120, 8);
  for (let times = 0; times < 2; times += 1) {
    await takeOutAndPutBack();
    expect([part('first').scrollTop, part('first').scrollLeft, part('second').scrollTop]).toEqual([
      120, 8, 0,
    ]);
  }
});

it('forgets what was scrolled back to its beginning', async () => {
  scroll(part('first'), 120);
  scroll(part('first'), 0);
  await takeOutAndPutBack();
  expect(part('first').scrollTop).toBe(0);
});
