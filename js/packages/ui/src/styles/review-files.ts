/** Styles of the list of files under review. */

import { css } from 'lit';

export const reviewFilesStyles = css`
  section {
    display: flex;
    flex-direction: column;
    max-height: min(32vh, 260px);
    border-bottom: 1px solid var(--ac-line);
    background: var(--ac-bg);
    font-size: 12.5px;
  }
  .head,
  .row {
    display: flex;
    flex: none;
    gap: 6px;
    align-items: center;
    height: 26px;
    padding: 0 12px;
  }
  .head {
    background: var(--ac-surface);
  }
  input[type='checkbox'] {
    flex: none;
    margin: 0;
  }
  .fold {
    display: flex;
    flex: 1;
    gap: 5px;
    align-items: center;
    min-width: 0;
    overflow: hidden;
    font-weight: 600;
    white-space: nowrap;
  }
  .fold .muted {
    overflow: hidden;
    font-weight: 400;
    text-overflow: ellipsis;
  }
  .filter {
    flex: none;
    padding: 4px 12px;
  }
  .rows {
    min-height: 0;
    overflow-y: auto;
  }
  .row:hover {
    background: var(--ac-surface);
  }
  .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    direction: rtl;
    font: 12px var(--ac-mono);
    text-align: left;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .plus,
  .A {
    color: var(--ac-success);
  }
  .minus,
  .D {
    color: var(--ac-danger);
  }
  .badge {
    flex: none;
    width: 12px;
    font: 600 11px var(--ac-mono);
    text-align: center;
    text-decoration: none;
  }
  .M,
  .R,
  .C,
  .T {
    color: var(--ac-warning);
  }
  .none {
    padding: 6px 12px;
  }
`;
