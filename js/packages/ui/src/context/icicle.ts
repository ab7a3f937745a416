/** Element of the icicle: the parts of a request as boxes, widths in proportion to their tokens; a tree for the keyboard. */

import { t, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { percent } from '../model/format.ts';
import { base } from '../styles/tokens.ts';
import { boxAfterKey, depthOf, type IcicleBox, icicleBoxes } from './icicle-layout.ts';
import { icicleStyles } from './icicle-styles.ts';
import { pathTo, type RequestPart } from './request-parts.ts';

/** Height of a level in pixels. */
const LEVEL_PX = 26;

export class AcIcicle extends LitElement {
  static override properties = { root: { attribute: false }, active: { attribute: false } };
  static override styles = [base, icicleStyles];

  declare root: RequestPart;
  /** Id of the part whose details are shown. */
  declare active: string;
  /** Id of the part that fills the width; '' for the whole request. */
  #zoomed = '';
  #boxes: readonly IcicleBox[] = [];

  constructor() {
    super();
    this.active = '';
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('root') && this.#zoomed && !pathTo(this.root, this.#zoomed).length) this.#zoomed = '';
    this.#boxes = icicleBoxes(this.#shown);
  }

  protected override render(): TemplateResult {
    const active = Math.max(0, this.#activeIndex);
    return html`${this.#crumbs()}
      <div
        class="tree"
        role="tree"
        tabindex="0"
        data-ac="icicle"
        aria-label=${t('Parts of the next request by size. Enter makes a part as wide as the drawing, Backspace goes back.')}
        aria-activedescendant=${`box-${active}`}
        style="height:${depthOf(this.#boxes) * LEVEL_PX}px"
        @keydown=${this.#onKey}
        @focus=${() => this.#activate(Math.max(0, this.#activeIndex))}
      >
        ${this.#boxes.map((box, index) => this.#box(box, index))}
      </div>`;
  }

  get #shown(): RequestPart {
    return pathTo(this.root, this.#zoomed).at(-1) ?? this.root;
  }

  get #activeIndex(): number {
    return this.#boxes.findIndex(({ part }) => part?.id === this.active);
  }

  #crumbs(): TemplateResult | typeof nothing {
    const path = pathTo(this.root, this.#zoomed);
    if (path.length < 2) return nothing;
    return html`<nav class="crumbs" aria-label=${t('Where the drawing is')}>
      ${path
        .slice(0, -1)
        .map(
          ({ id, label }) =>
            html`<button type="button" data-ac="icicle-back" @click=${() => this.#zoom(id)}>${label}</button><span aria-hidden="true">›</span>`,
        )}
      <b>${path.at(-1)?.label}</b>
    </nav>`;
  }

  #box(box: IcicleBox, index: number): TemplateResult {
    const { part, level, start, share, position, siblings } = box;
    const name = part ? part.label : tn('%1 smaller part', '%1 smaller parts', box.count);
    const share100 = percent(box.tokens, this.root.tokens);
    const words = t(
      '%1: %2, %3 % of the request',
      name,
      tn('%1 token', '%1 tokens', box.tokens),
      share100 < 1 ? t('less than 1') : Math.round(share100),
    );
    return html`<div
      id=${`box-${index}`}
      class="box ${part?.category ?? ''} ${part?.kind ?? 'small'} ${part && part.id === this.active ? 'active' : ''}"
      role="treeitem"
      data-ac="icicle-box"
      data-tokens=${box.tokens}
      data-kind=${part?.kind ?? 'small'}
      aria-level=${level + 1}
      aria-posinset=${position}
      aria-setsize=${siblings}
      aria-expanded=${part?.children.length ? 'true' : nothing}
      aria-selected=${part !== null && part.id === this.active}
      aria-label=${words}
      title=${words}
      style="left:${start * 100}%;width:${share * 100}%;top:${level * LEVEL_PX}px"
      @click=${() => this.#onClick(index)}
    ><span>${part?.category === 'files' ? name.slice(name.lastIndexOf('/') + 1) : name}</span></div>`;
  }

  #onClick(index: number): void {
    const part = this.#boxes[index]?.part;
    if (!part) return;
    // The box that fills the width already leads back.
    if (part.id === this.#shown.id) this.#zoomOut();
    else if (part.children.length) this.#zoom(part.id);
    else this.#activate(index);
  }

  #activate(index: number): void {
    const part = this.#boxes[index]?.part;
    if (part) this.#show(part.id);
  }

  #show(id: string): void {
    this.active = id;
    this.dispatchEvent(new CustomEvent('ac-part-shown', { detail: id }));
  }

  #zoom(id: string): void {
    this.#zoomed = id === this.root.id ? '' : id;
    this.#show(id);
    this.requestUpdate();
  }

  #zoomOut(): void {
    const above = pathTo(this.root, this.#zoomed).at(-2);
    if (above) this.#zoom(above.id);
    else this.#show(this.root.id);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const current = Math.max(0, this.#activeIndex);
    const next = boxAfterKey(event.key, this.#boxes, current);
    if (next !== null) this.#step(next, current);
    else if (event.key === 'Enter' || event.key === ' ') this.#onClick(current);
    else if (event.key === 'Backspace') this.#zoomOut();
    else return;
    event.preventDefault();
  };

  /** Boxes that stand for several parts have no details: they are passed over. */
  #step(next: number, current: number): void {
    const direction = next < current ? -1 : 1;
    for (let at = next; at >= 0 && at < this.#boxes.length; at += direction)
      if (this.#boxes[at]?.part) {
        this.#activate(at);
        return;
      }
  }
}
