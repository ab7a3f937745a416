/** The file picker. */

import { css, unsafeCSS } from 'lit';

/** Height of a row; the window over the rows is reckoned with it. */
export const ROW_PX = 24;

export const paneHead = css`
  h2 {
    display: flex;
    align-items: center;
    min-height: 34px;
    padding: 0 6px 0 4px;
    font-size: 12px;
    font-weight: 600;
  }
  .title {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 6px;
    min-width: 0;
    min-height: 26px;
    padding: 0 6px;
    font-weight: 600;
    text-align: left;
  }
  .title > svg {
    color: var(--ac-muted);
  }
  .title .muted {
    overflow: hidden;
    font-weight: 400;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;

export const pickerStyles = [
  paneHead,
  css`
    :host {
      display: block;
      min-height: 0;
      height: 100%;
    }
    .picker {
      display: flex;
      flex-direction: column;
      height: 100%;
      min-height: 0;
    }
    .field {
      margin: 0 8px 6px;
      border-color: var(--ac-line);
    }
    .field input {
      height: 26px;
      font-size: 12px;
    }
    .tree {
      flex: 1;
      min-height: 0;
      overflow: hidden auto;
      overscroll-behavior: contain;
      /* What is in view is held by the window of rows; the browser's own way knows only rows that are drawn. */
      overflow-anchor: none;
      padding-bottom: 4px;
    }
    .tree:focus-visible {
      outline-offset: -2px;
    }
    .row {
      display: flex;
      align-items: center;
      gap: 5px;
      height: ${unsafeCSS(ROW_PX)}px;
      padding: 0 8px 0 calc(6px + 14px * var(--level));
      font-size: 12.5px;
      cursor: pointer;
      white-space: nowrap;
      contain: layout paint style;
    }
    .row:hover {
      background: var(--ac-surface);
    }
    .tree:focus-visible .row.active {
      background: var(--ac-tint);
    }
    .twist {
      flex: none;
      width: 12px;
      color: var(--ac-muted);
    }
    input[type='checkbox'] {
      flex: none;
      width: 14px;
      height: 14px;
      margin: 0 2px 0 0;
      accent-color: var(--ac-accent);
      cursor: inherit;
    }
    .name {
      flex: 1;
      min-width: 0;
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .dim {
      color: var(--ac-muted);
      cursor: default;
    }
    .dim[aria-expanded] {
      cursor: pointer;
    }
    .deleted .name {
      text-decoration: line-through;
    }
    .out .name {
      color: var(--ac-muted);
      text-decoration: line-through;
    }
    .out input[type='checkbox'] {
      opacity: 0.5;
    }
    .never {
      flex: none;
      display: inline-flex;
      align-items: center;
      gap: 3px;
      font-size: 10px;
      color: var(--ac-muted);
    }
    .title .never {
      font-size: inherit;
      font-weight: 400;
    }
    .badge {
      flex: none;
      min-width: 12px;
      font: 600 11px var(--ac-mono);
      text-align: center;
      color: var(--ac-muted);
    }
    .badge.M {
      color: var(--ac-warning);
    }
    .badge.S,
    .badge.U,
    .plus {
      color: var(--ac-success);
    }
    .badge.D,
    .badge.C,
    .minus {
      color: var(--ac-danger);
    }
    .more {
      flex: none;
      display: inline-flex;
      visibility: hidden;
      align-items: center;
      justify-content: center;
      width: 20px;
      height: 20px;
      margin-right: -4px;
      color: var(--ac-muted);
    }
    .row:hover .more,
    .row.active .more {
      visibility: visible;
    }
    .more:hover {
      color: var(--ac-ink);
      background: var(--ac-raised);
    }
    @media (hover: none) {
      .more {
        visibility: visible;
      }
    }
    .auto {
      flex: none;
      padding: 0 4px;
      border: 1px solid var(--ac-line);
      border-radius: 3px;
      font-size: 10px;
      color: var(--ac-muted);
    }
    .unlisted {
      flex: none;
      max-height: 30%;
      overflow: hidden auto;
      padding: 0 14px 6px;
      font-size: 12px;
    }
    .unlisted ul {
      margin: 0;
      padding: 0;
      list-style: none;
    }
    .unlisted li {
      display: flex;
      gap: 6px;
      align-items: center;
      min-height: ${unsafeCSS(ROW_PX)}px;
      white-space: nowrap;
    }
    .unlisted button {
      flex: none;
      padding: 0 6px;
      text-decoration: underline;
    }
    .diff,
    .count {
      flex: none;
      font-size: 11px;
    }
    .count {
      color: var(--ac-muted);
    }
    .empty {
      padding: 8px 14px;
      font-size: 12px;
    }
  `,
];
