/** Styles of the view of browsers and of its panes. */

import { css } from 'lit';
import { barStyles } from '../styles/bar.ts';
import { cardStyles } from '../styles/card.ts';
import { formStyles } from '../styles/forms.ts';
import { tabStyles } from '../styles/tabs.ts';
import { textStyles } from '../styles/texts.ts';

const partStyles = css`
  .mono {
    font: 12px/1.5 var(--ac-mono);
  }
  .button.small {
    min-height: 24px;
    padding: 1px 9px;
    font-size: 12px;
  }
  .bad {
    display: inline-flex;
    gap: 4px;
    align-items: center;
    color: var(--ac-danger);
  }
  .announcement {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

export const paneStyles = [
  formStyles,
  textStyles,
  partStyles,
  css`
    :host {
      position: relative;
      display: flex;
      flex: 1;
      flex-direction: column;
      min-height: 0;
      container-type: inline-size;
    }
    .filters {
      display: flex;
      flex: none;
      flex-wrap: wrap;
      gap: 6px;
      align-items: center;
      padding: 8px 12px;
      border-bottom: 1px solid var(--ac-line);
    }
    .filters form {
      display: flex;
      flex: 1 1 200px;
      gap: 6px;
      min-width: 0;
    }
    input:not([type='checkbox']),
    select,
    textarea {
      min-width: 0;
      height: 28px;
      padding: 0 8px;
      border: 1px solid var(--ac-edge);
      border-radius: var(--ac-radius);
      background: var(--ac-bg);
      color: var(--ac-ink);
      font: inherit;
    }
    input::placeholder {
      color: var(--ac-muted);
      opacity: 1;
    }
    input[type='checkbox'] {
      accent-color: var(--ac-accent);
    }
    .filters input[type='search'],
    .filters form input {
      flex: 1 1 120px;
    }
    label {
      display: inline-flex;
      gap: 5px;
      align-items: center;
    }
    .none {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 8px;
      align-items: center;
      padding: 12px;
    }
    p.none {
      display: block;
      overflow-wrap: anywhere;
    }
    p.none svg {
      display: inline-block;
      vertical-align: -2px;
    }
    .list {
      position: relative;
      flex: 1;
      min-height: 90px;
      overflow: hidden auto;
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
      padding: 0 12px;
      overflow: hidden;
      white-space: nowrap;
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
    .foot {
      display: flex;
      flex: none;
      flex-wrap: wrap;
      gap: 4px 8px;
      align-items: center;
      padding: 5px 12px;
      border-top: 1px solid var(--ac-line);
      font-size: 12px;
    }
    .foot .space {
      flex: 1;
    }
    .level {
      display: inline-flex;
      flex: none;
      gap: 4px;
      align-items: center;
      width: 74px;
      font-size: 12px;
    }
    .error .level,
    .failed .outcome {
      color: var(--ac-danger);
    }
    .warning .level,
    .paused .outcome {
      color: var(--ac-warning);
    }
    .facts {
      display: flex;
      flex-wrap: wrap;
      gap: 0 4px;
      align-items: center;
      font-size: 12px;
    }
    a.place {
      color: var(--ac-accent);
      text-decoration: underline;
      cursor: pointer;
    }
  `,
];

export const viewStyles = [
  barStyles,
  cardStyles,
  tabStyles,
  formStyles,
  textStyles,
  partStyles,
  css`
    h2 {
      flex: none;
      font-size: 14px;
    }
    .card {
      container-type: inline-size;
    }
    .state {
      flex: 1;
      font-size: 12px;
    }
    .which {
      display: flex;
      flex: none;
      flex-wrap: wrap;
      gap: 0 6px;
      align-items: stretch;
      min-height: 36px;
      padding: 0 8px 0 2px;
      border-bottom: 1px solid var(--ac-line);
    }
    .which .tabs {
      flex: 1 1 300px;
      min-height: 34px;
      overflow: auto hidden;
      scrollbar-width: none;
    }
    .which label {
      display: flex;
      flex: 0 1 240px;
      align-items: center;
      min-width: 0;
      padding: 3px 0 3px 8px;
    }
    .which select {
      width: 100%;
      min-width: 0;
      height: 26px;
      border: 1px solid var(--ac-edge);
      border-radius: var(--ac-radius);
      background: var(--ac-bg);
      color: var(--ac-ink);
      font: inherit;
    }
    .messages {
      display: flex;
      flex: none;
      flex-direction: column;
      gap: 6px;
      max-height: 45%;
      padding: 0 12px;
      overflow: hidden auto;
    }
    .messages > :first-child {
      margin-top: 8px;
    }
    .messages > :last-child {
      margin-bottom: 8px;
    }
    .box .words {
      margin: 4px 0;
      white-space: pre-wrap;
    }
    .box input.answer {
      width: 100%;
      height: 28px;
      margin-top: 6px;
      padding: 0 8px;
      border: 1px solid var(--ac-edge);
      border-radius: var(--ac-radius);
      background: var(--ac-bg);
      color: var(--ac-ink);
      font: inherit;
    }
    .box.line {
      display: flex;
      gap: 8px;
      align-items: flex-start;
    }
    .box.line p {
      flex: 1;
    }
    .pane {
      display: flex;
      flex: 1;
      flex-direction: column;
      min-height: 0;
      overflow: hidden;
    }
    @container (max-width: 420px) {
      .tabs button {
        padding: 0 7px;
      }
      .which label {
        flex: 1 1 100%;
        padding-left: 10px;
      }
    }
  `,
];
