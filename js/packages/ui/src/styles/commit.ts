/** Styles of the commit form. */

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
    width: min(560px, 100% - 16px);
    max-height: calc(100% - 54px);
    overflow: hidden auto;
  }
  form {
    display: contents;
  }
  .commit-files {
    flex: 1 1 auto;
    min-height: 72px;
    max-height: 360px;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
  }
  .heading {
    position: sticky;
    z-index: 1;
    top: 0;
    display: flex;
    gap: 6px;
    align-items: center;
    padding: 3px 8px;
    background: var(--ac-surface);
    font-size: 12px;
    font-weight: 600;
  }
  .heading .muted {
    font-weight: 400;
  }
  .file {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto auto auto;
    gap: 0 6px;
    align-items: center;
    min-height: 26px;
    padding: 1px 8px;
    font-size: 12px;
  }
  .file:hover {
    background: var(--ac-surface);
  }
  .file > input,
  .heading > input {
    margin: 0;
    accent-color: var(--ac-accent);
  }
  .name {
    grid-column: 2;
    min-width: 0;
    padding: 2px 0;
    overflow: hidden;
    border: 0;
    background: none;
    color: inherit;
    direction: rtl;
    font: inherit;
    text-align: left;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  button.name {
    cursor: pointer;
  }
  button.name:hover {
    text-decoration: underline;
  }
  .badge {
    grid-column: 5;
    color: var(--ac-muted);
    font-weight: 600;
  }
  .badge.A {
    color: var(--ac-success);
  }
  .badge.D,
  .badge.C {
    color: var(--ac-danger);
  }
  .badge.M,
  .badge.R {
    color: var(--ac-warning);
  }
  .reason {
    grid-column: 2 / -1;
    padding-bottom: 2px;
    color: var(--ac-muted);
    font-size: 11px;
    overflow-wrap: anywhere;
  }
  .reason.secret {
    color: var(--ac-warning);
  }
  .empty {
    margin: 0;
    padding: 6px 8px;
    font-size: 12px;
  }
  textarea {
    flex: none;
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
  textarea[readonly] {
    background: var(--ac-surface);
  }
  textarea::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  .button {
    flex: none;
  }
  .status:not(:has(*)) {
    display: none;
  }
  .runs {
    margin: 0;
    color: var(--ac-muted);
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .runs.bad {
    color: var(--ac-danger);
  }
  .row {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    font-size: 12px;
  }
  .row .space {
    flex: 1;
  }
  .box {
    flex: none;
    font-size: 12px;
  }
  .box p {
    margin: 0;
  }
  .undo {
    padding-top: 6px;
    border-top: 1px solid var(--ac-line);
  }
  .last {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;
