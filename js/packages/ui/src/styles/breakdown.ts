/** Styles of the context breakdown. */

import { css } from 'lit';
import { categoryColours } from './category-colours.ts';
import { chipStyles } from './forms.ts';
import { paneHead } from './picker.ts';

export const breakdownStyles = [
  paneHead,
  chipStyles,
  categoryColours,
  css`
    :host {
      display: block;
      min-height: 0;
      height: 100%;
    }
    .breakdown {
      display: flex;
      flex-direction: column;
      height: 100%;
      min-height: 0;
    }
    .stale {
      filter: grayscale(1);
    }
    .total {
      margin-left: auto;
      font-weight: 600;
      white-space: nowrap;
    }
    .total.over {
      color: var(--ac-danger);
    }
    .bar {
      display: flex;
      flex: none;
      gap: 1px;
      height: 6px;
      margin: 0 12px 8px;
      border-radius: 3px;
      background: var(--ac-raised);
      overflow: hidden;
    }
    .bar span {
      flex: none;
      min-width: 0;
    }
    .bar span:not([style$=':0%']) {
      min-width: 2px;
    }
    .dot,
    .bar span {
      background: var(--category);
      forced-color-adjust: none;
    }
    .notices {
      flex: none;
      font-size: 12px;
    }
    .notices p {
      display: flex;
      gap: 6px;
      padding: 0 12px 6px;
      overflow-wrap: anywhere;
    }
    .notices svg {
      flex: none;
      margin-top: 2px;
      color: var(--ac-warning);
    }
    .notices .plain svg {
      color: var(--ac-muted);
    }
    @container (max-width: 599px) {
      .notices {
        max-height: var(--notices-height, 66px);
        overflow-y: auto;
      }
    }
    .view {
      display: flex;
      flex: 1;
      flex-direction: column;
      min-height: 0;
    }
    .view[hidden] {
      display: none;
    }
    .body {
      flex: 1;
      min-height: 0;
      overflow-y: auto;
      overscroll-behavior: contain;
      padding-bottom: 8px;
    }
    .body:focus-visible {
      outline-offset: -2px;
    }
    .row {
      display: flex;
      align-items: center;
      gap: 8px;
      min-height: 24px;
      padding: 0 12px;
      font-size: 12.5px;
    }
    .row .number {
      margin-left: auto;
    }
    .talk {
      padding-left: 28px;
    }
    .talk .track {
      flex: 1;
      max-width: 160px;
      height: 4px;
      border-radius: 2px;
      background: var(--ac-raised);
      overflow: hidden;
    }
    .talk .track span {
      display: block;
      height: 100%;
      background: var(--ac-history);
      forced-color-adjust: none;
    }
    .talk .track.over span {
      background: var(--ac-warning);
    }
    .failed {
      margin: 2px 12px 6px 28px;
      padding: 4px 8px;
      border-left: 3px solid var(--ac-warning);
      background: var(--ac-surface);
      font-size: 12px;
      overflow-wrap: anywhere;
    }
    .small {
      padding: 0 7px;
      border-radius: 9px;
      background: var(--ac-raised);
      font-size: 11px;
      line-height: 20px;
    }
    .label,
    .detail {
      white-space: nowrap;
    }
    .detail {
      min-width: 0;
      overflow: hidden;
      font-size: 11px;
      text-overflow: ellipsis;
    }
    .dot {
      flex: none;
      width: 8px;
      height: 8px;
      border-radius: 2px;
    }
    .file {
      position: relative;
      min-height: 22px;
      padding-left: 28px;
      color: var(--ac-muted);
      font-size: 12px;
    }
    .path {
      flex: 1;
      min-width: 0;
      overflow: hidden;
      direction: rtl;
      text-align: left;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .path.named {
      direction: ltr;
    }
    .file .icon-button {
      position: absolute;
      left: 6px;
      width: 20px;
      height: 20px;
      opacity: 0;
    }
    .file:hover .icon-button,
    .icon-button:focus-visible {
      opacity: 1;
    }
    @media (hover: none) {
      .file .icon-button {
        opacity: 1;
      }
    }
    button.label {
      border-radius: 3px;
      color: var(--ac-accent);
    }
    button.label:hover {
      text-decoration: underline;
    }
    .notes,
    .spend {
      margin-top: 6px;
      padding: 8px 12px 0;
      border-top: 1px solid var(--ac-line);
      font-size: 11.5px;
    }
    .spend dl {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 0 8px;
      margin: 2px 0;
      color: var(--ac-ink);
    }
    .spend dd {
      margin: 0;
      text-align: right;
    }
    .note {
      padding: 4px 12px;
      font-size: 12px;
    }
  `,
];
