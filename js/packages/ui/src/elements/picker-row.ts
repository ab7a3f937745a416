/** One row of the file picker. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Exclusion } from '../model/excluded.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Badge, FileNode, TreeNode } from '../model/tree.ts';
import type { CheckboxState, Row } from '../model/tree-rows.ts';
import * as icons from './icons.ts';

const BADGE_WORDS: Readonly<Record<Badge, string>> = {
  C: t('in conflict'),
  S: t('staged'),
  M: t('modified'),
  D: t('deleted'),
  U: t('untracked'),
};

export interface RowEvents {
  onRow(row: Row): void;
  onCheck(row: Row): void;
  onExclude(row: Row): void;
  /** The menu of a row is wanted, below this point of the window. */
  onMenu(row: Row, x: number, y: number): void;
}

/** DOM id of a row. Ids must not contain spaces, or `aria-activedescendant` would not resolve. */
export function rowId(path: string): string {
  return `row-${path.replace(/[\s%]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

function whyNot(node: TreeNode, box: CheckboxState): string {
  if (box.isPartial) return t(' (its files are still loading)');
  if (box.sendable > 0) return '';
  if (node.isDir) return t(' (nothing in it can be sent)');
  if (node.isBinary) return t(' (not text: can’t be sent)');
  return node.badges.includes('D') ? ' (deleted)' : t(' (can’t be sent)');
}

/** Tooltip of a file that an answer has ticked. */
const BY_PROGRAM = t('Ticked because an answer edits it; unticked when this conversation ends');

/** State of a row besides its file. */
export interface RowState {
  readonly box: CheckboxState;
  readonly isActive: boolean;
  readonly isByProgram: boolean;
  readonly exclusion: Exclusion;
}

export function pickerRow(row: Row, state: RowState, events: RowEvents): TemplateResult {
  const { box, isActive, isByProgram, exclusion } = state;
  const { node, level, isExpanded } = row;
  const { check } = box;
  const badges = node.isDir ? [] : node.badges;
  const isOut = exclusion === 'all';
  const isStuck = !isOut && box.sendable === 0 && check === 'off' && !box.isPartial;
  return html`<div
    class="row ${isActive ? 'active' : ''} ${isStuck ? 'dim' : ''} ${isOut ? 'out' : ''} ${badges.includes('D') ? 'deleted' : ''}"
    id=${rowId(node.path)}
    role="treeitem"
    data-ac="picker-row"
    data-path=${node.path}
    data-excluded=${exclusion}
    aria-level=${level}
    aria-posinset=${row.position}
    aria-setsize=${row.siblings}
    aria-expanded=${isExpanded ?? nothing}
    aria-checked=${check === 'mixed' ? 'mixed' : check === 'on'}
    aria-disabled=${isStuck || box.isPartial ? 'true' : nothing}
    title=${escapeInvisible(node.path) + (isOut ? '' : whyNot(node, box))}
    style="--level:${level - 1}"
    @click=${(event: MouseEvent) => (event.shiftKey ? events.onExclude(row) : events.onRow(row))}
    @contextmenu=${(event: MouseEvent) => {
      event.preventDefault();
      events.onMenu(row, event.clientX, event.clientY);
    }}
  >
    <span class="twist">${isExpanded === null ? nothing : isExpanded ? icons.chevronDown : icons.chevronRight}</span>
    <input
      type="checkbox"
      data-ac="picker-check"
      tabindex="-1"
      aria-label=${t('Send %1', escapeInvisible(node.path))}
      .checked=${live(check === 'on')}
      .indeterminate=${live(check === 'mixed')}
      ?disabled=${isStuck || box.isPartial}
      title=${isOut ? t('Tick to send it after all') : t('Tick to send it; Shift+click: never send it')}
      @click=${(event: MouseEvent) => {
        event.stopPropagation();
        if (!event.shiftKey) return;
        // Else the box would show a tick for a moment.
        event.preventDefault();
        events.onExclude(row);
      }}
      @change=${() => events.onCheck(row)}
    />
    <span class="name">${escapeInvisible(node.name)}</span>
    ${exclusion === 'none' ? nothing : excludedMark(isOut)}
    ${badges.map((badge) => html`<span class="badge ${badge}" title=${BADGE_WORDS[badge]}>${badge}</span>`)}
    ${isByProgram ? html`<span class="auto" data-ac="picker-auto" title=${BY_PROGRAM}>${t('auto')}</span>` : nothing}
    ${node.isDir ? ticked(box) : changedLines(node)}
    <button
      class="more"
      type="button"
      tabindex="-1"
      data-ac="picker-menu"
      title=${t('Stage, rename, delete … (Shift+F10)')}
      aria-label=${t('Actions for %1', escapeInvisible(node.path))}
      aria-haspopup="menu"
      @click=${(event: MouseEvent) => {
        event.stopPropagation();
        const { left, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect();
        events.onMenu(row, left, bottom);
      }}
    >${icons.more}</button>
  </div>`;
}

function excludedMark(isOut: boolean): TemplateResult {
  const meaning = isOut
    ? t('Excluded: nothing of it is sent to a model')
    : t('Some of it is excluded, and never sent');
  const words = isOut ? t('never sent') : t('partly');
  return html`<span class="never" data-ac="picker-excluded" title=${meaning}>${icons.ban} ${words}</span>`;
}

function ticked({ ticked, sendable }: CheckboxState): TemplateResult | typeof nothing {
  return ticked ? html`<span class="count number">${ticked}/${sendable}</span>` : nothing;
}

function changedLines({ state: { additions, deletions } }: FileNode): TemplateResult | typeof nothing {
  if (!additions && !deletions) return nothing;
  return html`<span class="diff number">
    ${additions ? html`<span class="plus">+${additions}</span>` : nothing}
    ${deletions ? html`<span class="minus">−${deletions}</span>` : nothing}
  </span>`;
}

/** Row of a ticked path that isn't in the tree. */
export function unlistedRow(path: string, onUntick: () => void): TemplateResult {
  return html`<li data-ac="picker-unlisted" data-path=${path} title=${escapeInvisible(path)}>
    <span class="name">${escapeInvisible(path)}</span>
    <button type="button" aria-label=${t('Untick %1', escapeInvisible(path))} @click=${onUntick}>${t('untick')}</button>
  </li>`;
}
