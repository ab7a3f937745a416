/** Styles of the icicle. */

import { css } from 'lit';
import { categoryColours } from '../styles/category-colours.ts';

export const icicleStyles = [
  categoryColours,
  css`
    :host {
      display: block;
    }
    .tree {
      position: relative;
      border-radius: 4px;
      overflow: hidden;
    }
    .tree:focus-visible {
      outline-offset: 2px;
    }
    .box {
      --mix: 52%;
      position: absolute;
      container-type: inline-size;
      height: 26px;
      border: solid var(--ac-bg);
      border-width: 0 1px 1px 0;
      background: color-mix(in srgb, var(--category, var(--ac-edge)) var(--mix), var(--ac-bg));
      font-size: 11.5px;
      line-height: 25px;
      cursor: pointer;
    }
    .box span {
      display: block;
      padding: 0 5px;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    @container (max-width: 36px) {
      .box span {
        display: none;
      }
    }
    .box.request {
      background: var(--ac-raised);
    }
    .box.category {
      --mix: 46%;
      font-weight: 600;
    }
    .box.item {
      --mix: 30%;
    }
    .box.symbol {
      --mix: 18%;
    }
    .box.small {
      background: repeating-linear-gradient(135deg, var(--ac-raised) 0 3px, var(--ac-line) 3px 4px);
      cursor: default;
    }
    .box:hover:not(.small) {
      filter: brightness(1.06) saturate(1.15);
    }
    .box.active {
      outline: 2px solid var(--ac-accent);
      outline-offset: -2px;
    }
    .crumbs {
      display: flex;
      flex-wrap: wrap;
      gap: 4px;
      margin-bottom: 4px;
      font-size: 11.5px;
      overflow-wrap: anywhere;
    }
    .crumbs button {
      color: var(--ac-accent);
      text-align: left;
    }
    .crumbs button:hover {
      text-decoration: underline;
    }
    .crumbs b {
      font-weight: 600;
    }
    @media (forced-colors: active) {
      .box {
        border-color: CanvasText;
      }
      .box.active {
        outline-color: Highlight;
      }
    }
  `,
];
