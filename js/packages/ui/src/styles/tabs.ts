/** Styles of a tab list, or of buttons of which one is pressed; height and position are set by the element that uses it. */

import { css } from 'lit';

export const tabStyles = css`
  .tabs {
    display: flex;
    min-width: 0;
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
  .tabs button:is([aria-selected='true'], [aria-pressed='true']) {
    color: var(--ac-ink);
    font-weight: 600;
  }
  .tabs button:is([aria-selected='true'], [aria-pressed='true'])::after {
    content: '';
    position: absolute;
    inset: auto 8px 0;
    height: 2px;
    border-radius: 1px;
    background: var(--ac-accent);
  }
  @media (forced-colors: active) {
    .tabs button:is([aria-selected='true'], [aria-pressed='true'])::after {
      background: Highlight;
    }
  }
  .tabs button:focus-visible {
    outline-offset: -4px;
  }
`;
