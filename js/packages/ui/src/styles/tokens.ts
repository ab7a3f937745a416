/** Design tokens (colours, sizes, fonts) on the panel's root; Jupyter's theme overrides them. */

import { css } from 'lit';

export const tokens = css`
  :host {
    --ac-plain-bg: #ffffff;
    --ac-plain-ink: #1b1f24;
    --ac-plain-accent: #1d63c4;
    color-scheme: light;
    --ac-on-accent: #ffffff;
    --ac-danger: #b3261e;
    --ac-warning: #8a5300;
    --ac-success: #1a6e37;
    --ac-system: #5b6b82;
    --ac-map: #1f7a99;
    --ac-legend: #6f93a3;
    --ac-files: #c26a00;
    --ac-urls: #b8336a;
    --ac-review: #4a7a00;
    --ac-notebook: #c23b22;
    --ac-tools: #4057b8;
    --ac-history: #7c4dd6;
    --ac-question: #0b837a;
    --ac-overhead: #7d8896;
    --ac-code-keyword: #7a3ec8;
    --ac-code-string: #0b5a34;
    --ac-code-number: #0a54a8;
    --ac-code-comment: #5c6670;
    --ac-code-title: #8a4b00;
    --ac-code-meta: #8f2a5b;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --ac-plain-bg: #17191e;
      --ac-plain-ink: #e7eaee;
      --ac-plain-accent: #7ab2ff;
    }
  }
  :host([data-theme='dark']) {
    color-scheme: dark;
    --ac-on-accent: #0c1522;
    --ac-danger: #ff9a91;
    --ac-warning: #f2c068;
    --ac-success: #84d79f;
    --ac-system: #9aa9bf;
    --ac-map: #63bfe0;
    --ac-legend: #5b7f8f;
    --ac-files: #f0b04a;
    --ac-urls: #f28db2;
    --ac-review: #a5cf5a;
    --ac-notebook: #f08a6a;
    --ac-tools: #8ea4ff;
    --ac-history: #b79bf5;
    --ac-question: #4bc9bd;
    --ac-overhead: #7f8a99;
    --ac-code-keyword: #c7a5ff;
    --ac-code-string: #8fd6a4;
    --ac-code-number: #8fc0ff;
    --ac-code-comment: #9aa5b1;
    --ac-code-title: #ffc37a;
    --ac-code-meta: #ff9ecb;
  }
  :host {
    --ac-bg: var(--jp-layout-color1, var(--ac-plain-bg));
    --ac-ink: var(--jp-ui-font-color1, var(--ac-plain-ink));
    --ac-accent: var(--jp-brand-color1, var(--ac-plain-accent));
    --ac-muted: color-mix(in srgb, var(--ac-ink) 72%, var(--ac-bg));
    --ac-surface: color-mix(in srgb, var(--ac-ink) 4%, var(--ac-bg));
    --ac-raised: color-mix(in srgb, var(--ac-ink) 9%, var(--ac-bg));
    --ac-line: color-mix(in srgb, var(--ac-ink) 15%, var(--ac-bg));
    --ac-edge: color-mix(in srgb, var(--ac-ink) 50%, var(--ac-bg));
    --ac-tint: color-mix(in srgb, var(--ac-accent) 12%, var(--ac-bg));
    --ac-font: var(--jp-ui-font-family, system-ui, -apple-system, 'Segoe UI', sans-serif);
    --ac-mono: var(--jp-code-font-family, ui-monospace, 'SF Mono', Menlo, Consolas, monospace);
    --ac-radius: 6px;
    font: 13px / 1.5 var(--ac-font);
    color: var(--ac-ink);
    background: var(--ac-bg);
  }
`;

/** What every element with a shadow root starts from. */
export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  ul {
    margin: 0;
    padding: 0;
  }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    border-radius: var(--ac-radius);
    padding: 0;
    cursor: pointer;
  }
  button:disabled,
  button[aria-disabled='true'] {
    cursor: default;
    opacity: 0.5;
  }
  :focus-visible {
    outline: 2px solid var(--ac-accent);
    outline-offset: 1px;
  }
  svg {
    display: block;
    flex: none;
  }
  .icon-button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    width: 26px;
    height: 26px;
    color: var(--ac-muted);
  }
  .icon-button:hover:enabled:not([aria-disabled='true']) {
    color: var(--ac-ink);
    background: var(--ac-raised);
  }
  .button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    padding: 3px 12px;
    border: 1px solid var(--ac-line);
    background: var(--ac-bg);
  }
  .button:hover:enabled:not([aria-disabled='true']) {
    background: var(--ac-raised);
  }
  .button.primary {
    border-color: transparent;
    background: var(--ac-accent);
    color: var(--ac-on-accent);
    font-weight: 600;
  }
  .button.primary:hover:enabled:not([aria-disabled='true']) {
    background: color-mix(in srgb, var(--ac-accent) 88%, var(--ac-ink));
  }
  code {
    font: 0.92em var(--ac-mono);
  }
  .muted {
    color: var(--ac-muted);
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .spin {
    animation: spin 0.9s linear infinite var(--ac-motion, running);
  }
  @keyframes spin {
    to {
      transform: rotate(360deg);
    }
  }
  /* Backgrounds are lost there: what is chosen has the system's colours for it. */
  @media (forced-colors: active) {
    :is(button, [role='option']):is([aria-pressed='true'], [aria-checked='true'], [aria-selected='true']):not(
        [role='tab'],
        [role='switch']
      ) {
      background: SelectedItem;
      forced-color-adjust: none;
      &,
      * {
        color: SelectedItemText;
      }
      mark {
        background: none;
        text-decoration: underline;
      }
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;
