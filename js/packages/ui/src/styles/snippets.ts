/** Styles of the snippets menu. */

import { css } from 'lit';

export const snippetsStyles = css`
  :host {
    display: inline-flex;
  }
  :host([hidden]) {
    display: none;
  }
  .popover {
    right: 0;
    bottom: calc(100% + 6px);
    left: 0;
    gap: 0;
    max-width: 420px;
    max-height: 260px;
    padding: 4px;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .item {
    display: flex;
    flex: none;
    gap: 8px;
    padding: 5px 8px;
    text-align: left;
  }
  .item:hover,
  .item:focus-visible {
    background: var(--ac-tint);
  }
  .item:focus-visible {
    outline-offset: -2px;
  }
  .icon {
    flex: none;
    min-width: 20px;
    text-align: center;
  }
  .words {
    min-width: 0;
  }
  .message {
    display: block;
    overflow: hidden;
    font-size: 11px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;
