/** Shared styles of dialogs and menus: fields, lists, message boxes. */

import { css } from 'lit';

export const fieldStyles = css`
  .field {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 0 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-muted);
  }
  .field:focus-within {
    border-color: var(--ac-accent);
    box-shadow: 0 0 0 1px var(--ac-accent);
  }
  .field input {
    flex: 1;
    min-width: 0;
    height: 28px;
    border: 0;
    outline: 0;
    background: none;
    color: var(--ac-ink);
    font: inherit;
  }
  .field input::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
`;

export const chipStyles = css`
  .chip {
    flex: none;
    padding: 0 7px;
    border-radius: 9px;
    background: var(--ac-raised);
    color: var(--ac-muted);
    font-size: 11px;
    font-weight: 400;
    line-height: 18px;
  }
  .chip.good {
    background: color-mix(in srgb, var(--ac-success) 13%, var(--ac-bg));
    color: var(--ac-success);
  }
  .chip.warn,
  .chip.demo {
    background: color-mix(in srgb, var(--ac-warning) 16%, var(--ac-bg));
    color: var(--ac-warning);
  }
`;

const partStyles = css`
  .box {
    padding: 8px 12px;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    background: var(--ac-surface);
    overflow-wrap: anywhere;
  }
  .box.good {
    border-color: color-mix(in srgb, var(--ac-success) 45%, var(--ac-bg));
    background: color-mix(in srgb, var(--ac-success) 8%, var(--ac-bg));
  }
  .box.bad {
    border-color: color-mix(in srgb, var(--ac-danger) 45%, var(--ac-bg));
    background: color-mix(in srgb, var(--ac-danger) 8%, var(--ac-bg));
  }
  .box.ask {
    border-color: color-mix(in srgb, var(--ac-warning) 50%, var(--ac-bg));
    background: color-mix(in srgb, var(--ac-warning) 10%, var(--ac-bg));
  }
  .box ul {
    margin: 4px 0;
    padding-left: 18px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .box .actions {
    margin-top: 6px;
  }
  .scroll {
    flex: 1;
    min-height: 0;
    overflow: hidden auto;
    overscroll-behavior: contain;
  }
  .scroll:focus-visible {
    outline-offset: -2px;
  }
`;

export const formStyles = [fieldStyles, partStyles, chipStyles];

/** A list that hangs from its button. */
export const popoverStyles = css`
  .popover {
    position: absolute;
    z-index: 2;
    display: flex;
    flex-direction: column;
    gap: 6px;
    padding: 8px;
    border: 1px solid var(--ac-line);
    border-radius: 10px;
    background: var(--ac-bg);
    box-shadow: 0 8px 28px rgb(0 0 0 / 26%);
  }
  @media (prefers-reduced-motion: no-preference) {
    .popover {
      animation: appear 0.12s ease-out;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
`;
