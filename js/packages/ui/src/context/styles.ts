/** Styles of the drawing of the context. */

import { css } from 'lit';
import { categoryColours } from '../styles/category-colours.ts';
import { tabStyles } from '../styles/tabs.ts';
import { marksStyles } from './marked-turns.ts';

export const viewStyles = [
  marksStyles,
  categoryColours,
  tabStyles,
  css`
    :host {
      font-size: 12px;
    }
    .tabs {
      flex: none;
      height: 28px;
      padding: 0 4px;
      border-bottom: 1px solid var(--ac-line);
      overflow-x: auto;
      scrollbar-width: none;
    }
    .tabs button {
      padding: 0 6px;
    }
    slot[hidden] {
      display: none;
    }
    .shown {
      flex: 1;
      min-height: 0;
      overflow: hidden auto;
      overscroll-behavior: contain;
      padding: 8px 12px 12px;
      container-type: inline-size;
    }
    .shown:focus-visible {
      outline-offset: -2px;
    }
    h3 {
      margin: 12px 0 4px;
      font-size: 12px;
      font-weight: 600;
    }
    figure {
      margin: 0;
    }
    p {
      overflow-wrap: anywhere;
    }
    figure p,
    figcaption {
      margin: 4px 0;
    }
    .bar,
    .band {
      display: flex;
      border-radius: 4px;
      background: var(--ac-raised);
      overflow: hidden;
    }
    .bar {
      height: 24px;
    }
    .segment {
      flex: none;
      min-width: 2px;
      padding: 0 5px;
      border-right: 1px solid var(--ac-bg);
      background: color-mix(in srgb, var(--category) 46%, var(--ac-bg));
      font-size: 11px;
      font-weight: 600;
      line-height: 24px;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .segment:empty {
      padding: 0;
      background: var(--category);
    }
    .key {
      display: flex;
      flex-wrap: wrap;
      gap: 0 12px;
      margin: 4px 0;
      font-size: 11.5px;
      list-style: none;
    }
    .key li {
      display: flex;
      align-items: center;
      gap: 5px;
    }
    .dot {
      flex: none;
      width: 8px;
      height: 8px;
      border-radius: 2px;
      background: var(--category);
    }
    .dot.excluded {
      border: 1px solid var(--ac-muted);
      background: none;
    }
    .dot.pinned {
      border: 2px solid var(--ac-history);
      background: none;
    }
    .detail {
      margin-top: 6px;
      padding: 8px 10px;
      border: 1px solid var(--ac-line);
      border-radius: var(--ac-radius);
      background: var(--ac-surface);
    }
    .detail bdi {
      overflow-wrap: anywhere;
    }
    .actions {
      display: flex;
      flex-wrap: wrap;
      gap: 6px;
    }
    .actions .button {
      margin-top: 6px;
    }
    summary {
      margin-top: 6px;
      color: var(--ac-accent);
      cursor: pointer;
    }
    table {
      width: 100%;
      border-collapse: collapse;
      font-variant-numeric: tabular-nums;
    }
    th {
      font-weight: 400;
      text-align: left;
      overflow-wrap: anywhere;
    }
    thead th {
      color: var(--ac-muted);
    }
    td,
    thead th:not(:first-child) {
      padding-left: 8px;
      text-align: right;
      white-space: nowrap;
    }
    tr {
      border-bottom: 1px solid var(--ac-line);
    }
    .band-row {
      display: grid;
      grid-template-columns: 84px 1fr auto;
      align-items: center;
      gap: 8px;
      min-height: 22px;
    }
    .band {
      height: 14px;
      border: 1px solid var(--ac-edge);
    }
    .read {
      background: var(--ac-success);
    }
    .written {
      background: repeating-linear-gradient(135deg, var(--ac-warning) 0 2px, var(--ac-bg) 2px 5px);
    }
    .fresh {
      background: var(--ac-bg);
    }
    .swatch {
      width: 14px;
      height: 9px;
      border: 1px solid var(--ac-edge);
      border-radius: 2px;
    }
    .changes {
      margin: 6px 0;
      list-style: none;
    }
    .changes li {
      display: flex;
      align-items: center;
      gap: 8px;
      min-height: 22px;
    }
    .changes .name {
      flex: 1;
      min-width: 0;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .changes .what {
      min-width: 0;
      overflow: hidden;
      font-size: 11px;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    @container (max-width: 360px) {
      .amounts {
        display: none;
      }
    }
    .changes .number {
      flex: none;
      min-width: 5ch;
      text-align: right;
    }
    .added .number,
    .grown .number {
      color: var(--ac-warning);
    }
    .removed .number,
    .shrunk .number {
      color: var(--ac-success);
    }
    .removed .name {
      text-decoration: line-through;
    }
    .verdict {
      padding: 6px 10px;
      border-left: 3px solid var(--ac-success);
      background: var(--ac-surface);
    }
    .verdict.lost {
      border-color: var(--ac-warning);
    }
    .sums {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 2px 8px;
      margin: 0;
    }
    .sums dd {
      margin: 0;
      text-align: right;
    }
    .switch {
      display: inline-flex;
      margin-bottom: 6px;
      border: 1px solid var(--ac-line);
      border-radius: var(--ac-radius);
      overflow: hidden;
    }
    .switch button {
      padding: 2px 10px;
      border-radius: 0;
      color: var(--ac-muted);
    }
    .switch button[aria-pressed='true'] {
      background: var(--ac-tint);
      color: var(--ac-ink);
      font-weight: 600;
    }
    .switch button:focus-visible {
      outline-offset: -2px;
    }
    .days {
      display: flex;
      align-items: flex-end;
      gap: 2px;
      height: 96px;
      border-bottom: 1px solid var(--ac-edge);
    }
    .day {
      display: flex;
      flex: 1;
      align-items: flex-end;
      min-width: 0;
      height: 100%;
    }
    .day:hover {
      background: var(--ac-surface);
    }
    .day span {
      width: 100%;
      border-radius: 2px 2px 0 0;
      background: var(--ac-accent);
    }
    .day span:not([style='height:0%']) {
      min-height: 2px;
    }
    .axis {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      gap: 8px;
      font-size: 11px;
    }
    @media (forced-colors: active) {
      .tabs button[aria-pressed='true']::after {
        background: Highlight;
        forced-color-adjust: none;
      }
      .segment,
      .day span,
      .dot {
        border: 1px solid CanvasText;
      }
      .read,
      .day span {
        background: CanvasText;
        forced-color-adjust: none;
      }
      .written {
        background: repeating-linear-gradient(135deg, CanvasText 0 2px, Canvas 2px 5px);
        forced-color-adjust: none;
      }
      .changes .number {
        color: CanvasText;
      }
    }
  `,
];
