/** Styles of the tabs of conversations. */

import { css } from 'lit';

export const conversationTabsStyles = css`
  :host {
    display: block;
    flex: none;
    min-width: 0;
    border-bottom: 1px solid var(--ac-line);
  }
  nav {
    display: flex;
    align-items: center;
    padding: 0 4px 0 2px;
  }
  :host([hidden]) {
    display: none;
  }
  .tabs {
    overflow-x: auto;
    scrollbar-width: none;
  }
  .tabs button {
    display: flex;
    flex: 0 1 auto;
    max-width: 230px;
    align-items: center;
    gap: 5px;
    min-width: 76px;
    height: 30px;
    padding: 0 4px 0 10px;
    font-size: 12px;
  }
  .tabs [aria-selected='true'] {
    min-width: 120px;
  }
  .icon-button {
    flex: none;
  }
  .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-align: left;
    text-overflow: ellipsis;
  }
  .tabs svg {
    width: 12px;
    height: 12px;
  }
  [data-mark='running'] > svg {
    color: var(--ac-accent);
  }
  [data-mark='asking'] {
    --ac-muted: var(--ac-warning);
    color: var(--ac-warning);
  }
  [data-mark='unread'] {
    color: var(--ac-ink);
  }
  .dot {
    flex: none;
    width: 7px;
    height: 7px;
    border-radius: 50%;
    background: var(--ac-accent);
    forced-color-adjust: none;
  }
  .close {
    display: grid;
    flex: none;
    place-content: center;
    width: 20px;
    height: 20px;
    border-radius: 4px;
    color: var(--ac-muted);
  }
  .close:hover {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  /* Over the end of the name, which has all the room until then. */
  @media (hover: hover) {
    .tabs [aria-selected='false'] {
      padding-right: 10px;
    }
    [aria-selected='false'] .close {
      position: absolute;
      right: 4px;
      background: var(--ac-bg);
    }
    [aria-selected='false']:not(:hover) .close {
      opacity: 0;
    }
    [aria-selected='false'] .close:hover {
      background: var(--ac-raised);
    }
  }
  .news {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
