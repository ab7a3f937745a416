/** Styles of the tools above the files. */

import { css } from 'lit';

export const toolsStyles = css`
  :host {
    display: block;
    flex: none;
    font-size: 12px;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: 2px;
    min-height: 26px;
    padding: 0 6px 4px 8px;
  }
  .space {
    flex: 1;
  }
  .pill {
    display: inline-flex;
    flex: 0 1 auto;
    align-items: center;
    gap: 5px;
    min-width: 0;
    height: 22px;
    padding: 0 7px;
    border: 1px solid var(--ac-line);
    border-radius: 11px;
    color: var(--ac-muted);
  }
  .pill span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .pill:hover {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  .icon-button {
    flex: none;
    width: 24px;
    height: 22px;
  }
  .icon-button.on {
    color: var(--ac-accent);
  }
  .box {
    margin: 0 8px 6px;
    padding: 8px 10px;
  }
  .box .field {
    margin-top: 4px;
  }
  .error {
    margin-top: 4px;
    color: var(--ac-danger);
  }
  .popover {
    inset: auto;
    margin: 0;
    gap: 0;
    min-width: 180px;
    max-width: min(340px, calc(100vw - 12px));
    max-height: min(420px, calc(100vh - 12px));
    padding: 4px;
    overflow: hidden auto;
    color: var(--ac-ink);
    font: 12.5px / 1.45 var(--ac-font);
  }
  .popover:not(:popover-open) {
    position: absolute;
  }
  .item {
    display: flex;
    flex: none;
    align-items: center;
    gap: 8px;
    width: 100%;
    min-height: 27px;
    padding: 2px 8px;
    border-radius: 5px;
    text-align: left;
  }
  .item:hover,
  .item:focus-visible {
    background: var(--ac-tint);
  }
  .item:focus-visible {
    outline-offset: -2px;
  }
  .item[aria-disabled='true'] {
    opacity: 1;
    color: var(--ac-muted);
  }
  .words {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .why {
    display: block;
    color: var(--ac-muted);
    font-size: 11px;
  }
  p.why {
    padding: 2px 8px 6px;
  }
  .group {
    padding: 6px 8px 2px;
    color: var(--ac-muted);
    font-size: 11px;
  }
  .set {
    display: flex;
    flex: none;
    align-items: center;
  }
  .set .item {
    flex: 1;
    min-width: 0;
  }
  .set .icon-button:focus-visible {
    outline-offset: -2px;
  }
  .mark {
    flex: none;
    width: 16px;
    color: var(--ac-accent);
  }
  kbd {
    flex: none;
    color: var(--ac-muted);
    font: 11px var(--ac-mono);
  }
  hr {
    width: 100%;
    margin: 4px 0;
    border: 0;
    border-top: 1px solid var(--ac-line);
  }
  @media (forced-colors: active) {
    .popover {
      border-color: CanvasText;
    }
    .item:focus-visible {
      outline-color: Highlight;
    }
  }
`;
