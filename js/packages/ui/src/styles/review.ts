/** Styles of the banner of an open review, and of its list of files. */

import { css } from 'lit';

export const REVIEW_ROW_PX = 26;

export const reviewStyles = css`
  .bar {
    flex-wrap: wrap;
  }
  .whole {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 6px 8px;
    align-items: center;
    min-width: 0;
  }
  .bar p {
    flex: 1 1 190px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .bar > svg,
  .whole > svg {
    flex: none;
  }
  .range {
    white-space: nowrap;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .changes {
    padding: 2px 12px 6px;
    border-bottom: 1px solid var(--ac-line);
    background: var(--ac-surface);
  }
  .all {
    display: flex;
    gap: 6px;
    align-items: center;
    padding: 2px 0;
    font-size: 12px;
  }
  .all input,
  .file input {
    flex: none;
    margin: 0;
  }
  .files {
    max-height: 136px;
    overflow: auto;
  }
  .file {
    display: flex;
    gap: 6px;
    align-items: center;
    height: 26px;
  }
  .letter {
    flex: none;
    width: 12px;
    font: 11px var(--ac-mono);
    text-align: center;
    color: var(--ac-warning);
  }
  .letter.added,
  .plus {
    color: var(--ac-success);
  }
  .letter.deleted,
  .minus {
    color: var(--ac-danger);
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
  .name:hover {
    text-decoration: underline;
  }
  .number {
    flex: none;
    font-size: 12px;
  }
`;
