/** Styles of the input. */

import { css } from 'lit';

export const composerStyles = css`
  :host {
    display: block;
    padding: 8px 10px 10px;
  }
  .box {
    position: relative;
    border: 1px solid var(--ac-edge);
    border-radius: 10px;
    background: var(--ac-bg);
  }
  .box:focus-within {
    border-color: var(--ac-accent);
    box-shadow: 0 0 0 1px var(--ac-accent);
  }
  textarea {
    display: block;
    width: 100%;
    min-height: 40px;
    max-height: 220px;
    padding: 9px 12px 4px;
    border: 0;
    outline: 0;
    background: none;
    color: var(--ac-ink);
    font: inherit;
    resize: none;
    field-sizing: content;
    overflow-y: auto;
  }
  textarea:focus-visible {
    outline: 0;
  }
  textarea::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
    padding: 0 6px 6px;
  }
  /* At least as wide as the button: it wraps to its own line where there isn't enough room. */
  .end {
    display: flex;
    flex: 1 0 auto;
    align-items: center;
    justify-content: flex-end;
  }
  label.icon-button {
    cursor: pointer;
    border-radius: var(--ac-radius);
  }
  label.icon-button:focus-within {
    outline: 2px solid var(--ac-accent);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }
  .images {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    padding: 4px 10px;
  }
  .images button {
    position: relative;
    padding: 0;
    border-radius: 6px;
    overflow: hidden;
  }
  .images img {
    display: block;
    width: 56px;
    height: 56px;
    object-fit: cover;
  }
  .images svg {
    position: absolute;
    top: 2px;
    right: 2px;
    border-radius: 3px;
    background: var(--ac-bg);
  }
  /* One line high: parts that don't fit wrap to the hidden second line. */
  .hint {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 0 8px;
    width: 0;
    height: 16px;
    overflow: hidden;
    font-size: 11px;
    line-height: 16px;
    white-space: nowrap;
  }
  .hint::before {
    content: '';
    height: 16px;
  }
  @container (max-width: 479px) {
    .primary .words {
      display: none;
    }
    .row .primary {
      padding: 3px 9px;
    }
  }
  .button {
    flex: none;
    border-radius: 8px;
  }
  .end .button + .button {
    margin-left: 4px;
  }
  .queued {
    display: flex;
    align-items: center;
    gap: 8px;
    margin: 0 4px 6px;
    padding: 2px 4px 2px 10px;
    border: 1px dashed var(--ac-edge);
    border-radius: 8px;
    font-size: 12px;
  }
  .queued .question {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .stop {
    border-color: var(--ac-edge);
    font-weight: 600;
  }
`;
