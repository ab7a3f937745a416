/** Styles of the dialogs over the panel: a card on a wide panel, a sheet on a narrow one. */

import { css } from 'lit';

export const cardStyles = css`
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
  .card > .bar {
    gap: 4px;
    min-height: 42px;
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
  @container (min-width: 600px) {
    .card.wide {
      width: calc(100% - 24px);
      height: calc(100% - 20px);
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
