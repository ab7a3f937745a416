/** Styles of the bar at the top of the panel and of its dialogs. */

import { css } from 'lit';

export const barStyles = css`
  .bar {
    display: flex;
    flex: none;
    align-items: center;
    padding: 0 8px 0 12px;
    border-bottom: 1px solid var(--ac-line);
  }
`;
