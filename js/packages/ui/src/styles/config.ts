/** Editor of the settings files. */

import { css } from 'lit';

export const configStyles = css`
  :host {
    display: block;
  }
  .config {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .files {
    display: flex;
    flex: none;
    gap: 2px;
    padding: 4px 8px;
    border-bottom: 1px solid var(--ac-line);
    overflow-x: auto;
    scrollbar-width: thin;
  }
  .files button {
    display: flex;
    flex: none;
    flex-direction: column;
    padding: 3px 8px;
    color: var(--ac-muted);
    text-align: left;
  }
  .group {
    align-self: center;
    padding: 0 4px 0 8px;
    font-size: 11px;
    white-space: nowrap;
  }
  .files button:hover {
    background: var(--ac-surface);
  }
  .files button[aria-selected='true'] {
    background: var(--ac-tint);
    color: var(--ac-ink);
  }
  .files button:focus-visible {
    outline-offset: -2px;
  }
  .name {
    font: 12px/1.5 var(--ac-mono);
  }
  .purpose {
    display: none;
    font-size: 11px;
    line-height: 1.3;
  }
  .editor {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  textarea {
    display: block;
    flex: 1;
    width: 100%;
    min-height: 80px;
    padding: 10px 12px;
    border: 0;
    outline-offset: -2px;
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: 12px/1.5 var(--ac-mono);
    tab-size: 2;
    resize: none;
  }
  textarea::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  textarea:read-only {
    background: var(--ac-surface);
  }
  textarea::selection {
    background: color-mix(in srgb, var(--ac-accent) 32%, var(--ac-bg));
  }
  .messages {
    display: flex;
    flex: none;
    flex-direction: column;
    gap: 6px;
    max-height: 55%;
    padding: 0 10px;
    overflow-y: auto;
  }
  .messages .box:first-child {
    margin-top: 6px;
  }
  .box > svg {
    display: inline-block;
    vertical-align: -2px;
  }
  .foot {
    display: flex;
    flex: none;
    align-items: center;
    gap: 6px;
    padding: 8px 10px;
  }
  .path {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    direction: rtl;
    font-size: 11px;
    text-align: left;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  @container (max-width: 479px) {
    .long {
      display: none;
    }
  }
  @container (min-width: 600px) {
    .config {
      flex-direction: row;
    }
    .files {
      flex-direction: column;
      width: 210px;
      padding: 8px;
      border-right: 1px solid var(--ac-line);
      border-bottom: 0;
      overflow: hidden auto;
    }
    .group {
      align-self: flex-start;
      padding: 10px 8px 2px;
    }
    .purpose {
      display: block;
    }
  }
`;
