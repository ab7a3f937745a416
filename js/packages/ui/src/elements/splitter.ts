/** A bar between two sections that is dragged, or moved by arrow keys, to resize them. */

import { t } from '@jupyter-ac/messages';
import { html, type TemplateResult } from 'lit';
import { MAX_PERCENT, MIN_PERCENT } from '../model/layout.ts';

const STEP_PERCENT = 2;

/** The edge of the container from which the size is measured. */
export type Edge = 'top' | 'bottom' | 'left' | 'right';

export interface SplitterOptions {
  /** The section that it resizes: the grid area at whose edge it lies. */
  readonly area: 'files' | 'context';
  readonly label: string;
  readonly edge: Edge;
  /** Size for screen readers, in per cent of the container's. */
  readonly value: number;
  /** Measures the size. */
  readonly percent: () => number;
  readonly container: () => HTMLElement | null;
  readonly onResize: (percent: number) => void;
  readonly onReset: () => void;
}

export function splitter(options: SplitterOptions): TemplateResult {
  const isRow = options.edge === 'top' || options.edge === 'bottom';
  return html`<div class="splitter ${options.edge} of-${options.area}" role="separator" tabindex="0" data-ac="splitter"
    title=${t('Drag to resize; double-click to reset')} aria-label=${options.label}
    aria-orientation=${isRow ? 'horizontal' : 'vertical'} aria-valuemin=${MIN_PERCENT} aria-valuemax=${MAX_PERCENT}
    aria-valuenow=${Math.round(options.value)}
    @pointerdown=${(event: PointerEvent) => startDrag(event, options)}
    @dblclick=${options.onReset}
    @keydown=${(event: KeyboardEvent) => onKey(event, options)}></div>`;
}

function startDrag(event: PointerEvent, options: SplitterOptions): void {
  if (event.button !== 0) return;
  const bar = event.currentTarget as HTMLElement;
  event.preventDefault();
  bar.focus();
  bar.setPointerCapture(event.pointerId);
  const move = (next: PointerEvent): void => {
    const box = options.container()?.getBoundingClientRect();
    if (box) options.onResize(percentAt(next, box, options.edge));
  };
  const end = (): void => {
    bar.removeEventListener('pointermove', move);
    bar.removeEventListener('lostpointercapture', end);
  };
  bar.addEventListener('pointermove', move);
  // Also when the button is released outside of the window.
  bar.addEventListener('lostpointercapture', end);
}

/** Distance of a point from an edge of a box, in per cent of the box. */
export function percentAt(point: { clientX: number; clientY: number }, box: DOMRect, edge: Edge): number {
  const distance = {
    top: (point.clientY - box.top) / box.height,
    bottom: (box.bottom - point.clientY) / box.height,
    left: (point.clientX - box.left) / box.width,
    right: (box.right - point.clientX) / box.width,
  };
  return distance[edge] * 100;
}

const GROWS: Readonly<Record<Edge, string>> = {
  top: 'ArrowDown',
  bottom: 'ArrowUp',
  left: 'ArrowRight',
  right: 'ArrowLeft',
};
const SHRINKS: Readonly<Record<Edge, string>> = {
  top: 'ArrowUp',
  bottom: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
};

function onKey(event: KeyboardEvent, options: SplitterOptions): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { edge } = options;
  if (event.key === GROWS[edge]) options.onResize(options.percent() + STEP_PERCENT);
  else if (event.key === SHRINKS[edge]) options.onResize(options.percent() - STEP_PERCENT);
  else if (event.key === 'Home') options.onResize(MIN_PERCENT);
  else if (event.key === 'End') options.onResize(MAX_PERCENT);
  else if (event.key === 'Enter') options.onReset();
  else return;
  event.preventDefault();
}
