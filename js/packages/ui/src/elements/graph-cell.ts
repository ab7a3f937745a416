/** The part of a commit graph that belongs to one row, as SVG. */

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { LaneRow } from '../model/commit-graph.ts';

export const GRAPH_ROW_PX = 28;
const LANE_PX = 14;
const COLOURS = 8;
/** Lanes further to the right are cut off. */
const MAX_LANES = 12;

/** Draws the lanes of a row: from the top edge to the dot, from the dot to the bottom edge, and those that pass by. */
export function graphCell(row: LaneRow | undefined): TemplateResult | typeof nothing {
  if (!row) return nothing;
  const { lane, joins, forks, passing } = row;
  const lanes = Math.min(MAX_LANES, Math.max(lane, ...joins, ...forks, ...passing) + 1);
  const middle = GRAPH_ROW_PX / 2;
  const stroke = (index: number, path: string) => svg`<path class=${`lane-${index % COLOURS}`} d=${path} />`;
  return html`<svg class="graph" width=${lanes * LANE_PX} height=${GRAPH_ROW_PX} fill="none" stroke-width="2" aria-hidden="true">
    ${passing.map((at) => stroke(at, `M${x(at)} 0V${GRAPH_ROW_PX}`))}
    ${joins.map((at) => stroke(at, curve(at, 0, lane, middle)))}
    ${forks.map((at) => stroke(at, curve(lane, middle, at, GRAPH_ROW_PX)))}
    <circle class=${`dot lane-${lane % COLOURS}`} cx=${x(lane)} cy=${middle} r="4" />
  </svg>`;
}

function x(lane: number): number {
  return lane * LANE_PX + LANE_PX / 2;
}

function curve(from: number, top: number, to: number, bottom: number): string {
  if (from === to) return `M${x(from)} ${top}V${bottom}`;
  const middle = (top + bottom) / 2;
  return `M${x(from)} ${top}C${x(from)} ${middle} ${x(to)} ${middle} ${x(to)} ${bottom}`;
}
