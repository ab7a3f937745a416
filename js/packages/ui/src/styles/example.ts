/** Styles of the tour's recorded example. */

import { css } from 'lit';

export const exampleStyles = css`
  :host {
    display: block;
  }
  section {
    max-width: 560px;
    margin: 10px auto 16px;
    padding: 12px 14px;
    border: 1px solid var(--ac-line);
    border-radius: 10px;
    background: var(--ac-surface);
  }
  h4 {
    margin: 0;
    font-size: 13px;
    font-weight: 650;
  }
  p {
    margin: 4px 0 0;
    font-size: 12px;
  }
  ol {
    display: flex;
    flex-direction: column;
    gap: 6px;
    margin: 10px 0 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: flex;
    gap: 6px;
  }
  .play {
    flex: 1;
    gap: 10px;
    min-width: 0;
    height: auto;
    padding: 7px 10px;
    justify-content: flex-start;
    text-align: left;
    white-space: normal;
  }
  .icon {
    display: flex;
    flex: none;
    color: var(--ac-accent);
  }
  .words {
    display: flex;
    flex-direction: column;
    gap: 1px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .words b {
    font-weight: 600;
  }
  .words .muted {
    font-size: 12px;
  }
  /* Below an answer it leaves room for that answer. */
  .later {
    padding: 8px 12px;
  }
  .later ol {
    flex-flow: row wrap;
    margin-top: 6px;
  }
  .later .play {
    padding: 4px 10px;
  }
  .later .words .muted {
    display: none;
  }
  .later .actions {
    margin-top: 4px;
  }
  .ask {
    flex: none;
    height: auto;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    margin-top: 8px;
  }
  .ask-first .actions {
    gap: 6px;
  }
  .link {
    padding: 2px 0;
    border: 0;
    background: none;
    color: var(--ac-muted);
    font: inherit;
    font-size: 12px;
    cursor: pointer;
  }
  .link:hover {
    color: var(--ac-ink);
    text-decoration: underline;
  }
  [aria-disabled='true'] {
    opacity: 0.55;
    cursor: default;
  }
  @container (max-width: 359px) {
    li {
      flex-direction: column;
    }
  }
`;
