/** CodeMirror theme: the panel's colours, which follow Jupyter's theme, light or dark. */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const mix = (colour: string, percent: number) => `color-mix(in srgb, ${colour} ${percent}%, transparent)`;
const border = '1px solid var(--ac-line)';

const editorTheme = EditorView.theme({
  '&.cm-editor': {
    height: '100%',
    color: 'var(--ac-ink)',
    backgroundColor: 'var(--ac-bg)',
    fontSize: '12.5px',
  },
  '&.cm-focused': { outline: '0' },
  '.cm-scroller': { fontFamily: 'var(--ac-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ac-ink)' },
  '.cm-content:focus-visible': { outline: '0' },
  '.cm-gutters': { color: 'var(--ac-muted)', backgroundColor: 'var(--ac-surface)', borderRight: border },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: mix('var(--ac-ink)', 5) },
  '.cm-line.cm-place': { backgroundColor: 'var(--ac-tint)', boxShadow: 'inset 3px 0 var(--ac-accent)' },
  '.cm-selectionMatch': { backgroundColor: mix('var(--ac-accent)', 18) },
  '.cm-searchMatch': { backgroundColor: mix('var(--ac-warning)', 30) },
  '.cm-searchMatch-selected': { backgroundColor: mix('var(--ac-warning)', 60) },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: mix('var(--ac-accent)', 25) },
  '.cm-specialChar': { color: 'var(--ac-danger)' },
  '.cm-panels': { color: 'var(--ac-ink)', backgroundColor: 'var(--ac-surface)' },
  '.cm-panels-top': { borderBottom: border },
  '.cm-textfield': {
    color: 'var(--ac-ink)',
    backgroundColor: 'var(--ac-bg)',
    border: '1px solid var(--ac-edge)',
    borderRadius: '4px',
  },
  '.cm-button': { color: 'var(--ac-ink)', background: 'var(--ac-raised)', border, borderRadius: '4px' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ac-muted)', width: '24px' },
  '.cm-tooltip': {
    zIndex: '5',
    maxWidth: 'min(560px, 92%)',
    color: 'var(--ac-ink)',
    backgroundColor: 'var(--ac-bg)',
    border: '1px solid var(--ac-edge)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px rgb(0 0 0 / 22%)',
  },
  '.cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: mix('var(--ac-success)', 12) },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine': {
    backgroundColor: mix('var(--ac-danger)', 12),
  },
  '.cm-changedText, &.cm-merge-b .cm-changedText': {
    background: mix('var(--ac-success)', 30),
    borderRadius: '2px',
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, &.cm-merge-b .cm-deletedText': {
    background: mix('var(--ac-danger)', 28),
    borderRadius: '2px',
  },
  '.cm-changedLineGutter': { background: 'var(--ac-success)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--ac-danger)' },
  '.cm-collapsedLines': {
    color: 'var(--ac-muted)',
    background: 'var(--ac-surface)',
    borderBlock: border,
  },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯"' },
});

const highlightStyle = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--ac-code-keyword)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--ac-code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--ac-code-number)' },
  { tag: tags.comment, color: 'var(--ac-code-comment)', fontStyle: 'italic' },
  {
    tag: [
      tags.function(tags.definition(tags.variableName)),
      tags.definition(tags.className),
      tags.className,
      tags.typeName,
      tags.heading,
    ],
    color: 'var(--ac-code-title)',
  },
  { tag: [tags.meta, tags.annotation, tags.attributeName, tags.tagName], color: 'var(--ac-code-meta)' },
  { tag: tags.heading, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: [tags.link, tags.url], textDecoration: 'underline' },
]);

export const theme: Extension = [editorTheme, syntaxHighlighting(highlightStyle)];
