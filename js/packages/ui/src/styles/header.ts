/** Styles of the panel's header. */

import { css } from 'lit';

export const headerStyles = css`
  :host {
    display: block;
    flex: none;
  }
  .bar {
    gap: 8px;
    min-height: 38px;
  }
  .status {
    flex: none;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--ac-success);
    forced-color-adjust: none;
  }
  .status.starting,
  .status.streaming {
    background: var(--ac-accent);
    animation: pulse 1.2s ease-in-out infinite var(--ac-motion, running);
  }
  .status.offline {
    background: var(--ac-warning);
  }
  .status.error {
    background: var(--ac-danger);
  }
  @keyframes pulse {
    50% {
      opacity: 0.35;
    }
  }
  .repo,
  .branch,
  .demo,
  .operation,
  .model .name,
  span.model {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .repo {
    font-weight: 650;
  }
  .branch,
  .model {
    font-size: 12px;
  }
  .branch {
    display: inline-flex;
    flex: 0 20 auto;
    align-items: center;
    gap: 3px;
  }
  .model {
    flex: 0 50 auto;
    min-width: 0;
  }
  button.model {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    height: 26px;
    padding: 0 7px;
    color: var(--ac-muted);
  }
  button.model:hover,
  .door:hover:enabled {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  .door {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: 4px;
    height: 22px;
    padding: 0 6px;
    color: var(--ac-muted);
    font-size: 11px;
    opacity: 1;
  }
  .space {
    flex: 1;
  }
  .icon-button {
    flex: none;
  }
  .demo,
  .operation {
    flex: none;
    padding: 1px 8px;
    border-radius: 10px;
    background: color-mix(in srgb, var(--ac-warning) 16%, var(--ac-bg));
    color: var(--ac-warning);
    font-size: 11px;
    font-weight: 600;
  }
  @container (max-width: 519px) {
    .branch,
    .long {
      display: none;
    }
    .bar {
      gap: 5px;
      padding: 0 5px 0 10px;
    }
    .repo {
      flex: 0 1 auto;
      min-width: 36px;
    }
    /* All names give way, the longer ones more. */
    .model,
    .operation {
      flex-shrink: 1;
    }
  }
  @container (max-width: 409px) {
    .bar {
      gap: 3px;
    }
    .repo {
      min-width: 20px;
    }
    .demo,
    .operation {
      padding: 1px 3px;
    }
    button.model {
      gap: 0;
      padding: 0 2px;
    }
  }
  @container (max-width: 349px) {
    .bar {
      gap: 1px;
      padding: 0 2px 0 6px;
    }
    .space {
      display: none;
    }
    .icon-button {
      width: 24px;
    }
    button.model {
      min-width: 24px;
    }
    .model {
      margin-left: 3px;
    }
    .demo {
      flex-shrink: 1;
      min-width: 0;
    }
  }
  /* Two rows: the name and the branch, then the buttons at their full size. */
  @container (max-width: 309px) {
    .bar {
      flex-wrap: wrap;
      padding-top: 4px;
      row-gap: 2px;
    }
    .status,
    .repo {
      order: -2;
    }
    .repo {
      flex: 1 1 60px;
    }
    .demo {
      order: -1;
    }
    .space {
      display: block;
      flex: 0 0 100%;
      height: 0;
    }
    .model,
    button.model {
      flex: 1 1 0;
      min-width: 24px;
      margin-left: 0;
      text-align: left;
    }
  }
`;
