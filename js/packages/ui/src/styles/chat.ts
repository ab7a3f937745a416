/** Styles of the conversation: scroller, messages, states. */

import { css } from 'lit';

export const chatStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    height: 100%;
  }
  .log {
    position: relative;
    flex: 1;
    min-height: 0;
  }
  .log:has(> .scroller > .message) {
    padding-top: var(--tools-room, 0px);
  }
  /* First for the keyboard, last for the eye. */
  .composer {
    order: 1;
  }
  .scroller {
    height: 100%;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 14px 14px 6px;
  }
  /* Room for what stands over the first message. */
  .scroller:has(> .message) {
    padding-top: calc(44px - var(--tools-room, 0px));
  }
  .scroller:focus-visible {
    outline-offset: -2px;
  }
  .earlier {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: center;
    gap: 4px 10px;
    margin: 0 auto 18px;
    font-size: 12px;
  }
  .rest {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    margin-top: 8px;
    font-size: 12px;
  }
  .message {
    display: block;
    margin: 0 auto 18px;
    max-width: 820px;
  }
  .message[data-far] {
    content-visibility: auto;
    contain-intrinsic-size: auto 120px;
  }
  .message.user {
    width: fit-content;
    max-width: min(88%, 720px);
    margin-right: 0;
    padding: 8px 12px;
    border-radius: 12px 12px 3px 12px;
    background: var(--ac-tint);
  }
  .message.user:has(> .edit-question) {
    position: relative;
    padding-right: 32px;
  }
  .edit-question {
    position: absolute;
    right: 4px;
    bottom: 5px;
    color: var(--ac-muted);
  }
  .edit-question:hover {
    color: var(--ac-ink);
  }
  @container (min-width: 900px) {
    .message.user {
      margin-right: max(0px, calc((100% - 820px) / 2));
    }
  }
  .message.system {
    padding: 6px 12px;
    border: 1px dashed var(--ac-line);
    border-radius: var(--ac-radius);
    color: var(--ac-muted);
  }
  .recorded {
    width: fit-content;
    margin-bottom: 6px;
    padding: 0 8px;
    border-radius: 9px;
    background: color-mix(in srgb, var(--ac-question) 14%, var(--ac-bg));
    color: var(--ac-ink);
    font-size: 11px;
    font-weight: 600;
    line-height: 19px;
  }
  .message[data-context='excluded'] > .answer {
    color: var(--ac-muted);
    filter: grayscale(1);
  }
  .message.assistant[data-context='excluded'] > .answer {
    padding-left: 10px;
    border-left: 2px dashed var(--ac-line);
  }
  .message.user[data-context='excluded'] {
    background: none;
    outline: 1px dashed var(--ac-edge);
  }
  ::highlight(ac-find) {
    background-color: color-mix(in srgb, var(--ac-warning) 32%, transparent);
  }
  ::highlight(ac-find-current) {
    background-color: var(--ac-accent);
    color: var(--ac-on-accent);
  }
  .progress,
  .mark,
  .notice {
    display: flex;
    align-items: center;
    gap: 8px;
    margin-top: 4px;
    font-size: 12px;
  }
  .notice {
    align-items: flex-start;
  }
  .pause {
    flex-wrap: wrap;
  }
  .pause > span:nth-child(2) {
    flex: 1 1 220px;
  }
  .notice svg {
    width: 14px;
    margin-top: 1px;
  }
  .progress .track {
    flex: 0 1 140px;
    height: 4px;
    border-radius: 2px;
    background: var(--ac-raised);
    overflow: hidden;
  }
  .progress .track span {
    display: block;
    height: 100%;
    background: var(--ac-accent);
    transition: width 0.3s;
  }
  .caret {
    forced-color-adjust: none;
    display: inline-block;
    width: 7px;
    height: 14px;
    margin-top: 4px;
    border-radius: 1px;
    background: var(--ac-accent);
    animation: pulse 1.1s ease-in-out infinite var(--ac-motion, running);
  }
  @keyframes pulse {
    50% {
      opacity: 0.25;
    }
  }
  .mark svg {
    width: 12px;
  }
  .reasoning {
    margin-bottom: 6px;
    font-size: 12px;
  }
  .reasoning summary {
    cursor: pointer;
  }
  .reasoning div {
    max-height: 240px;
    padding: 4px 10px;
    border-left: 2px solid var(--ac-line);
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .message .images {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    margin-top: 6px;
  }
  .message .images img {
    max-width: min(240px, 100%);
    max-height: 180px;
    border-radius: 6px;
  }
  .message.system {
    padding-block: 2px;
    color: var(--ac-muted);
    font-size: 12px;
    text-align: center;
  }
  .failure {
    display: flex;
    gap: 10px;
    padding: 10px 12px;
    border: 1px solid color-mix(in srgb, var(--ac-danger) 45%, var(--ac-bg));
    border-radius: var(--ac-radius);
    background: color-mix(in srgb, var(--ac-danger) 8%, var(--ac-bg));
  }
  .failure > svg {
    margin-top: 2px;
    color: var(--ac-danger);
  }
  .failure .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .failure p {
    margin-bottom: 8px;
    overflow-wrap: anywhere;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 8px;
    min-height: 22px;
    margin-top: 2px;
    font-size: 11px;
  }
  .foot .copy {
    margin-left: -8px;
  }
  .welcome {
    display: flex;
    flex-direction: column;
    gap: 10px;
    max-width: 420px;
    margin: 7% auto 12px;
    text-align: center;
  }
  .welcome h3 {
    font-size: 17px;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  .ideas {
    display: flex;
    flex-direction: column;
    gap: 6px;
    margin-top: 6px;
  }
  /* The recorded example has its own. */
  .scroller:has(> [data-shown]) .ideas {
    display: none;
  }
  .ideas .button {
    justify-content: center;
  }
  @container (max-width: 419px) {
    .ideas {
      display: none;
    }
  }
  .to-end {
    position: absolute;
    right: 50%;
    bottom: 8px;
    transform: translateX(50%);
    border-radius: 14px;
    box-shadow: 0 2px 8px rgb(0 0 0 / 18%);
    font-size: 12px;
  }
  .model-notice {
    display: flex;
    gap: 10px;
    margin: 0 10px;
    padding: 8px 12px;
    border-radius: var(--ac-radius);
    background: color-mix(in srgb, var(--ac-warning) 12%, var(--ac-bg));
  }
  .scroller > .model-notice {
    max-width: 820px;
    margin: 0 auto 14px;
  }
  .model-notice .button {
    margin-top: 6px;
  }
  .model-notice svg {
    margin-top: 1px;
    color: var(--ac-warning);
  }
`;
