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
    order: 1;
    flex: 1;
    min-height: 0;
    grid-template: minmax(0, 34%) minmax(0, 1fr) minmax(0, auto) / minmax(0, 1fr);
    grid-template-areas: 'files' 'chat' 'context';
  }
  main.files-folded {
    grid-template-rows: auto minmax(0, 1fr) minmax(0, auto);
  }
  section {
    min-width: 0;
    min-height: 0;
  }
  .files {
    grid-area: files;
    border-bottom: 1px solid var(--ac-line);
  }
  .chat {
    grid-area: chat;
  }
  .context {
    grid-area: context;
    max-height: 220px;
    border-top: 1px solid var(--ac-line);
    overflow: hidden;
  }
  @container (min-width: 600px) {
    main,
    main.files-folded {
      grid-template: minmax(52%, 1fr) minmax(0, auto) / clamp(200px, 30%, 280px) minmax(0, 1fr);
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
      grid-template: minmax(0, 1fr) / 264px minmax(0, 1fr) 280px;
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
