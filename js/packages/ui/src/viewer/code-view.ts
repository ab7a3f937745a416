/** Read-only CodeMirror view: one text, or a diff of two, side by side or unified. */

import { bracketMatching } from '@codemirror/language';
import {
  goToNextChunk,
  goToPreviousChunk,
  MergeView,
  uncollapseUnchanged,
  unifiedMergeView,
} from '@codemirror/merge';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type Rect,
  tooltips,
} from '@codemirror/view';
import { t } from '@jupyter-ac/messages';
import { escapeInvisible, type FileLocation } from '../model/file-location.ts';
import type { ReviewComment } from '../model/review-comments.ts';
import { type CodeNavigation, codeNavigation } from './code-navigation.ts';
import { commentMarks, openComments, setComments } from './comment-marks.ts';
import { languageOf } from './languages.ts';
import { theme } from './theme.ts';

export interface CodeViewState {
  readonly path: string;
  readonly text: string;
  /** Language of a notebook's code; '' for other files. */
  readonly language: string;
  /** Original text for a diff; null for no diff. */
  readonly original: string | null;
  /** Side-by-side diff instead of a unified one. */
  readonly isWide: boolean;
  /** Whether definitions and references work in `text`. */
  readonly isNavigable: boolean;
  /** Names of the original and of `text`, for screen readers. */
  readonly labels: readonly [string, string];
}

const DIFF = {
  highlightChanges: true,
  gutter: true,
  collapseUnchanged: { margin: 3, minSize: 6 },
  // After the timeout, the diff becomes coarser.
  diffConfig: { scanLimit: 500, timeout: 400 },
} as const;

const setMarkedLine = StateEffect.define<number>();
/** Decoration of the requested line. */
const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes }) {
    for (const effect of effects)
      if (effect.is(setMarkedLine))
        return Decoration.set(Decoration.line({ class: 'cm-place' }).range(effect.value));
    return marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class CodeView {
  #shown: CodeViewState | null = null;
  #merge: MergeView | null = null;
  #view: EditorView | null = null;

  /** @param parent - an element in the shadow root `root` whose content only this class changes */
  constructor(
    private readonly parent: HTMLElement,
    private readonly root: ShadowRoot,
    private readonly names: CodeNavigation,
  ) {}

  /** @returns whether the view was created again */
  show(shown: CodeViewState): boolean {
    const old = this.#shown;
    if (
      old &&
      (Object.keys(shown) as (keyof CodeViewState)[]).every(
        (name) => String(old[name]) === String(shown[name]),
      )
    )
      return false;
    const scrolled = old?.path === shown.path ? this.#scroller?.scrollTop : undefined;
    this.clear();
    this.#shown = shown;
    if (shown.original !== null && shown.isWide) this.#showSideBySide(shown, shown.original);
    else this.#showSingle(shown);
    if (scrolled !== undefined && this.#scroller) this.#scroller.scrollTop = scrolled;
    return true;
  }

  /** Marks a line, scrolls to it, and puts the cursor at the column. */
  reveal({ line, col }: FileLocation): void {
    const view = this.#view;
    if (!view || !line) return;
    const found = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    this.#expand(view, found.from);
    const anchor = Math.min(found.from + Math.max(0, col - 1), found.to);
    view.dispatch({
      selection: EditorSelection.cursor(anchor),
      effects: [setMarkedLine.of(found.from), EditorView.scrollIntoView(anchor, { y: 'center' })],
    });
  }

  /** Marks the lines with comments. */
  setComments(comments: readonly ReviewComment[]): void {
    this.#view?.dispatch({ effects: setComments.of(comments) });
  }

  /** Goes to a line and shows the comments on it. */
  openComments(line: number): void {
    this.reveal({ path: '', line, col: 0 });
    if (this.#view) openComments(this.#view, Math.min(line, this.#view.state.doc.lines));
  }

  /** Goes to the next (1) or previous (-1) change of the diff. */
  moveToChange(direction: 1 | -1): void {
    if (!this.#view) return;
    (direction > 0 ? goToNextChunk : goToPreviousChunk)(this.#view);
    this.#view.focus();
  }

  /** The cursor; null without a text. */
  get cursor(): { view: EditorView; head: number } | null {
    const view = this.#view;
    return view && { view, head: view.state.selection.main.head };
  }

  /** @returns whether there is a text to focus */
  focus(): boolean {
    this.#view?.focus();
    return this.#view !== null;
  }

  clear(): void {
    this.#merge?.destroy();
    this.#view?.destroy();
    this.#merge = null;
    this.#view = null;
    this.#shown = null;
  }

  /** Shows the unchanged lines around a position again, if they are collapsed. */
  #expand(view: EditorView, at: number): void {
    for (const set of view.state.facet(EditorView.decorations)) {
      if (typeof set === 'function') continue;
      set.between(at, at, (from, to, { spec }) => {
        if (spec.block && to > from) view.dispatch({ effects: uncollapseUnchanged.of(from) });
      });
    }
  }

  get #scroller(): HTMLElement | undefined {
    return this.#merge ? this.#merge.dom : this.#view?.scrollDOM;
  }

  /** Visible part of the code: tooltips must stay inside it. */
  #visibleRect(): Rect {
    const { top, left, bottom, right } = this.parent.getBoundingClientRect();
    const { innerWidth, innerHeight } = window;
    return {
      top: Math.max(top, 0),
      left: Math.max(left, 0),
      bottom: Math.min(bottom, innerHeight),
      right: Math.min(right, innerWidth),
    };
  }

  #showSingle(shown: CodeViewState): void {
    const { original } = shown;
    const more = original === null ? [] : unifiedMergeView({ ...DIFF, original, mergeControls: false });
    this.#view = new EditorView({
      doc: shown.text,
      extensions: [this.#extensions(shown, shown.labels[1]), more],
      parent: this.parent,
      root: this.root,
    });
  }

  #showSideBySide(shown: CodeViewState, original: string): void {
    const left = this.#extensions({ ...shown, isNavigable: false }, shown.labels[0]);
    this.#merge = new MergeView({
      ...DIFF,
      a: { doc: original, extensions: left },
      b: { doc: shown.text, extensions: this.#extensions(shown, shown.labels[1]) },
      parent: this.parent,
      root: this.root,
    });
    this.#view = this.#merge.b;
  }

  #extensions({ path, language, isNavigable }: CodeViewState, label: string): Extension {
    return [
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({
        'aria-label': path ? `${label}, ${escapeInvisible(path)}` : t('The map'),
        tabindex: '0',
        // No on-screen keyboard: the text is read-only.
        inputmode: 'none',
        spellcheck: 'false',
      }),
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      bracketMatching(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([...searchKeymap, ...MOVE_KEYS]),
      tooltips({ parent: this.parent, position: 'absolute', tooltipSpace: () => this.#visibleRect() }),
      markedLine,
      commentMarks,
      languageOf(path, language),
      theme,
      isNavigable ? codeNavigation(this.names) : [],
    ];
  }
}

/** Keys that the browser can't handle, since only the visible lines are in the DOM. */
const MOVE_KEYS = [
  {
    key: 'Mod-Home',
    run: (view: EditorView) => moveTo(view, 0),
    shift: (view: EditorView) => moveTo(view, 0, true),
  },
  {
    key: 'Mod-End',
    run: (view: EditorView) => moveTo(view, view.state.doc.length),
    shift: (view: EditorView) => moveTo(view, view.state.doc.length, true),
  },
  { key: 'PageDown', run: (view: EditorView) => movePage(view, true) },
  { key: 'PageUp', run: (view: EditorView) => movePage(view, false) },
  {
    key: 'Mod-a',
    run: (view: EditorView) => {
      view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
      return true;
    },
  },
];

function moveTo(view: EditorView, head: number, isSelecting = false): true {
  const anchor = isSelecting ? view.state.selection.main.anchor : head;
  view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
  return true;
}

function movePage(view: EditorView, isDown: boolean): true {
  const height = view.scrollDOM.clientHeight;
  const range = view.moveVertically(view.state.selection.main, isDown, height);
  return moveTo(view, range.head);
}
