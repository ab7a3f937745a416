/** Styles of the permission prompt for a program. */

import { css } from 'lit';

export const programPermissionStyles = css`
  :host {
    display: block;
  }
  .ask {
    margin: 8px;
  }
  p {
    margin: 0 0 6px;
  }
  .command {
    max-height: 120px;
    margin: 0 0 6px;
    padding: 6px 8px;
    overflow: auto;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    font: 12px / 1.5 var(--ac-mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .bad {
    margin-bottom: 6px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
`;
