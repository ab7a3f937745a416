/** Styles of the file viewer. */

import { css } from 'lit';

export const viewerStyles = css`
  :host {
    position: relative;
    display: flex;
    flex-direction: column;
    min-height: 0;
    outline: 0;
  }
  .viewer {
    display: contents;
  }
  .tools,
  .note,
  .instead {
    order: 1;
  }
  .area {
    order: 2;
    position: relative;
    flex: 1;
    min-width: 0;
    min-height: 60px;
    overflow: hidden;
  }
  .area[hidden] {
    display: none;
  }
  .uses {
    order: 3;
  }
  .tools {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    min-height: 34px;
    padding: 0 6px;
    border-bottom: 1px solid var(--ac-line);
  }
  .tabs {
    height: 34px;
    font-size: 12px;
  }
  .diff-tools {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    align-items: center;
    margin: 4px 0 4px auto;
  }
  .small[aria-pressed='true'] {
    background: var(--ac-tint);
    color: var(--ac-accent);
  }
  .cm-comments {
    min-width: 14px;
  }
  .comment-mark {
    color: var(--ac-accent);
    cursor: pointer;
  }
  .cm-comment {
    box-shadow: inset 2px 0 var(--ac-accent);
  }
  .comment-text {
    padding: 6px 12px;
    border-left: 3px solid var(--ac-accent);
    background: var(--ac-tint);
    color: var(--ac-ink);
    font: 12px var(--ac-font);
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .names {
    display: flex;
    gap: 4px;
    margin: 4px 0 4px auto;
  }
  @container (max-width: 400px) {
    .tools {
      padding: 0 3px;
    }
    .tabs button {
      padding: 0 6px;
    }
    .tools .small {
      padding: 0 5px;
    }
  }
  .small {
    padding: 0 7px;
    border-radius: 9px;
    background: var(--ac-raised);
    font-size: 11px;
    line-height: 20px;
  }
  .note {
    flex: none;
    padding: 4px 12px;
    background: var(--ac-surface);
    border-bottom: 1px solid var(--ac-line);
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .sides {
    display: grid;
    order: 1;
    flex: none;
    grid-template-columns: 1fr 1fr;
    padding: 2px 0;
    border-bottom: 1px solid var(--ac-line);
    font-size: 11px;
  }
  .sides span {
    padding: 0 12px;
  }
  .instead {
    display: flex;
    flex: 1;
    gap: 8px;
    align-items: center;
    justify-content: center;
    padding: 16px;
    overflow-wrap: anywhere;
  }
  .uses {
    display: flex;
    flex: none;
    flex-direction: column;
    max-height: 40%;
    border-top: 1px solid var(--ac-line);
  }
  .uses-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: 0 6px 0 12px;
    background: var(--ac-surface);
    font-size: 12px;
  }
  .rows {
    min-height: 0;
    padding-bottom: 4px;
    overflow-y: auto;
  }
  .rows p {
    padding: 4px 12px;
    font-size: 12px;
  }
  .use {
    display: flex;
    gap: 10px;
    align-items: baseline;
    width: 100%;
    padding: 2px 12px;
    border-radius: 0;
    font-size: 12px;
    text-align: left;
  }
  .use:hover {
    background: var(--ac-surface);
  }
  .use:focus-visible {
    outline-offset: -2px;
  }
  .where {
    flex: 0 1 auto;
    min-width: 0;
    overflow: hidden;
    direction: rtl;
    text-align: left;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .use code {
    flex: 1 1 50%;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .cm-mergeView {
    height: 100%;
    overflow: auto;
  }
  .hover {
    max-height: 220px;
    padding: 6px 10px;
    overflow: auto;
    font-size: 12px;
  }
  .hover pre {
    padding: 4px 8px;
    white-space: pre-wrap;
  }
  .hover > :last-child {
    margin-bottom: 0;
  }
  .hover .code-head {
    display: none;
  }
`;
