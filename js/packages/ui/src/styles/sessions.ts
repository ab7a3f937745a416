/** Styles of the history popover. */

import { css } from 'lit';

export const sessionsStyles = css`
  :host {
    display: inline-flex;
    flex: none;
  }
  .popover {
    top: 42px;
    right: 8px;
    width: min(420px, 100% - 16px);
    max-height: min(520px, 100% - 54px);
    outline: 0;
  }
  .scroll {
    margin: 0 -8px -8px;
    padding: 0 0 6px;
  }
  .empty {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 6px 14px 10px;
    font-size: 12px;
  }
  .row {
    display: flex;
    flex-direction: column;
    gap: 1px;
    width: 100%;
    padding: 6px 14px;
    border-radius: 0;
    text-align: left;
  }
  .row:not([aria-disabled='true']):hover {
    background: var(--ac-surface);
  }
  .row:focus-visible {
    outline-offset: -2px;
  }
  .row[aria-current] {
    background: var(--ac-tint);
  }
  .preview {
    display: -webkit-box;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 6px;
    font-size: 11px;
  }
  .exports {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
    padding: 2px 6px 0;
    font-size: 12px;
  }
  mark {
    border-radius: 2px;
    background: color-mix(in srgb, var(--ac-warning) 30%, var(--ac-bg));
    color: inherit;
  }
`;
