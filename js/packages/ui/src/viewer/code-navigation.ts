/** Code navigation in CodeMirror: hover, go to definition, find references. */

import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  closeHoverTooltips,
  EditorView,
  hasHoverTooltips,
  hoverTooltip,
  keymap,
  showTooltip,
  type Tooltip,
} from '@codemirror/view';

/** Lines and columns from 1. */
export interface CodeNavigation {
  /** Rendered hover text; null for none. */
  hover(line: number, col: number): Promise<Node | null>;
  goToDefinition(line: number, col: number): void;
  findReferences(line: number, col: number): void;
}

const HOVER_MS = 350;
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

const setKeyboardTooltip = StateEffect.define<Tooltip | null>();
/** Tooltip opened by the keyboard; closes when the cursor moves. */
const keyboardTooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, { effects, selection, docChanged }) {
    for (const effect of effects) if (effect.is(setKeyboardTooltip)) return effect.value;
    return selection || docChanged ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

export function codeNavigation(to: CodeNavigation): Extension {
  const at = (view: EditorView, ask: (line: number, col: number) => void): true => {
    const { line, col } = lineAndColumn(view.state, view.state.selection.main.head);
    ask(line, col);
    return true;
  };
  return [
    keyboardTooltip,
    hoverTooltip((view, pos) => tooltipAt(view, pos, to), { hoverTime: HOVER_MS, hideOnChange: true }),
    Prec.high(
      keymap.of([
        { key: 'F12', preventDefault: true, run: (view) => at(view, to.goToDefinition) },
        { key: 'Shift-F12', preventDefault: true, run: (view) => at(view, to.findReferences) },
        { key: 'Mod-i', preventDefault: true, run: (view) => showTooltipAtCursor(view, to) },
        { key: 'Escape', run: closeTooltips },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.button !== 0 || !(IS_MAC ? event.metaKey : event.ctrlKey)) return false;
        const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (pos === null) return false;
        event.preventDefault();
        view.dispatch({ selection: { anchor: pos } });
        return at(view, to.goToDefinition);
      },
    }),
  ];
}

export function lineAndColumn(state: EditorState, pos: number): { line: number; col: number } {
  const { number, from } = state.doc.lineAt(pos);
  return { line: number, col: pos - from + 1 };
}

async function tooltipAt(view: EditorView, pos: number, to: CodeNavigation): Promise<Tooltip | null> {
  const word = view.state.wordAt(pos);
  if (!word) return null;
  const { line, col } = lineAndColumn(view.state, pos);
  const content = await to.hover(line, col);
  if (!content) return null;
  return { pos: word.from, end: word.to, above: true, create: () => ({ dom: box(content) }) };
}

/** Shows the hover tooltip for the symbol at the cursor. */
function showTooltipAtCursor(view: EditorView, to: CodeNavigation): true {
  const { head } = view.state.selection.main;
  void tooltipAt(view, head, to).then((tooltip) => {
    if (tooltip && view.state.selection.main.head === head)
      view.dispatch({ effects: setKeyboardTooltip.of(tooltip) });
  });
  return true;
}

function closeTooltips(view: EditorView): boolean {
  const isOpen = hasHoverTooltips(view.state) || view.state.field(keyboardTooltip) !== null;
  if (isOpen) view.dispatch({ effects: [closeHoverTooltips, setKeyboardTooltip.of(null)] });
  return isOpen;
}

function box(content: Node): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'hover prose';
  dom.dataset.ac = 'hover';
  dom.setAttribute('role', 'status');
  dom.append(content);
  return dom;
}
