/** Styles of the API-key form. */

import { css } from 'lit';

export const apiKeysStyles = css`
  :host {
    display: block;
  }
  .keys {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .filter {
    padding: 10px 12px 6px;
  }
  .keys > .box {
    margin: 10px 12px 4px;
  }
  .note {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 8px 12px;
    font-size: 12px;
  }
  .provider {
    padding: 5px 12px;
    border-bottom: 1px solid var(--ac-line);
  }
  .provider.open {
    background: var(--ac-surface);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
    min-height: 30px;
  }
  .name {
    font-weight: 600;
  }
  .variable {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .line .actions {
    flex-wrap: nowrap;
    margin-left: auto;
  }
  @container (max-width: 479px) {
    .line {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 0 8px;
      padding: 2px 0;
    }
    .line .variable {
      grid-row: 2;
      font-size: 11px;
    }
    .line .chip {
      justify-self: end;
    }
    .line .actions {
      grid-row: 2;
      justify-self: end;
    }
    .line .button {
      min-height: 24px;
      padding: 1px 9px;
      font-size: 12px;
    }
  }
  .button[hidden] {
    display: none;
  }
  .form {
    display: flex;
    flex-direction: column;
    gap: 8px;
    padding: 6px 0 8px;
  }
  .small {
    font-size: 12px;
  }
`;
