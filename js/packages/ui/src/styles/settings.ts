/** The settings overlay: a card over a wide panel, a sheet over a narrow one. */

import { css } from 'lit';

export const settingsStyles = css`
  .scrim {
    position: absolute;
    inset: 0;
    z-index: 2;
    display: flex;
    align-items: center;
    justify-content: center;
    background: color-mix(in srgb, var(--ac-bg) 55%, transparent);
  }
  .card {
    display: flex;
    flex-direction: column;
    width: 100%;
    height: 100%;
    background: var(--ac-bg);
    outline: 0;
    overflow: hidden;
  }
  .bar {
    gap: 4px;
    min-height: 42px;
  }
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
  @container (min-width: 600px) {
    .card {
      width: min(760px, 100% - 40px);
      height: min(640px, 100% - 32px);
      border: 1px solid var(--ac-line);
      border-radius: 10px;
      box-shadow: 0 12px 40px rgb(0 0 0 / 28%);
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .card {
      animation: appear 0.12s ease-out;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
      transform: translateY(4px);
    }
  }
`;
