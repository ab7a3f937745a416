/** Styles of the settings dialog. */

import { css } from 'lit';
import { cardStyles } from './card.ts';
import { tabStyles } from './tabs.ts';

export const settingsStyles = [
  cardStyles,
  tabStyles,
  css`
  .tabs {
    flex: 1;
    gap: 2px;
    align-self: stretch;
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
