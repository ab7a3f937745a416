/** Styles of the view of plans and of its parts. */

import { css } from 'lit';
import { outputStyles } from '../agent/styles.ts';
import { unifiedDiffStyles } from '../elements/unified-diff.ts';
import { barStyles } from '../styles/bar.ts';
import { cardStyles } from '../styles/card.ts';
import { editStyles } from '../styles/edits.ts';
import { formStyles as boxStyles } from '../styles/forms.ts';
import { textStyles } from '../styles/texts.ts';

const ownStyles = css`
  h3,
  h4 {
    margin: 0;
  }
  h3 {
    font-size: 14px;
    overflow-wrap: anywhere;
  }
  h4 {
    font-size: 12px;
  }
  .words {
    min-width: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .facts {
    font-size: 12px;
  }
  .state {
    display: inline-flex;
    flex: none;
    gap: 4px;
    align-items: center;
    color: var(--tone);
    font-weight: 600;
  }
  .state svg {
    width: 14px;
    height: 14px;
  }
  .link {
    color: var(--ac-accent);
    text-align: start;
    text-decoration: underline;
    overflow-wrap: anywhere;
  }
  summary {
    cursor: pointer;
  }
  .none {
    padding: 12px;
  }
  .none svg {
    display: inline-block;
    vertical-align: -2px;
  }
`;

export const partStyles = [textStyles, ownStyles];

const controlStyles = css`
  textarea {
    width: 100%;
    min-width: 0;
    padding: 5px 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
    resize: vertical;
    field-sizing: content;
    min-height: 52px;
    max-height: 260px;
  }
  textarea::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  select {
    height: 26px;
    padding: 0 4px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
  }
  input[type='checkbox'] {
    flex: none;
    margin: 0;
    accent-color: var(--ac-accent);
  }
  label {
    display: inline-flex;
    gap: 5px;
    align-items: center;
    min-width: 0;
  }
`;

export const viewStyles = [
  barStyles,
  cardStyles,
  boxStyles,
  partStyles,
  css`
    h2 {
      flex: none;
      font-size: 14px;
    }
    .card {
      container-type: inline-size;
    }
    .line {
      flex: 1;
      font-size: 12px;
    }
    .problem {
      display: flex;
      flex: none;
      gap: 8px;
      align-items: flex-start;
      max-height: 40%;
      margin: 8px 12px 0;
      overflow: hidden auto;
    }
    .problem p {
      flex: 1;
      min-width: 0;
      white-space: pre-wrap;
    }
    .page {
      flex: 1;
      min-height: 0;
    }
  `,
];

export const listStyles = [
  boxStyles,
  outputStyles,
  partStyles,
  controlStyles,
  css`
    :host {
      display: flex;
      flex-direction: column;
    }
    form {
      display: grid;
      flex: none;
      gap: 6px;
      padding: 10px 12px;
      border-bottom: 1px solid var(--ac-line);
    }
    .row {
      display: flex;
      flex-wrap: wrap;
      gap: 1px 10px;
      width: 100%;
      padding: 7px 12px;
      border-bottom: 1px solid var(--ac-line);
      border-radius: 0;
      box-shadow: inset 3px 0 var(--tone);
      text-align: start;
    }
    .row:hover {
      background: var(--ac-surface);
    }
    .row:focus-visible {
      outline-offset: -2px;
    }
    .request {
      flex: 1 1 240px;
      min-width: 0;
      font-weight: 600;
      overflow-wrap: anywhere;
    }
    .row .facts {
      flex: 1 1 100%;
    }
  `,
];

export const planStyles = [
  boxStyles,
  outputStyles,
  partStyles,
  controlStyles,
  editStyles,
  unifiedDiffStyles,
  css`
    :host {
      display: block;
      overflow: hidden auto;
      overscroll-behavior: contain;
      container-type: inline-size;
    }
    .whole,
    .one {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 8px;
      align-content: start;
      padding: 10px 12px;
    }
    .one {
      border-top: 1px solid var(--ac-line);
    }
    .first {
      outline: 0;
    }
    .standing {
      display: flex;
      flex-wrap: wrap;
      gap: 0 8px;
    }
    .hint {
      font-size: 12px;
    }
    @container (min-width: 760px) {
      .plan {
        display: grid;
        grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
        height: 100%;
      }
      .whole,
      .one {
        overflow: hidden auto;
        overscroll-behavior: contain;
      }
      .one {
        border-top: 0;
        border-left: 1px solid var(--ac-line);
      }
    }
  `,
];

export const taskStyles = [
  boxStyles,
  editStyles,
  outputStyles,
  partStyles,
  controlStyles,
  unifiedDiffStyles,
  css`
    :host,
    .details,
    section,
    .retry {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 7px;
      align-content: start;
      min-width: 0;
    }
    h3 {
      display: flex;
      outline: 0;
      flex-wrap: wrap;
      gap: 2px 10px;
      align-items: center;
    }
    h3 bdi {
      font-family: var(--ac-mono);
      font-size: 13px;
    }
    .reason {
      color: var(--tone);
    }
    .retry .button {
      justify-self: start;
    }
    .conflict p bdi {
      font: 600 12px var(--ac-mono);
    }
    pre .mark {
      color: var(--ac-muted);
      font-weight: 600;
    }
    pre .ours {
      background: color-mix(in srgb, var(--ac-accent) 14%, var(--ac-bg));
    }
    pre .base {
      color: var(--ac-muted);
    }
    pre .theirs {
      background: color-mix(in srgb, var(--ac-warning) 16%, var(--ac-bg));
    }
  `,
];

export const formStyles = [
  boxStyles,
  partStyles,
  controlStyles,
  css`
    form {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 7px;
      padding: 8px 10px;
      border: 1px solid var(--ac-line);
      border-radius: var(--ac-radius);
      background: var(--ac-surface);
    }
    fieldset {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 3px;
      min-width: 0;
      max-height: 180px;
      margin: 0;
      padding: 4px 8px;
      border: 1px solid var(--ac-line);
      border-radius: var(--ac-radius);
      overflow: hidden auto;
    }
    legend {
      padding: 0 4px;
      color: var(--ac-muted);
      font-size: 12px;
    }
    .actions label {
      color: var(--ac-muted);
    }
  `,
];
