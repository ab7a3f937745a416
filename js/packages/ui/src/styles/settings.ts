/** The settings overlay. */

import { css } from 'lit';
import { cardStyles } from './card.ts';

export const settingsStyles = [
  cardStyles,
  css`
  .tabs {
    display: flex;
    flex: 1;
    gap: 2px;
    min-width: 0;
    align-self: stretch;
  }
  .tabs button {
    position: relative;
    padding: 0 10px;
    border-radius: 0;
    color: var(--ac-muted);
    white-space: nowrap;
  }
  .tabs button:hover {
    color: var(--ac-ink);
  }
  .tabs button[aria-selected='true'] {
    color: var(--ac-ink);
    font-weight: 600;
  }
  .tabs button[aria-selected='true']::after {
    content: '';
    position: absolute;
    inset: auto 8px 0;
    height: 2px;
    border-radius: 1px;
    background: var(--ac-accent);
  }
  .tabs button:focus-visible {
    outline-offset: -4px;
  }
  .pane {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  .pane > * {
    flex: 1;
    min-height: 0;
  }
`,
];
