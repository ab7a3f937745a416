/** Styles of the review selector. */

import { css } from 'lit';

export const reviewStartStyles = css`
  h2 {
    flex: 1;
    font-size: 14px;
  }
  .card {
    container-type: inline-size;
  }
  .box {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    margin: 8px 12px 0;
  }
  .box p {
    flex: 1 1 200px;
  }
  .filter {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 12px;
    align-items: center;
    padding: 8px 12px;
    border-bottom: 1px solid var(--ac-line);
  }
  .filter input[type='search'] {
    flex: 1 1 140px;
    min-width: 0;
    height: 28px;
    padding: 0 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
  }
  .filter label {
    display: inline-flex;
    gap: 5px;
    align-items: center;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    flex-basis: 100%;
    gap: 4px;
    max-height: 84px;
    overflow: auto;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    max-width: 100%;
    border: 1px solid var(--ac-line);
    border-radius: 12px;
    background: var(--ac-tint);
  }
  .chip.off {
    background: none;
    color: var(--ac-muted);
  }
  .chip.off button:first-child {
    text-decoration: line-through;
  }
  .chip button {
    min-height: 24px;
    padding: 0 8px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    border-radius: 12px;
  }
  .chip .take {
    flex: none;
    min-width: 24px;
    padding: 0 6px 0 0;
    color: var(--ac-accent);
  }
  .list {
    position: relative;
    flex: 1;
    min-height: 90px;
    overflow: auto;
    contain: strict;
  }
  .list:focus-visible {
    outline-offset: -2px;
  }
  .row {
    display: flex;
    gap: 8px;
    align-items: center;
    height: 28px;
    padding: 0 12px 0 6px;
    cursor: pointer;
  }
  .row:hover {
    background: var(--ac-surface);
  }
  .row.chosen {
    background: var(--ac-tint);
  }
  .list:focus-visible .row.active {
    box-shadow: inset 0 0 0 2px var(--ac-accent);
  }
  .text {
    display: flex;
    flex: 1;
    gap: 6px;
    align-items: center;
    min-width: 0;
  }
  .message,
  .who {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .message {
    flex: 1;
    min-width: 40px;
  }
  .tip {
    display: inline-flex;
    flex: 0 1 auto;
    gap: 3px;
    align-items: center;
    min-width: 0;
    max-width: 150px;
    padding: 0 6px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    border: 1px solid var(--ac-accent);
    border-radius: 9px;
    font-size: 11px;
  }
  .tip.remote {
    border-color: var(--ac-edge);
  }
  .who {
    flex: 0 1 110px;
  }
  .age {
    flex: none;
    font-size: 12px;
  }
  .none {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 10px 12px;
  }
  .graph {
    overflow: hidden;
  }
  .dot {
    fill: var(--ac-bg);
  }
  .lane-0 {
    stroke: var(--ac-map);
  }
  .lane-1 {
    stroke: var(--ac-files);
  }
  .lane-2 {
    stroke: var(--ac-history);
  }
  .lane-3 {
    stroke: var(--ac-question);
  }
  .lane-4 {
    stroke: var(--ac-urls);
  }
  .lane-5 {
    stroke: var(--ac-success);
  }
  .lane-6 {
    stroke: var(--ac-danger);
  }
  .lane-7 {
    stroke: var(--ac-system);
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    padding: 10px 12px;
    border-top: 1px solid var(--ac-line);
  }
  .foot p {
    flex: 1 1 220px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .foot .bad {
    flex-basis: 100%;
    color: var(--ac-danger);
  }
  .foot select {
    max-width: 180px;
    font: inherit;
  }
  @container (max-width: 520px) {
    .who,
    .sha {
      display: none;
    }
  }
  @container (max-width: 380px) {
    .age {
      display: none;
    }
  }
`;
