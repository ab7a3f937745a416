/** Plain inputs, selects and switches of forms. */

import { css } from 'lit';

export const inputStyles = css`
  input:is([type='text'], [type='number'], [type='password'], [type='url']),
  select {
    width: 100%;
    min-width: 0;
    height: 28px;
    padding: 0 8px;
    border: 1px solid var(--ac-edge);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font: inherit;
  }
  input:is([type='text'], [type='number'], [type='password'], [type='url'])::placeholder {
    color: var(--ac-muted);
    opacity: 1;
  }
  input[aria-invalid='true'] {
    border-color: var(--ac-danger);
  }
  input:read-only,
  select:disabled {
    background: var(--ac-surface);
    color: var(--ac-muted);
    opacity: 1;
  }
  button.switch {
    position: relative;
    flex: none;
    width: 36px;
    height: 20px;
    border: 1px solid var(--ac-edge);
    border-radius: 10px;
    background: var(--ac-raised);
  }
  .knob {
    position: absolute;
    top: 2px;
    left: 2px;
    width: 14px;
    height: 14px;
    border-radius: 50%;
    background: var(--ac-edge);
  }
  .switch[aria-checked='true'] {
    border-color: var(--ac-accent);
    background: var(--ac-accent);
  }
  .switch[aria-checked='true'] .knob {
    left: 18px;
    background: var(--ac-on-accent);
  }
  @media (prefers-reduced-motion: no-preference) {
    .knob {
      transition: left 0.12s ease-out;
    }
  }
  @media (forced-colors: active) {
    .knob {
      background: ButtonText;
    }
  }
`;
