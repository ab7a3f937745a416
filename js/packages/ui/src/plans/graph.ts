/** A plan as a picture: its tasks in layers, each below those that it depends on. For screen readers it is a list. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { TaskRuns } from '../model/agent/task-runs.ts';
import { shownLine } from '../model/browser/shown-text.ts';
import { type Edge, type Layout, layoutGraph, type Place } from '../model/plans/graph-layout.ts';
import { headline, taskWords } from '../model/plans/plan-texts.ts';
import type { Plan, Task } from '../model/plans/plans.ts';
import { base } from '../styles/tokens.ts';
import { graphStyles } from './graph-styles.ts';
import { taskIcon } from './state-icons.ts';

/** Sizes in pixels, of a layer with the lines below it, of a node, and of the least width of a column. */
const LAYER = 92;
const NODE = 62;
const COLUMN = 98;
/** Width of a column in units of the picture, which is stretched to the room that there is. */
const UNITS = 100;

export class AcPlanGraph extends LitElement {
  static override properties = {
    plan: { attribute: false },
    chosen: { attribute: false },
    tasks: { attribute: false },
    active: { state: true },
  };
  static override styles = [base, graphStyles];

  declare plan: Plan;
  /** Id of the task whose details are shown; '' for none. */
  declare chosen: string;
  /** Runs of the tasks; null where the agent isn't loaded. */
  declare tasks: TaskRuns | null;
  /** Id of the task that Tab goes to; '' for the chosen or first one. */
  declare active: string;
  #layout: Layout = layoutGraph([]);
  #order: readonly string[] = [];
  #places: ReadonlyMap<string, Place> = new Map();

  constructor() {
    super();
    this.chosen = '';
    this.tasks = null;
    this.active = '';
    new StoreController(this, () => (this.tasks ? [this.tasks] : []));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('plan')) return;
    this.#layout = layoutGraph(this.plan.tasks);
    this.#order = this.#layout.places.map(({ id }) => id);
    this.#places = new Map(this.#layout.places.map((place) => [place.id, place]));
  }

  protected override render(): TemplateResult {
    const { columns, layers, edges, places } = this.#layout;
    const height = layers * LAYER - (LAYER - NODE);
    const tasks = new Map(this.plan.tasks.map((task) => [task.id, task]));
    const stop = [this.active, this.chosen].find((id) => tasks.has(id)) ?? this.#order[0];
    return html`<div class="scroller">
      <div class="picture" style=${`min-width: ${Math.ceil(columns * COLUMN)}px; height: ${height}px`}>
        <svg aria-hidden="true" viewBox=${`0 0 ${columns * UNITS || 1} ${height}`} preserveAspectRatio="none">
          ${edges.map((edge) => this.#edge(edge))}
        </svg>
        <ol class="plain" aria-label=${t('Tasks in the order of their dependencies')} @keydown=${this.#key}>
          ${repeat(
            places,
            ({ id }) => id,
            (place) => this.#node(place, tasks.get(place.id) as Task, place.id === stop),
          )}
        </ol>
      </div>
    </div>`;
  }

  #node({ layer, x }: Place, task: Task, isStop: boolean): TemplateResult {
    const { columns } = this.#layout;
    const [words, tone] = taskWords(task);
    const waiting = this.tasks?.waiting(this.plan.id, task.id) ?? 0;
    const state = waiting ? t('Needs you') : words;
    const after = task.dependencies.length
      ? t(' After %1.', task.dependencies.map((id) => shownLine(id)).join(', '))
      : '';
    const first = shownLine(headline(task.description));
    const place = `left: ${(100 * x) / columns}%; width: calc(${100 / columns}% - 7px); top: ${layer * LAYER}px; height: ${NODE}px`;
    return html`<li style=${place}><button class="node ${waiting ? 'odd' : tone} ${task.dependencies.length ? 'after' : ''}" type="button"
      data-ac="plan-task" data-id=${task.id} data-status=${task.state} tabindex=${isStop ? 0 : -1}
      aria-current=${task.id === this.chosen} aria-label=${`${shownLine(task.id)}: ${state}. ${first}${after}`} title=${`${shownLine(task.id)}: ${first}`}
      @focus=${() => {
        this.active = task.id;
      }} @click=${() => this.#choose(task.id)}>
      <span class="state">${waiting ? icons.info : taskIcon(task.state)}<span class="cut">${state}</span></span>
      <span class="what">${first}</span>
    </button></li>`;
  }

  #edge({ from, to, through }: Edge): TemplateResult | typeof nothing {
    const start = this.#places.get(from);
    const end = this.#places.get(to);
    if (!start || !end) return nothing;
    const isOn = this.chosen === from || this.chosen === to;
    return svg`<path class=${isOn ? 'on' : ''} d=${linePath(start, through, end)} vector-effect="non-scaling-stroke"/>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    const order = this.#order;
    const next = order[arrowKeyIndex(event.key, order.indexOf(this.active), order.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    this.active = next;
    void this.updateComplete.then(() => {
      const nodes = [...this.renderRoot.querySelectorAll<HTMLElement>('.node')];
      nodes.find(({ dataset }) => dataset.id === next)?.focus();
    });
  };

  #choose(detail: string): void {
    this.dispatchEvent(new CustomEvent('ac-task', { detail }));
  }
}

/** From the lower edge of a node, straight through the layers between, to the upper edge of another one. */
function linePath(start: Place, through: readonly number[], end: Place): string {
  let [x, y] = [start.x * UNITS, start.layer * LAYER + NODE];
  let path = `M${x} ${y}`;
  [...through, end.x].forEach((column, index) => {
    const [toX, toY] = [column * UNITS, (start.layer + index + 1) * LAYER];
    const middle = (y + toY) / 2;
    path += `C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`;
    if (index < through.length) path += `V${toY + NODE}`;
    [x, y] = [toX, toY + NODE];
  });
  return path;
}
