/** Sizes of the panel's sections, and which of them a narrow panel shows; kept in the browser's storage. */

import { Store } from './store.ts';
import type { KeyValueStorage } from './stored-drafts.ts';
import { fields, number, text } from './wire.ts';

/** Of a narrow panel: all sections below each other, or one. */
export type ShownSection = 'all' | 'chat' | 'files' | 'context';
/** Each in per cent of the panel's height or width; a size that isn't set is the style sheet's. */
export type SizeName = 'filesHeight' | 'contextHeight' | 'contextShare' | 'leftWidth' | 'rightWidth';
export type Sizes = Readonly<Partial<Record<SizeName, number>>>;

export const SHOWN_SECTIONS: readonly ShownSection[] = ['all', 'chat', 'files', 'context'];
export const SIZE_NAMES: readonly SizeName[] = [
  'filesHeight',
  'contextHeight',
  'contextShare',
  'leftWidth',
  'rightWidth',
];
export const MIN_PERCENT = 10;
export const MAX_PERCENT = 70;
const KEY = 'jupyter-ac.layout';

export class LayoutStore extends Store {
  shown: ShownSection = 'all';
  sizes: Sizes = {};

  /** @param storage null where the browser forbids storage */
  constructor(private readonly storage: KeyValueStorage | null) {
    super();
    this.#read();
  }

  show(section: ShownSection): void {
    this.shown = section;
    this.#keep();
  }

  resize(name: SizeName, percent: number): void {
    if (!Number.isFinite(percent)) return;
    this.sizes = { ...this.sizes, [name]: bounded(percent) };
    this.#keep();
  }

  /** Returns to the size of the style sheet. */
  reset(name: SizeName): void {
    const { [name]: _, ...others } = this.sizes;
    this.sizes = others;
    this.#keep();
  }

  #keep(): void {
    try {
      this.storage?.setItem(KEY, JSON.stringify({ shown: this.shown, sizes: this.sizes }));
    } catch {
      // The storage is full or forbidden: it holds for this page.
    }
    this.changed();
  }

  #read(): void {
    try {
      const kept = fields<{ shown: unknown; sizes: unknown }>(JSON.parse(this.storage?.getItem(KEY) ?? '{}'));
      const shown = text(kept.shown);
      this.shown = SHOWN_SECTIONS.find((section) => section === shown) ?? 'all';
      const sizes = fields<Record<SizeName, unknown>>(kept.sizes);
      const known = SIZE_NAMES.filter((name) => number(sizes[name]) > 0);
      this.sizes = Object.fromEntries(known.map((name) => [name, bounded(number(sizes[name]))]));
    } catch {
      // Not what this version has written.
    }
  }
}

function bounded(percent: number): number {
  return Math.round(Math.min(Math.max(percent, MIN_PERCENT), MAX_PERCENT) * 10) / 10;
}
