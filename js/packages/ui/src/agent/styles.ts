/** Styles of tool cards and of the line about a run. */

import { css } from 'lit';
import { toneStyles } from '../styles/tones.ts';

export const outputStyles = css`
  ${toneStyles}
  pre {
    max-height: 260px;
    margin: 0;
    padding: 6px 8px;
    overflow: auto;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    font: 12px / 1.5 var(--ac-mono);
    tab-size: 4;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`;

export const cardStyles = css`
  :host {
    display: grid;
    gap: 6px;
    min-width: 0;
  }
  .card {
    min-width: 0;
    border: 1px solid var(--ac-line);
    border-left: 3px solid var(--tone);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    font-size: 12px;
    overflow: hidden;
  }
  .top {
    display: flex;
    align-items: center;
    background: var(--ac-surface);
  }
  .head {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    align-items: center;
    gap: 1px 8px;
    min-width: 0;
    padding: 4px 10px 4px 6px;
    border-radius: 0;
    text-align: start;
  }
  .head:hover {
    background: var(--ac-raised);
  }
  .head:focus-visible {
    outline-offset: -2px;
  }
  .tool {
    font-family: var(--ac-mono);
    font-weight: 600;
  }
  .title {
    flex: 1 1 90px;
    min-width: 0;
    overflow: hidden;
    color: var(--ac-muted);
    font-family: var(--ac-mono);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .facts {
    color: var(--ac-muted);
    font-size: 11px;
    white-space: nowrap;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    color: var(--tone);
    font-weight: 600;
    white-space: nowrap;
  }
  .badge svg {
    width: 14px;
  }
  .body,
  .back {
    display: grid;
    gap: 6px;
    padding: 8px 10px;
    border-top: 1px solid var(--ac-line);
  }
  .body h3 {
    font-size: 11px;
    font-weight: 600;
  }
  .reason {
    padding: 4px 10px;
    overflow-wrap: anywhere;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
`;

export const questionStyles = css`
  :host {
    display: block;
  }
  .ask {
    display: grid;
    gap: 6px;
    min-width: 0;
    padding: 8px 10px;
    border-top: 1px solid color-mix(in srgb, var(--ac-warning) 50%, var(--ac-bg));
    background: color-mix(in srgb, var(--ac-warning) 10%, var(--ac-bg));
    font-size: 12px;
  }
  .ask:focus-visible {
    outline-offset: -2px;
  }
  [role='alert'] {
    display: grid;
    gap: 6px;
    min-width: 0;
  }
  p {
    overflow-wrap: anywhere;
  }
  /* Blanks at the end of a line wrap too: none of them hides. */
  pre {
    white-space: break-spaces;
  }
  .lines {
    white-space: pre-line;
  }
  .what {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
    font-weight: 600;
  }
  .warning {
    display: flex;
    gap: 6px;
    color: var(--ac-warning);
  }
  .warning svg {
    width: 14px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .button {
    max-width: 100%;
    text-align: start;
    overflow-wrap: anywhere;
  }
  kbd {
    padding: 0 4px;
    border: 1px solid currentColor;
    border-radius: 4px;
    font: 10px / 14px var(--ac-mono);
    opacity: 0.75;
  }
  input,
  textarea {
    flex: 1 1 120px;
    width: 100%;
    min-width: 0;
    min-height: 28px;
    padding: 3px 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
  }
  textarea {
    resize: vertical;
    field-sizing: content;
    min-height: 48px;
    max-height: 200px;
  }
`;

export const runStyles = css`
  :host {
    display: block;
    font-size: 12px;
  }
  .line {
    margin-top: 6px;
  }
  .summary {
    display: grid;
    gap: 4px;
    margin: 6px 0;
    padding: 8px 10px;
    border-radius: var(--ac-radius);
    background: var(--ac-surface);
    overflow-wrap: anywhere;
  }
  .state {
    color: var(--tone);
    font-weight: 600;
  }
  ul {
    list-style: none;
  }
  .file {
    max-width: 100%;
    font-family: var(--ac-mono);
    text-align: start;
    text-decoration: underline;
    overflow-wrap: anywhere;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .waiting {
    border: 1px solid var(--ac-line);
    border-left: 3px solid var(--ac-warning);
    border-radius: var(--ac-radius);
    margin-top: 6px;
    overflow: hidden;
  }
`;
