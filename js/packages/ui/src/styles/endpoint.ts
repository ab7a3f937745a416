/** Styles of the form of a model server. */

import { css } from 'lit';
import { inputStyles } from './inputs.ts';

export const endpointStyles = [
  inputStyles,
  css`
  :host {
    display: block;
    min-height: 0;
  }
  .endpoint {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 8px 12px 4px 6px;
  }
  h3 {
    font-size: 13px;
    font-weight: 600;
  }
  .scroll {
    display: flex;
    flex-direction: column;
    gap: 10px;
    padding: 4px 12px 16px;
  }
  .line {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 2px 12px;
    align-items: center;
  }
  .scroll > .actions {
    margin-top: 2px;
  }
  @container (min-width: 480px) {
    .line {
      grid-template-columns: 110px minmax(0, 1fr);
    }
    .scroll > .actions {
      margin-left: 122px;
    }
  }
`,
];
