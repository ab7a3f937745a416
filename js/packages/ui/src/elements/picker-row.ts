/** One row of the file picker. */

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Row } from '../model/rows.ts';
import type { Badge } from '../model/tree.ts';
import * as icons from './icons.ts';

const BADGE_WORDS: Readonly<Record<Badge, string>> = {
  C: 'in conflict',
  S: 'staged',
  M: 'modified',
  D: 'deleted',
  U: 'untracked',
};

export interface RowEvents {
  onRow(row: Row): void;
  onCheck(row: Row): void;
}

/** An id may hold no blanks, or `aria-activedescendant` would name nothing. */
export function rowId(path: string): string {
  return `row-${path.replace(/[\s%]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

function whyNot(row: Row): string {
  if (row.sendable > 0) return '';
  if (row.node.isBinary) return ' (not text: can’t be sent)';
  if (row.badges.includes('D')) return ' (deleted)';
  return row.node.isDir ? ' (nothing in it can be sent)' : ' (can’t be sent)';
}

export function pickerRow(row: Row, isActive: boolean, events: RowEvents): TemplateResult {
  const { node, level, isExpanded, check } = row;
  const isStuck = row.sendable === 0 && check === 'off';
  return html`<div
    class="row ${isActive ? 'active' : ''} ${isStuck ? 'dim' : ''} ${row.badges.includes('D') ? 'deleted' : ''}"
    id=${rowId(node.path)}
    role="treeitem"
    data-ac="picker-row"
    data-path=${node.path}
    aria-level=${level}
    aria-posinset=${row.position}
    aria-setsize=${row.siblings}
    aria-expanded=${isExpanded ?? nothing}
    aria-checked=${check === 'mixed' ? 'mixed' : check === 'on'}
    aria-disabled=${isStuck ? 'true' : nothing}
    title=${node.path + whyNot(row)}
    style="--level:${level - 1}"
    @click=${() => events.onRow(row)}
  >
    <span class="twist">${isExpanded === null ? nothing : isExpanded ? icons.chevronDown : icons.chevronRight}</span>
    <input
      type="checkbox"
      data-ac="picker-check"
      tabindex="-1"
      aria-label=${`Send ${node.path}`}
      .checked=${live(check === 'on')}
      .indeterminate=${live(check === 'mixed')}
      ?disabled=${isStuck}
      @click=${(event: Event) => event.stopPropagation()}
      @change=${() => events.onCheck(row)}
    />
    <span class="name">${node.name}</span>
    ${row.badges.map((badge) => html`<span class="badge ${badge}" title=${BADGE_WORDS[badge]}>${badge}</span>`)}
    ${counts(row)}
  </div>`;
}

function counts(row: Row): TemplateResult | typeof nothing {
  if (row.node.isDir) {
    return row.ticked ? html`<span class="count number">${row.ticked}/${row.sendable}</span>` : nothing;
  }
  if (!row.additions && !row.deletions) return nothing;
  return html`<span class="diff number">
    ${row.additions ? html`<span class="plus">+${row.additions}</span>` : nothing}
    ${row.deletions ? html`<span class="minus">−${row.deletions}</span>` : nothing}
  </span>`;
}
