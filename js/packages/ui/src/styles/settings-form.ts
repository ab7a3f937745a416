/** Styles of the settings form. */

import { css } from 'lit';
import { inputStyles } from './inputs.ts';

export const settingsFormStyles = [
  inputStyles,
  css`
  :host {
    display: block;
  }
  .form {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    padding: 10px 12px;
    border-bottom: 1px solid var(--ac-line);
  }
  .bar .field {
    flex: 1 1 160px;
  }
  .bar [aria-pressed='true'] {
    border-color: var(--ac-accent);
    background: var(--ac-tint);
  }
  .scroll {
    padding-bottom: 16px;
  }
  .scroll > .box {
    margin: 10px 12px 0;
  }
  .note {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 12px;
  }
  h3 {
    position: sticky;
    top: 0;
    z-index: 1;
    padding: 12px 12px 4px;
    background: var(--ac-bg);
    font-size: 12px;
    font-weight: 600;
    color: var(--ac-muted);
  }
  .row {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px 16px;
    padding: 8px 12px 10px;
    border-left: 3px solid transparent;
  }
  .row.switch {
    grid-template-columns: minmax(0, 1fr) auto;
  }
  .row.changed {
    border-left-color: var(--ac-accent);
  }
  .row:hover {
    background: var(--ac-surface);
  }
  .row > .box,
  .row > .done {
    grid-column: 1 / -1;
  }
  .title {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
    font-weight: 600;
  }
  .title .chip svg {
    display: inline-block;
    vertical-align: -2px;
  }
  .about {
    overflow-wrap: anywhere;
  }
  .default,
  .done {
    font-size: 12px;
  }
  .value {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 6px;
    min-width: 0;
  }
  .row.switch .value {
    align-items: flex-end;
  }
  .value > :is(input, select) {
    width: 100%;
    max-width: 320px;
  }
  .link {
    padding: 2px 0;
    color: var(--ac-accent);
    font-size: 12px;
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .parts,
  .members {
    display: flex;
    flex-direction: column;
    align-items: stretch;
    gap: 6px;
    width: 100%;
  }
  .parts > .button {
    align-self: flex-start;
  }
  .part {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: start;
    gap: 6px;
  }
  .part.pair {
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto;
  }
  .part.object {
    padding: 8px;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
  }
  .part.pair.object {
    grid-template-columns: minmax(0, 1fr) auto;
  }
  .part.pair.object > .members {
    grid-row: 2;
    grid-column: 1 / -1;
  }
  .member {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 2px 10px;
    align-items: start;
  }
  .member-name {
    font-size: 12px;
  }
  .small {
    min-height: 24px;
    padding: 1px 9px;
    font-size: 12px;
  }
  @container (min-width: 600px) {
    .row:not(.wide) {
      grid-template-columns: minmax(0, 1fr) 220px;
    }
    .row.switch {
      grid-template-columns: minmax(0, 1fr) 220px;
    }
    .value {
      align-items: flex-end;
    }
    .row.wide .value {
      align-items: flex-start;
    }
    .member {
      grid-template-columns: 130px minmax(0, 1fr);
    }
  }
`,
];
