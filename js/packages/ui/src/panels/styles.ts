/** Styles of a panel: the box that nothing leaves, and the look of the layout tags. */

import { css } from 'lit';

const boxStyles = css`
  :host {
    display: block;
    contain: content;
    isolation: isolate;
    overflow: auto;
    overscroll-behavior: contain;
  }
  :host([hidden]) {
    display: none;
  }
  :host([fill]) {
    contain: strict;
    height: 100%;
  }
  .tree {
    padding: 10px;
    outline: none;
    overflow-wrap: anywhere;
  }
  .error {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
    margin: 10px 10px 0;
  }
  .error p,
  .error details {
    flex: 1 1 220px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .error pre {
    max-height: 160px;
  }
  .waiting {
    position: sticky;
    bottom: 0;
    margin: 0;
    padding: 4px 10px;
    background: var(--ac-surface);
  }
`;

const textStyles = css`
  .tree :is(h1, h2, h3, h4, h5, h6) {
    margin: 0.6em 0 0.3em;
    line-height: 1.25;
  }
  .tree :is(h1, h2, h3, h4, h5, h6, p, ul, ol, table):first-child {
    margin-top: 0;
  }
  .tree h1 {
    font-size: 18px;
  }
  .tree h2 {
    font-size: 16px;
  }
  .tree h3 {
    font-size: 14px;
  }
  .tree :is(h4, h5, h6) {
    font-size: 13px;
  }
  .tree p {
    margin: 0.4em 0;
  }
  .tree :is(ul, ol) {
    margin: 0.4em 0;
    padding-inline-start: 1.6em;
  }
  .tree a {
    color: var(--ac-accent);
  }
  .tree hr {
    border: 0;
    border-top: 1px solid var(--ac-line);
  }
  .tree img {
    max-width: 100%;
    height: auto;
  }
  pre {
    margin: 0.4em 0;
    padding: 8px;
    overflow: auto;
    border-radius: var(--ac-radius);
    background: var(--ac-surface);
    font: 12px / 1.45 var(--ac-mono);
  }
  .uniview-unknown,
  .failed {
    padding: 4px 8px;
    border: 1px dashed var(--ac-edge);
    border-radius: var(--ac-radius);
    color: var(--ac-muted);
  }
`;

const controlStyles = css`
  .tree :is(button, input, select, textarea) {
    max-width: 100%;
    font: inherit;
    color: var(--ac-ink);
  }
  .tree button {
    min-height: 28px;
    padding: 3px 12px;
    border: 1px solid var(--ac-edge);
    background: var(--ac-bg);
  }
  .tree button:hover:enabled {
    background: var(--ac-raised);
  }
  .tree button[type='submit'] {
    border-color: transparent;
    background: var(--ac-accent);
    color: var(--ac-on-accent);
    font-weight: 600;
  }
  .tree button[type='submit']:hover:enabled {
    background: color-mix(in srgb, var(--ac-accent) 88%, var(--ac-ink));
  }
  /* What has styles of its own, such as a grid, may have gaps of its own. */
  .tree :not([style]) > button + button {
    margin-inline-start: 6px;
  }
  .tree select[multiple] {
    vertical-align: top;
  }
  .tree input::file-selector-button {
    min-height: 26px;
    margin-inline-end: 8px;
    padding: 2px 10px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
  }
  .tree :is(select, textarea, input:not([type='checkbox'], [type='radio'], [type='range'], [type='file'])) {
    min-height: 28px;
    padding: 3px 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
  }
  .tree :is(input, textarea)::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  .tree :is(input[type='checkbox'], input[type='radio'], input[type='range']) {
    accent-color: var(--ac-accent);
  }
`;

const tableStyles = css`
  table {
    border-collapse: collapse;
  }
  .tree :is(table, .data-table, .virtual-list) {
    margin: 0.4em 0;
  }
  .tree .data-table table {
    margin: 0;
  }
  :is(th, td) {
    padding: 3px 8px;
    border-bottom: 1px solid var(--ac-line);
    text-align: start;
  }
  .data-table,
  .virtual-list {
    overflow: auto;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    contain: content;
  }
  .data-table table {
    width: 100%;
  }
  .data-table tr {
    height: 26px;
  }
  .data-table :is(th, td) {
    max-width: 420px;
    padding: 2px 8px;
    overflow: hidden;
    font-size: 12px;
    line-height: 20px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .data-table th {
    position: sticky;
    top: 0;
    background: var(--ac-raised);
  }
  .data-table th button {
    display: inline-flex;
    gap: 4px;
    align-items: center;
    max-width: 100%;
    min-height: 20px;
    padding: 0 2px;
    border: 0;
    background: none;
    font-weight: 600;
  }
  .data-table th button::after {
    content: '';
    border: 4px solid transparent;
    border-bottom: 5px solid currentColor;
    opacity: 0;
  }
  .data-table th button:is(:hover, :focus-visible)::after {
    opacity: 0.4;
  }
  .data-table th[aria-sort] button::after {
    opacity: 1;
    translate: 0 -2px;
  }
  .data-table th[aria-sort='descending'] button::after {
    rotate: 180deg;
    translate: 0 3px;
  }
  .data-table table:focus-visible {
    outline: none;
  }
  .data-table:has(> table:focus-visible),
  .virtual-list:focus-visible {
    outline: 2px solid var(--ac-accent);
    outline-offset: -2px;
  }
  .data-table .number {
    text-align: end;
  }
  .data-table tr[data-index]:hover {
    background: var(--ac-surface);
  }
  .data-table table:focus-visible tr[aria-selected='true'] {
    background: var(--ac-tint);
  }
  .virtual-list > div > * {
    height: var(--row-height);
    overflow: hidden;
    white-space: nowrap;
  }
`;

export const panelStyles = [boxStyles, textStyles, controlStyles, tableStyles];
