/** Styles of the start overlay, banners and progress. */

import { css } from 'lit';

export const noticeStyles = css`
  .overlay {
    position: absolute;
    inset: 0;
    z-index: 2;
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: safe center;
    gap: 12px;
    padding: 20px;
    overflow: hidden auto;
    background: var(--ac-bg);
    text-align: center;
  }
  .overlay p {
    max-width: 440px;
    overflow-wrap: anywhere;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: 16px;
    font-weight: 650;
  }
  .brand svg {
    color: var(--ac-accent);
  }
  .track {
    display: block;
    width: 180px;
    height: 4px;
    border-radius: 2px;
    background: var(--ac-raised);
    overflow: hidden;
  }
  .track span {
    display: block;
    height: 100%;
    border-radius: 2px;
    background: var(--ac-accent);
    transition: width 0.3s;
  }
  .track.unknown span {
    width: 35% !important;
    animation: slide 1.2s ease-in-out infinite alternate var(--ac-motion, running);
  }
  @keyframes slide {
    to {
      transform: translateX(186%);
    }
  }
  .line {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 3px 12px;
    border-bottom: 1px solid var(--ac-line);
    font-size: 12px;
  }
  .line .track {
    flex: 0 1 180px;
    margin-left: auto;
  }
  .door {
    gap: 6px;
    padding: 1px 6px 1px 12px;
  }
  .door span {
    flex: 1;
    padding: 2px 0;
    overflow-wrap: anywhere;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 6px 10px 6px 12px;
    border-bottom: 1px solid var(--ac-line);
    background: color-mix(in srgb, var(--ac-warning) 13%, var(--ac-bg));
    font-size: 12.5px;
  }
  .bar > svg {
    color: var(--ac-warning);
  }
  .bar p {
    flex: 1;
    overflow-wrap: anywhere;
  }
  .plain {
    flex-wrap: wrap;
  }
  .plain p {
    flex-basis: 190px;
  }
  .trust {
    align-items: flex-start;
  }
  .trust > svg {
    flex: none;
    margin-top: 2px;
  }
  .words {
    flex: 1;
    min-width: 0;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    padding: 6px 0 2px;
  }
  .note {
    background: var(--ac-tint);
  }
  .note > svg {
    color: var(--ac-accent);
  }
`;
