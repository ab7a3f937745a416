/** The panel's layout: stacked when narrow, two columns, then three. */

import { css } from 'lit';

export const appStyles = css`
  :host {
    display: block;
    height: 100%;
    min-width: 0;
    /* Unlike a hidden overflow, this one is never scrolled to by what gets the focus. */
    overflow: clip;
    outline: 0;
  }
  /* What moves all the time would have each key wait for its next frame. */
  :host([data-typing]) {
    --ac-motion: paused;
  }
  .frame {
    outline: 0;
    position: relative;
    display: flex;
    flex-direction: column;
    height: 100%;
    container-type: inline-size;
  }
  .loading {
    position: absolute;
    inset: 0;
    display: grid;
    grid-auto-flow: column;
    gap: 8px;
    place-content: center;
    margin: 0;
  }
  main {
    display: grid;
    order: 2;
    flex: 1;
    min-height: 0;
    grid-template: minmax(0, var(--files-height, 26%)) minmax(0, 1fr) minmax(0, auto) / minmax(0, 1fr);
    grid-template-areas: 'files' 'chat' 'context';
  }
  main.files-folded {
    grid-template-rows: auto minmax(0, 1fr) minmax(0, auto);
  }
  section {
    min-width: 0;
    min-height: 0;
  }
  .only-chat > section:not(.chat),
  .only-files > section:not(.files),
  .only-context > section:not(.context) {
    display: none;
  }
  main:not(.only-all) {
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    grid-template-areas: none;
  }
  main:not(.only-all) > section {
    grid-area: 1 / 1;
    max-height: none;
    border: 0;
  }
  main:not(.only-all) .splitter {
    display: none;
  }
  .sections {
    display: flex;
    order: 1;
    flex: none;
    gap: 2px;
    padding: 2px 6px;
    border-bottom: 1px solid var(--ac-line);
  }
  .sections button {
    flex: 1;
    min-height: 24px;
    padding: 0 4px;
    color: var(--ac-muted);
    font-size: 12px;
  }
  .sections button[aria-pressed='true'] {
    background: var(--ac-raised);
    color: var(--ac-ink);
    font-weight: 600;
  }
  .splitter {
    z-index: 1;
    background-clip: content-box;
    touch-action: none;
  }
  .splitter.of-files {
    grid-area: files;
  }
  .splitter.of-context {
    grid-area: context;
  }
  .splitter.top,
  .splitter.bottom {
    height: 7px;
    padding: 2px 0;
    cursor: row-resize;
  }
  .splitter.left,
  .splitter.right {
    width: 7px;
    padding: 0 2px;
    cursor: col-resize;
  }
  /* At the edge towards the section's neighbour, half over each. */
  .splitter.top {
    align-self: end;
    margin-bottom: -4px;
  }
  .splitter.bottom {
    align-self: start;
    margin-top: -4px;
  }
  .splitter.left {
    justify-self: end;
    margin-right: -4px;
  }
  .splitter.right {
    justify-self: start;
    margin-left: -4px;
  }
  .splitter:hover,
  .splitter:focus-visible,
  .splitter:active {
    background-color: var(--ac-accent);
    outline: 0;
  }
  .files {
    grid-area: files;
    border-bottom: 1px solid var(--ac-line);
  }
  .chat {
    grid-area: chat;
    /* Above the messages, for the conversation's tools; where there is less room they stand over them. */
    --tools-room: 34px;
  }
  @container (max-width: 599px) {
    .only-all > .chat {
      --tools-room: 0px;
    }
    .only-context > .context {
      --notices-height: none;
    }
  }
  .context {
    grid-area: context;
    max-height: var(--context-height, 220px);
    border-top: 1px solid var(--ac-line);
  }
  @container (min-width: 600px) {
    main,
    main.files-folded {
      /* The context takes what it needs, up to its share. */
      grid-template: minmax(calc(100% - var(--context-share, 48%)), 1fr) minmax(0, auto) /
        var(--left-width, clamp(200px, 30%, 280px)) minmax(0, 1fr);
      grid-template-areas: 'files chat' 'context chat';
    }
    .files {
      border-bottom: 0;
      border-right: 1px solid var(--ac-line);
    }
    .context {
      max-height: none;
      border-right: 1px solid var(--ac-line);
    }
  }
  @container (min-width: 1040px) {
    main,
    main.files-folded {
      grid-template: minmax(0, 1fr) / var(--left-width, 264px) minmax(0, 1fr) var(--right-width, 280px);
      grid-template-areas: 'files chat context';
    }
    .context {
      max-height: none;
      border-top: 0;
      border-right: 0;
      border-left: 1px solid var(--ac-line);
    }
  }
`;
