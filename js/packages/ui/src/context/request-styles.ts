/** Styles of the request by sections, besides those of the list. */

import { css } from 'lit';

export const requestStyles = css`
  .request {
    margin-top: 6px;
    padding-top: 6px;
    border-top: 1px solid var(--ac-line);
  }
  .request .chip {
    margin-left: auto;
    font-size: 10.5px;
  }
  .request .part {
    flex: 0 1 auto;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .request > details > summary {
    padding-left: 20px;
  }
  .request .file {
    padding-left: 40px;
  }
  .help p,
  .summary p {
    padding: 2px 12px 6px 20px;
    font-size: 11.5px;
  }
  .help .row {
    font-size: 11.5px;
  }
  .help svg {
    display: inline;
    vertical-align: -3px;
    color: var(--ac-success);
  }
  .mark {
    width: 15px;
    border: 1px solid var(--ac-line);
    border-radius: 50%;
    line-height: 13px;
    text-align: center;
  }
  .summary .path {
    color: var(--ac-accent);
  }
  .summary p {
    padding-left: 40px;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  summary {
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary:hover {
    background: var(--ac-surface);
  }
  summary:focus-visible {
    outline-offset: -2px;
  }
  .twist {
    flex: none;
    margin: 0 -2px;
  }
  [open] > summary .twist {
    rotate: 90deg;
  }
  .request .file .number {
    min-width: 4ch;
    text-align: right;
  }
  .cached {
    flex: none;
    color: var(--ac-success);
  }
  .move {
    padding: 1px 12px;
    font-size: 11.5px;
    overflow-wrap: anywhere;
  }
  :host {
    height: auto;
  }
`;
