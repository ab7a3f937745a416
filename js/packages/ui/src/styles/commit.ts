/** The commit's form. */

import { css } from 'lit';

export const commitStyles = css`
  :host {
    display: inline-flex;
    flex: none;
  }
  :host([hidden]) {
    display: none;
  }
  .popover {
    top: 42px;
    right: 8px;
    width: min(380px, 100% - 16px);
  }
  textarea {
    width: 100%;
    min-height: 48px;
    max-height: 260px;
    padding: 6px 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
    resize: vertical;
  }
  textarea::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  .icon-button[aria-disabled='true'] {
    cursor: default;
  }
  .button {
    flex: none;
  }
  .runs {
    margin: 0;
    color: var(--ac-muted);
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .row {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    font-size: 12px;
  }
`;
