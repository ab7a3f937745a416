/** Styles of Markdown and code inside a message. */

import { css, unsafeCSS } from 'lit';

/** The document brings it, where it can: a style sheet in a shadow root has no fonts. */
export const MATHS_FONT = 'jupyter-ac maths';

export const prose = css`
  .prose {
    overflow-wrap: anywhere;
    line-height: 1.55;
  }
  .prose.plain {
    white-space: pre-wrap;
  }
  .prose :where(p, ul, ol, blockquote, table, .code, h1, h2, h3, h4, h5, h6) {
    margin: 0 0 10px;
  }
  .prose :is(h1, h2, h3, h4, h5, h6) {
    margin-top: 16px;
    font-weight: 650;
    line-height: 1.3;
  }
  .prose > :first-child,
  .prose > :first-child > :first-child {
    margin-top: 0;
  }
  .prose > :nth-last-child(2 of :not(.leads)):has(+ :empty),
  .prose > :nth-last-child(1 of :not(.leads)) > :last-child {
    margin-bottom: 0;
  }
  .prose h1 {
    font-size: 1.3em;
  }
  .prose h2 {
    font-size: 1.18em;
  }
  .prose :is(h3, h4, h5, h6) {
    font-size: 1.05em;
  }
  .prose :is(ul, ol) {
    padding-left: 22px;
  }
  .prose li {
    margin-bottom: 3px;
  }
  .prose li > p {
    margin-bottom: 4px;
  }
  .place {
    border-radius: 3px;
    color: var(--ac-accent);
    cursor: pointer;
    text-decoration: none;
  }
  .place:hover {
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .prose a[href] {
    color: var(--ac-accent);
    text-underline-offset: 2px;
  }
  .prose a .target {
    direction: ltr;
    unicode-bidi: isolate;
    color: var(--ac-muted);
  }
  .prose blockquote {
    padding-left: 12px;
    border-left: 3px solid var(--ac-line);
    color: var(--ac-muted);
  }
  .prose .address {
    color: var(--ac-muted);
    font-size: 0.92em;
  }
  .prose img {
    display: block;
    margin: 4px 0;
    max-width: 100%;
    max-height: 480px;
    border-radius: var(--ac-radius);
  }
  .prose .image.missing {
    color: var(--ac-muted);
    text-decoration: underline dotted;
  }
  /* At the lower edge of what is visible of the text; takes no room. */
  .leads {
    position: sticky;
    bottom: 0;
    z-index: 1;
    height: 0;
    pointer-events: none;
  }
  .leads span {
    position: absolute;
    bottom: 2px;
    left: 0;
    max-width: 100%;
    padding: 1px 8px;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    background: var(--ac-bg);
    color: var(--ac-ink);
    font-size: 11px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .prose details {
    margin: 0 0 10px;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    padding: 4px 12px;
  }
  .prose details > :last-child {
    margin-bottom: 4px;
  }
  .prose summary {
    cursor: pointer;
    font-weight: 600;
  }
  .prose details[open] > summary {
    margin-bottom: 6px;
  }
  .prose .footnote-ref {
    font-size: 0.8em;
    line-height: 0;
  }
  .prose .footnote-ref button {
    padding: 0 2px;
    color: var(--ac-accent);
    line-height: 1.2;
  }
  .prose .footnote {
    display: grid;
    grid-template-columns: minmax(22px, max-content) minmax(0, 1fr);
    gap: 0 6px;
    color: var(--ac-muted);
    font-size: 0.92em;
  }
  .prose .footnote > div > :is(p, ul, ol) {
    margin-bottom: 4px;
  }
  .prose .footnote > div > p:nth-last-child(2):has(+ button) {
    display: inline;
  }
  .prose :not(.footnote) + .footnote,
  .prose > * > .footnote:first-child {
    margin-top: 12px;
    padding-top: 6px;
    border-top: 1px solid var(--ac-line);
  }
  .footnote-back {
    padding: 0 4px;
    color: var(--ac-accent);
  }
  .prose .task {
    list-style: none;
  }
  .prose .task input {
    width: 13px;
    height: 13px;
    margin: 0 3px 0 -19px;
    vertical-align: -2px;
    accent-color: var(--ac-accent);
  }
  /* As a flex box it has the base line of what it holds, and a formula that is too wide scrolls in it. */
  .prose .math:has(math) {
    display: inline-flex;
    max-width: 100%;
    overflow: auto hidden;
    overflow-wrap: normal;
    vertical-align: baseline;
  }
  .prose .math.display:has(math) {
    display: flex;
    max-height: 60vh;
    padding: 4px 0;
    overflow: auto;
  }
  .prose .math.display math {
    margin: auto;
  }
  .prose math {
    flex: none;
    font-family: '${unsafeCSS(MATHS_FONT)}', math;
    font-size: 1.1em;
  }
  .prose math .overline {
    border-top: 0.06em solid;
    padding-top: 0.12em;
  }
  .prose math .underline {
    border-bottom: 0.06em solid;
    padding-bottom: 0.12em;
  }
  .prose menclose {
    padding: 0.2em 0.3em;
  }
  .prose menclose.box {
    border: 0.06em solid;
  }
  .prose menclose.top {
    border-top: 0.06em solid;
  }
  .prose menclose.right {
    border-right: 0.06em solid;
  }
  .prose menclose.bottom {
    border-bottom: 0.06em solid;
  }
  .prose menclose.left {
    border-left: 0.06em solid;
  }
  .prose menclose:is(.updiagonalstrike, .downdiagonalstrike, .horizontalstrike) {
    --ac-up: linear-gradient(transparent 0 0);
    --ac-down: var(--ac-up);
    padding: 0;
    background: var(--ac-up), var(--ac-down);
  }
  .prose menclose.updiagonalstrike {
    --ac-up: linear-gradient(to right bottom, transparent 47%, currentcolor 48% 52%, transparent 53%);
  }
  .prose menclose.downdiagonalstrike {
    --ac-down: linear-gradient(to left bottom, transparent 47%, currentcolor 48% 52%, transparent 53%);
  }
  .prose menclose.horizontalstrike {
    --ac-up: linear-gradient(transparent 47%, currentcolor 48% 54%, transparent 55%);
  }
  .prose mtd {
    padding: 0.3em 0.5em;
  }
  .prose mtd:first-child {
    padding-left: 0.15em;
  }
  .prose mtd:last-child {
    padding-right: 0.15em;
  }
  .prose mtd.joined-left {
    padding-left: 0;
  }
  .prose mtd.joined-right {
    padding-right: 0;
  }
  /* What a cell holds is a block: only the browsers' own words move it. */
  .prose mtd.to-left {
    text-align: -webkit-left;
  }
  .prose mtd.to-right {
    text-align: -webkit-right;
  }
  .prose mtd.solid-right {
    border-right: 0.06em solid;
  }
  .prose mtd.dashed-right {
    border-right: 0.06em dashed;
  }
  .prose mtd.solid-below {
    border-bottom: 0.06em solid;
  }
  .prose mtd.dashed-below {
    border-bottom: 0.06em dashed;
  }
  .prose hr {
    margin: 14px 0;
    border: 0;
    border-top: 1px solid var(--ac-line);
  }
  .prose table {
    display: block;
    width: max-content;
    max-width: 100%;
    max-height: max(320px, 70vh);
    overflow: auto;
    border: solid var(--ac-line);
    border-width: 1px 0 0 1px;
    border-collapse: separate;
    border-spacing: 0;
    font-size: 0.95em;
  }
  .prose :is(th, td) {
    padding: 4px 10px;
    border: solid var(--ac-line);
    border-width: 0 1px 1px 0;
    text-align: left;
    vertical-align: top;
  }
  /* A column may be narrow, but a word is a word: the table scrolls. */
  .prose :is(th, td) {
    overflow-wrap: normal;
  }
  .prose th {
    position: sticky;
    top: 0;
    background: var(--ac-surface);
    font-weight: 600;
  }
  .prose .right {
    text-align: right;
  }
  .prose .center {
    text-align: center;
  }
  .prose :not(pre) > code {
    padding: 1px 5px;
    border-radius: 4px;
    background: var(--ac-raised);
    font: 0.92em var(--ac-mono);
  }
  .code {
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    background: var(--ac-surface);
    overflow: hidden;
  }
  .code-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-height: 26px;
    padding: 0 4px 0 12px;
    color: var(--ac-muted);
    font-size: 11px;
  }
  .copy {
    padding: 1px 8px;
    color: var(--ac-muted);
    font-size: 11px;
  }
  .copy:hover {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  .code pre {
    margin: 0;
    padding: 2px 12px 10px;
    overflow-x: auto;
    font: 12px / 1.5 var(--ac-mono);
    tab-size: 4;
    overflow-wrap: normal;
  }
  .diagram {
    display: block;
    width: 100%;
    padding: 4px 12px 10px;
    overflow-x: auto;
    text-align: center;
  }
  .diagram img {
    max-width: 100%;
    height: auto;
  }
  .code code {
    font: inherit;
  }
  .hljs-keyword,
  .hljs-literal,
  .hljs-selector-tag,
  .hljs-doctag,
  .hljs-built_in,
  .hljs-type {
    color: var(--ac-code-keyword);
  }
  .hljs-string,
  .hljs-regexp,
  .hljs-addition,
  .hljs-quote,
  .hljs-code {
    color: var(--ac-code-string);
  }
  .hljs-number,
  .hljs-symbol,
  .hljs-attr,
  .hljs-attribute,
  .hljs-bullet,
  .hljs-link {
    color: var(--ac-code-number);
  }
  .hljs-comment {
    color: var(--ac-code-comment);
    font-style: italic;
  }
  .hljs-title,
  .hljs-section,
  .hljs-name,
  .hljs-selector-class,
  .hljs-selector-id {
    color: var(--ac-code-title);
  }
  .hljs-meta,
  .hljs-deletion,
  .hljs-template-variable,
  .hljs-variable.language_,
  .hljs-selector-pseudo {
    color: var(--ac-code-meta);
  }
  .hljs-emphasis {
    font-style: italic;
  }
  .hljs-strong,
  .hljs-section {
    font-weight: 600;
  }
`;
