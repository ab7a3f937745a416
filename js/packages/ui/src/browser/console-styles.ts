/** Styles of the console, and of the detail of a row. */

import { css } from 'lit';

export const detailStyles = css`
  .detail {
    display: flex;
    flex: 0 1 auto;
    flex-direction: column;
    max-height: 60%;
    min-height: 80px;
    border-top: 1px solid var(--ac-edge);
  }
  /* The close button stays at the top right, however often the others wrap. */
  .head {
    position: relative;
    display: flex;
    flex: none;
    flex-wrap: wrap;
    gap: 4px 8px;
    align-items: center;
    min-height: 36px;
    padding: 5px 40px 5px 12px;
  }
  .head .icon-button {
    position: absolute;
    top: 5px;
    right: 8px;
  }
  .head .space {
    flex: 1;
  }
  pre {
    margin: 0;
    padding: 4px 12px 10px;
    overflow: hidden auto;
    font: 12px/1.5 var(--ac-mono);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  pre:focus-visible {
    outline-offset: -2px;
  }
`;

export const consoleStyles = [
  detailStyles,
  css`
    .words {
      flex: 1;
      font: 12px/1.5 var(--ac-mono);
    }
    .file {
      flex: 0 1 auto;
      max-width: 40%;
      font-size: 12px;
    }
    .level.error {
      color: var(--ac-danger);
    }
    .level.warning {
      color: var(--ac-warning);
    }
    @container (max-width: 420px) {
      .row {
        gap: 5px;
        padding: 0 8px;
      }
    }
  `,
];
