/** Styles of the chips of web pages. */

import { css } from 'lit';

export const urlChipStyles = css`
  :host {
    display: block;
  }
  .announcement {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 5px;
    max-height: 144px;
    padding: 3px 8px 7px;
    overflow-y: auto;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    min-width: 0;
    max-width: 100%;
    min-height: 26px;
    padding: 0 2px 0 3px;
    border: 1px solid var(--ac-line);
    border-radius: 8px;
    background: var(--ac-surface);
    font-size: 12px;
  }
  .chip.found {
    border-style: dashed;
    border-color: var(--ac-edge);
    background: none;
  }
  .chip.ready {
    border-color: color-mix(in srgb, var(--ac-accent) 40%, var(--ac-bg));
    background: color-mix(in srgb, var(--ac-accent) 8%, var(--ac-bg));
  }
  .chip.ready.out {
    border-color: var(--ac-line);
    background: none;
    color: var(--ac-muted);
  }
  .chip.failed {
    border-color: color-mix(in srgb, var(--ac-danger) 45%, var(--ac-bg));
    background: color-mix(in srgb, var(--ac-danger) 8%, var(--ac-bg));
  }
  .chip:focus-visible {
    outline-offset: 0;
  }
  .main {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 5px;
    min-width: 0;
    min-height: 24px;
    padding: 0 4px;
  }
  .main svg {
    width: 13px;
  }
  .failed .main svg {
    color: var(--ac-danger);
  }
  .name {
    max-width: 240px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .ready.out .name {
    text-decoration: line-through;
    text-decoration-thickness: 1px;
  }
  .found .name,
  .fetching .name {
    color: var(--ac-muted);
  }
  button.main:hover:enabled .name {
    text-decoration: underline;
  }
  .verb {
    color: var(--ac-accent);
    font-weight: 600;
  }
  .progress {
    flex: none;
    color: var(--ac-muted);
    white-space: nowrap;
  }
  input {
    flex: none;
    width: 14px;
    height: 14px;
    margin: 0 1px 0 4px;
    accent-color: var(--ac-accent);
  }
  .icon-button {
    flex: none;
    width: 24px;
    height: 24px;
  }
  .icon-button svg {
    width: 12px;
  }
`;
