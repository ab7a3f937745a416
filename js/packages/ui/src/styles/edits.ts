/** Styles of the edit cards in an answer, and of the summary below it. */

import { css } from 'lit';
import { toneStyles } from './tones.ts';

export const editStyles = css`
  ${toneStyles}
  .answer > :not(:last-child) {
    margin-bottom: 10px;
  }
  .edit-card {
    border: 1px solid var(--ac-line);
    border-left: 3px solid var(--tone);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    overflow: hidden;
    scroll-margin: 8px;
  }
  .edit-card:focus-visible {
    outline-offset: -2px;
  }
  .edit-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 10px;
    padding: 4px 10px;
    background: var(--ac-surface);
    font-size: 12px;
  }
  .edit-path {
    font-family: var(--ac-mono);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .edit-facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    color: var(--ac-muted);
    font-size: 11px;
  }
  .edit-facts .added {
    color: var(--ac-success);
  }
  .edit-facts .removed {
    color: var(--ac-danger);
  }
  .edit-head .icon-button {
    width: 24px;
    height: 24px;
    margin-right: -4px;
  }
  .edit-end,
  .edit-badge {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .edit-end {
    margin-left: auto;
  }
  .edit-badge {
    color: var(--tone);
    font-weight: 600;
    white-space: nowrap;
  }
  .edit-badge svg {
    width: 14px;
    height: 14px;
  }
  .edit-note {
    padding: 4px 10px;
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .bad > .edit-note:first-of-type {
    color: var(--tone);
  }
  .edit-told summary {
    cursor: pointer;
  }
  .edit-guard {
    display: flex;
    align-items: flex-start;
    gap: 6px;
    color: var(--tone);
  }
  .edit-guard > svg {
    flex: none;
    width: 14px;
    margin-top: 1px;
  }
  .edit-ask {
    display: grid;
    gap: 4px;
  }
  .edit-ask ul {
    padding-left: 20px;
  }
  .diff {
    padding: 4px 0;
    border-top: 1px solid var(--ac-line);
    font: 12px / 1.5 var(--ac-mono);
    tab-size: 4;
  }
  .diff > div {
    position: relative;
    min-height: 18px;
    padding: 0 10px 0 22px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .diff > .add,
  .diff > .del {
    background: color-mix(in srgb, var(--side) 11%, var(--ac-bg));
  }
  .diff > .add {
    --side: var(--ac-success);
  }
  .diff > .del,
  .diff > .odd {
    --side: var(--ac-danger);
  }
  .diff > .add::before,
  .diff > .del::before {
    position: absolute;
    left: 8px;
    color: var(--side);
    content: '+';
  }
  .diff > .del::before {
    content: '−';
  }
  .diff mark {
    border-radius: 2px;
    background: color-mix(in srgb, var(--side, var(--ac-warning)) 32%, var(--ac-bg));
    color: inherit;
  }
  .diff > .gap {
    color: var(--ac-muted);
    font: 11px / 18px var(--ac-font);
  }
  .near {
    display: flex;
    flex-wrap: wrap;
    border-top: 1px solid var(--ac-line);
  }
  .near figure {
    flex: 1 1 240px;
    min-width: 0;
    margin: 0;
  }
  .near figcaption {
    padding: 3px 10px;
    background: var(--ac-surface);
    color: var(--ac-muted);
    font-size: 11px;
  }
  .near .diff > div {
    padding-left: 10px;
  }
  .near .odd {
    --side: var(--ac-warning);
    background: color-mix(in srgb, var(--side) 10%, var(--ac-bg));
  }
  .edit-actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .edit-card > .edit-actions {
    padding: 5px 10px;
    border-top: 1px solid var(--ac-line);
  }
  .quiet {
    padding: 1px 8px;
    color: var(--ac-muted);
    font-size: 12px;
  }
  .quiet:hover {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  .edit-summary {
    display: grid;
    gap: 4px;
    margin: 4px 0 6px;
    padding: 8px 10px;
    border-radius: var(--ac-radius);
    background: var(--ac-surface);
    font-size: 12px;
  }
  .edit-line > span:not(.muted) {
    color: var(--tone);
    font-weight: 600;
  }
  .edit-summary ul {
    list-style: none;
  }
  .edit-files summary {
    cursor: pointer;
  }
  .edit-summary .edit-file {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 8px;
  }
  .edit-summary .edit-file .quiet {
    margin-left: auto;
    font-family: inherit;
  }
  .edit-summary li {
    display: -webkit-box;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  .edit-missed .quiet {
    color: var(--ac-ink);
    font-family: var(--ac-mono);
    text-align: start;
    text-decoration: underline;
  }
  .edit-summary p {
    overflow-wrap: anywhere;
  }
  .edit-summary p svg {
    display: inline;
    width: 14px;
    vertical-align: text-bottom;
  }
  @media (forced-colors: active) {
    .diff mark {
      outline: 1px solid;
    }
  }
`;
