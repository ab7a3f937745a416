/** The model picker. */

import { css } from 'lit';

export const modelsStyles = css`
  :host {
    display: block;
  }
  .models {
    display: flex;
    flex-direction: column;
    gap: 8px;
    height: 100%;
    padding: 10px 12px 0;
  }
  .now {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 6px;
    overflow-wrap: anywhere;
  }
  .own {
    align-self: flex-start;
    text-align: left;
  }
  .note {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 6px 2px;
    font-size: 12px;
  }
  .caption {
    margin: -4px 0;
    font-size: 11px;
    text-align: right;
  }
  .scroll {
    margin: 0 -12px;
    padding: 0 0 8px;
  }
  .provider {
    position: sticky;
    top: 0;
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 5px 12px 3px;
    background: var(--ac-bg);
    font-size: 12px;
    font-weight: 600;
  }
  .option {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    padding: 2px 12px;
    cursor: pointer;
  }
  .option:hover {
    background: var(--ac-surface);
  }
  .option.active {
    background: var(--ac-tint);
  }
  .tick {
    flex: none;
    width: 16px;
    color: var(--ac-accent);
  }
  .name {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .option[aria-selected='true'] .name {
    font-weight: 600;
  }
  .facts {
    flex: none;
    margin-left: auto;
    font-size: 11px;
    text-align: right;
    white-space: nowrap;
  }
  @container (max-width: 479px) {
    .option {
      flex-wrap: wrap;
      gap: 0 6px;
    }
    .name {
      flex: 1;
    }
    .facts {
      width: calc(100% - 22px);
      margin-left: 22px;
      text-align: left;
    }
  }
`;
