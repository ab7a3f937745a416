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
  .session {
    display: flex;
    align-items: center;
  }
  .session .row {
    flex: 1;
    min-width: 0;
  }
  .session:has([aria-current]) {
    background: var(--ac-tint);
  }
  .session .actions {
    flex: none;
    flex-wrap: nowrap;
    gap: 0;
    padding-right: 8px;
  }
  @media (hover: hover) {
    .session:not(:hover, :focus-within) .actions {
      opacity: 0;
    }
  }
  .form {
    flex-wrap: wrap;
    gap: 6px;
    padding: 6px 14px;
  }
  .form .field,
  .form .question {
    flex: 1 1 160px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .danger {
    color: var(--ac-danger);
  }
  .title {
    font-weight: 600;
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
