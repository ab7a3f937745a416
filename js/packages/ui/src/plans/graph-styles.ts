/** Styles of the picture of a plan. */

import { css } from 'lit';
import { toneStyles } from '../styles/tones.ts';
import { partStyles } from './styles.ts';

export const graphStyles = [
  toneStyles,
  partStyles,
  css`
    :host {
      display: block;
      min-width: 0;
    }
    .scroller {
      padding: 7px 0 5px;
      overflow: auto hidden;
    }
    .picture {
      position: relative;
      min-width: 0;
    }
    .picture > svg {
      position: absolute;
      width: 100%;
      height: 100%;
    }
    path {
      fill: none;
      stroke: var(--ac-edge);
      stroke-width: 1.5px;
    }
    path.on {
      stroke: var(--ac-accent);
      stroke-width: 2.5px;
    }
    li {
      position: absolute;
      display: flex;
      justify-content: center;
      transform: translateX(-50%);
    }
    .node {
      position: relative;
      display: flex;
      flex-direction: column;
      gap: 1px;
      width: 100%;
      max-width: 260px;
      min-width: 0;
      padding: 4px 5px;
      border: 1px solid color-mix(in srgb, var(--tone) 55%, var(--ac-bg));
      border-left: 3px solid var(--tone);
      background: var(--ac-bg);
      font-size: 11.5px;
      line-height: 1.3;
      text-align: start;
    }
    .node:hover {
      background: var(--ac-surface);
    }
    .node[aria-current='true'] {
      background: var(--ac-tint);
      box-shadow: 0 0 0 1px var(--ac-accent);
    }
    /* The tip of the lines that end here. */
    .node.after::before {
      position: absolute;
      top: -6px;
      left: calc(50% - 5px);
      border: solid transparent;
      border-width: 6px 4px 0;
      border-top-color: var(--ac-edge);
      content: '';
    }
    .node .state {
      gap: 3px;
      min-width: 0;
      font-size: 11px;
    }
    .what {
      display: -webkit-box;
      overflow: hidden;
      overflow-wrap: anywhere;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
    }
  `,
];
