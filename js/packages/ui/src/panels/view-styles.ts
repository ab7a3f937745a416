/** Styles of the view of panels and of the log of one. */

import { css } from 'lit';
import { barStyles } from '../styles/bar.ts';
import { cardStyles } from '../styles/card.ts';
import { formStyles } from '../styles/forms.ts';
import { tabStyles } from '../styles/tabs.ts';
import { textStyles } from '../styles/texts.ts';

const smallButton = css`
  .button.small {
    min-height: 24px;
    padding: 1px 9px;
    font-size: 12px;
  }
  .button.small svg {
    width: 12px;
    height: 12px;
  }
`;

export const logStyles = [
  barStyles,
  smallButton,
  css`
    :host {
      display: flex;
      flex: none;
      flex-direction: column;
      max-height: 40%;
      border-top: 1px solid var(--ac-line);
    }
    .bar {
      gap: 6px;
      min-height: 32px;
      border: 0;
    }
    .fold {
      display: flex;
      flex: 1;
      gap: 6px;
      align-items: center;
      min-height: 26px;
      font-size: 12px;
      text-align: start;
    }
    .fold .bad {
      display: inline-flex;
      gap: 3px;
      align-items: center;
      color: var(--ac-danger);
    }
    .fold .bad svg {
      width: 13px;
      height: 13px;
    }
    .lines {
      flex: 1;
      min-height: 0;
      padding: 2px 12px 8px;
      overflow: hidden auto;
      overscroll-behavior: contain;
      font: 12px/1.5 var(--ac-mono);
      contain: content;
    }
    .lines[hidden] {
      display: none;
    }
    .lines:focus-visible {
      outline-offset: -2px;
    }
    .lines > p {
      font-family: var(--ac-font);
    }
    .line {
      display: flex;
      gap: 8px;
      align-items: baseline;
    }
    .level {
      flex: none;
      font-family: var(--ac-font);
      font-weight: 600;
    }
    .text {
      min-width: 0;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .line.warn .level {
      color: var(--ac-warning);
    }
    .line.error .level {
      color: var(--ac-danger);
    }
  `,
];

export const viewStyles = [
  barStyles,
  cardStyles,
  tabStyles,
  formStyles,
  textStyles,
  smallButton,
  css`
    h2 {
      flex: none;
      font-size: 14px;
    }
    .card {
      container-type: inline-size;
    }
    .bar .line {
      flex: 1;
      padding-left: 4px;
      font-size: 12px;
    }
    .tabs {
      flex: none;
      min-height: 36px;
      padding: 0 8px 0 2px;
      border-bottom: 1px solid var(--ac-line);
      overflow: auto hidden;
      scrollbar-width: none;
    }
    .tab {
      display: inline-flex;
      flex: none;
      gap: 5px;
      align-items: center;
      max-width: 220px;
    }
    .tab .mark svg {
      width: 13px;
      height: 13px;
    }
    .tab.failed .mark {
      color: var(--ac-danger);
    }
    .problem,
    .note {
      flex: none;
      max-height: 30%;
      margin: 8px 12px 0;
      overflow: auto;
    }
    .problem pre {
      margin: 6px 0 0;
      font: 12px/1.45 var(--ac-mono);
      white-space: pre-wrap;
    }
    summary {
      cursor: pointer;
    }
    .pane {
      display: flex;
      flex: 1;
      flex-direction: column;
      min-height: 0;
      overflow: hidden;
    }
    .facts {
      display: flex;
      flex: none;
      flex-wrap: wrap;
      gap: 2px 12px;
      align-items: center;
      min-height: 34px;
      max-height: 40%;
      padding: 4px 12px;
      overflow: hidden auto;
      border-bottom: 1px solid var(--ac-line);
      background: var(--ac-surface);
      font-size: 12px;
    }
    .facts .space {
      flex: 1;
    }
    .state {
      display: inline-flex;
      gap: 4px;
      align-items: center;
      font-weight: 600;
    }
    .state svg {
      width: 13px;
      height: 13px;
    }
    .state.running {
      color: var(--ac-success);
    }
    .state.failed {
      color: var(--ac-danger);
    }
    .calls[open] {
      order: 1;
      flex: 1 1 100%;
    }
    .calls dl {
      margin: 4px 0 2px;
    }
    .calls dl > div {
      display: flex;
      gap: 8px;
    }
    .calls dt {
      flex: none;
      min-width: 84px;
      font-weight: 600;
    }
    .calls dd {
      min-width: 0;
      margin: 0;
      overflow-wrap: anywhere;
    }
    .plugins {
      position: relative;
      flex: 1;
      min-height: 80px;
      /* Whatever a plugin shows stays in here. */
      contain: strict;
    }
    .none {
      max-width: 62ch;
      padding: 16px 12px;
    }
    .none p + p {
      margin-top: 8px;
    }
    .none svg {
      display: inline-block;
      vertical-align: -2px;
    }
    @container (max-width: 420px) {
      .tab {
        max-width: 150px;
        padding: 0 7px;
      }
    }
  `,
];
