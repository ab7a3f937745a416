/** Styles of the table of requests and of the detail of one. */

import { css } from 'lit';
import { detailStyles } from './console-styles.ts';

export const networkStyles = [
  detailStyles,
  css`
    .titles {
      flex: none;
      height: 24px;
      border-bottom: 1px solid var(--ac-line);
      font-size: 11px;
    }
    .titles:hover {
      background: none;
    }
    .groups {
      padding-block: 4px;
      font-size: 12px;
    }
    .groups .space {
      flex: 1;
    }
    .groups select {
      height: 24px;
      font-size: 12px;
    }
    .waiting {
      color: var(--ac-warning);
    }
    .method {
      flex: none;
      width: 52px;
    }
    .outcome {
      flex: none;
      width: 62px;
      font-weight: 600;
    }
    .titles .outcome {
      font-weight: 400;
    }
    .type {
      flex: none;
      width: 82px;
    }
    .url {
      display: flex;
      flex: 1;
      min-width: 0;
    }
    .list .url {
      font: 12px/1.5 var(--ac-mono);
    }
    .time {
      flex: none;
      width: 58px;
      text-align: right;
    }
    .body {
      min-height: 0;
      padding: 0 12px 10px;
      overflow: hidden auto;
    }
    .body:focus-visible {
      outline-offset: -2px;
    }
    .body pre {
      padding: 4px 0;
    }
    .secrets {
      display: flex;
      flex-wrap: wrap;
      gap: 0 8px;
      padding: 2px 0;
      font-size: 12px;
    }
    .secrets.revealed {
      margin: 2px 0;
      padding: 2px 8px;
      border-radius: var(--ac-radius);
      background: color-mix(in srgb, var(--ac-warning) 14%, var(--ac-bg));
    }
    .answer summary {
      width: max-content;
      padding: 2px 0;
      color: var(--ac-accent);
      cursor: pointer;
    }
    .answer form {
      display: flex;
      flex-wrap: wrap;
      gap: 6px;
      align-items: center;
      padding: 4px 0;
    }
    .answer input {
      width: 76px;
    }
    .answer textarea {
      flex: 1 1 100%;
      height: 60px;
      padding: 5px 8px;
      font: 12px/1.5 var(--ac-mono);
      resize: vertical;
    }
    .body h3 {
      margin-top: 6px;
      font-size: 12px;
    }
    dl {
      display: grid;
      grid-template-columns: minmax(70px, max-content) minmax(0, 1fr);
      gap: 1px 10px;
      margin: 2px 0;
      font: 12px/1.5 var(--ac-mono);
    }
    dt {
      max-width: 190px;
      color: var(--ac-muted);
      overflow-wrap: anywhere;
    }
    dd {
      margin: 0;
      overflow-wrap: anywhere;
    }
    @container (max-width: 480px) {
      .filters input[type='search'] {
        flex-basis: 90px;
      }
      .filters select {
        max-width: 94px;
      }
      .filters.groups select {
        max-width: 150px;
      }
      .type {
        display: none;
      }
      .row {
        gap: 5px;
        padding: 0 8px;
      }
      .method {
        width: 44px;
      }
      .outcome {
        width: 64px;
      }
      .time {
        width: 50px;
      }
      dl {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `,
];
