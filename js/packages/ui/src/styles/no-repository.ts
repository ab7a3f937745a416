/** Styles of the page for a folder without a repository. */

import { css } from 'lit';

export const noRepositoryStyles = css`
  .overlay > * {
    flex: none;
  }
  .nearby,
  .overlay .words {
    flex: none;
    width: 100%;
    max-width: 440px;
  }
  .nearby:empty {
    display: none;
  }
  .folder {
    overflow-wrap: anywhere;
  }
  p {
    margin: 0;
  }
  .words p + p,
  .words p + ul,
  .words ul + p {
    margin-top: 8px;
  }
  .title {
    font-weight: 600;
    text-align: left;
  }
  ul {
    display: flex;
    flex-direction: column;
    gap: 6px;
    margin: 6px 0 10px;
    padding: 0;
    list-style: none;
  }
  .words ul {
    gap: 3px;
    margin: 4px 0 0;
  }
  .words {
    text-align: left;
  }
  .words p {
    max-width: none;
  }
  .words li {
    display: flex;
    align-items: baseline;
    gap: 6px;
  }
  li {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  li svg {
    flex: none;
  }
  .words li svg {
    align-self: flex-start;
    margin-top: 4px;
  }
  .row {
    width: 100%;
    text-align: left;
  }
  li bdi,
  .actions .button span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`;
