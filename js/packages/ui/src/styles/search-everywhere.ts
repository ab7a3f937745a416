/** Styles of "search everywhere". */

import { css } from 'lit';

export const searchEverywhereStyles = css`
  .scrim.top {
    z-index: 4;
    align-items: flex-start;
  }
  .card.search {
    width: min(680px, 100% - 16px);
    height: auto;
    max-height: calc(100% - 16px);
    margin-top: 8px;
    border: 1px solid var(--ac-line);
    border-radius: 10px;
    box-shadow: 0 12px 40px rgb(0 0 0 / 28%);
  }
  .head {
    padding: 8px;
  }
  .list {
    min-height: 0;
    overflow-y: auto;
  }
  .heading {
    display: flex;
    gap: 6px;
    padding: 4px 12px 2px;
    color: var(--ac-muted);
    font-size: 11px;
    font-weight: 600;
  }
  .result {
    display: flex;
    gap: 8px;
    align-items: baseline;
    min-height: 24px;
    padding: 3px 12px;
    cursor: pointer;
    font-size: 12.5px;
  }
  .result:hover {
    background: var(--ac-surface);
  }
  .result[aria-selected='true'] {
    background: var(--ac-tint);
    box-shadow: inset 3px 0 var(--ac-accent);
  }
  .title {
    display: flex;
    flex: 0 1 auto;
    min-width: 0;
    white-space: nowrap;
  }
  .name,
  .more {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  /* Names differ at their ends: too long a one is cut at its beginning. */
  .files .name,
  .symbols .name {
    direction: rtl;
    text-align: left;
  }
  .more {
    flex: 1 9999 auto;
    color: var(--ac-muted);
  }
  .symbols .title,
  .text .title {
    font: 12px var(--ac-mono);
    white-space: pre;
  }
  /* No line of the file: in the words' own letters, and whole. */
  .about .title {
    color: var(--ac-muted);
    font: 12px var(--ac-font);
    white-space: normal;
  }
  /* What was found needs all of a narrow line. */
  @container (max-width: 480px) {
    .result.symbols,
    .result.text {
      flex-wrap: wrap;
      column-gap: 8px;
      row-gap: 0;
    }
    .symbols .title,
    .text .title {
      flex-basis: 100%;
    }
  }
  .detail {
    flex: 1 1 35%;
    min-width: 30%;
    overflow: hidden;
    direction: rtl;
    font-size: 11px;
    text-align: right;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .ticked {
    flex: none;
    align-self: center;
    color: var(--ac-accent);
  }
  .remark {
    padding: 2px 12px 4px;
    font-size: 12px;
  }
  .keys {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
    padding: 6px 12px;
    border-top: 1px solid var(--ac-line);
    font-size: 11px;
  }
  kbd {
    font: inherit;
  }
  mark {
    border-radius: 2px;
    background: color-mix(in srgb, var(--ac-warning) 30%, var(--ac-bg));
    color: inherit;
  }
`;
