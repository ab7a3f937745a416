/** Marks of a review's comments in the gutter, and their texts below the lines. */

import { type EditorState, type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  WidgetType,
} from '@codemirror/view';
import type { ReviewComment } from '../model/review-comments.ts';

export const setComments = StateEffect.define<readonly ReviewComment[]>();
/** Shows or hides the texts of the comments on a line. */
const toggle = StateEffect.define<number>();

interface Marks {
  readonly comments: readonly ReviewComment[];
  /** Lines whose comments are shown. */
  readonly open: ReadonlySet<number>;
}

class CommentMarker extends GutterMarker {
  constructor(private readonly texts: string) {
    super();
  }

  override eq(other: CommentMarker): boolean {
    return other.texts === this.texts;
  }

  override toDOM(): Node {
    const mark = document.createElement('span');
    mark.className = 'comment-mark';
    mark.dataset.ac = 'review-mark';
    mark.title = this.texts;
    mark.textContent = '●';
    return mark;
  }
}

class CommentText extends WidgetType {
  constructor(private readonly texts: readonly string[]) {
    super();
  }

  override eq(other: CommentText): boolean {
    return other.texts.join('\n') === this.texts.join('\n');
  }

  /** The texts come from the model: they become text nodes only. */
  override toDOM(): HTMLElement {
    const box = document.createElement('div');
    box.className = 'comment-text';
    box.dataset.ac = 'review-comment';
    box.setAttribute('role', 'note');
    for (const text of this.texts) box.appendChild(document.createElement('p')).textContent = text;
    return box;
  }
}

const marks = StateField.define<Marks>({
  create: () => ({ comments: [], open: new Set() }),
  update(value, { effects }) {
    let { comments, open } = value;
    for (const effect of effects) {
      if (effect.is(setComments)) comments = effect.value;
      if (effect.is(toggle)) open = toggled(open, effect.value);
    }
    return comments === value.comments && open === value.open ? value : { comments, open };
  },
  provide: (field) =>
    EditorView.decorations.compute([field], (state) => decorations(state, state.field(field))),
});

/** Comments in the gutter and below their lines; they are set by `setComments`. */
export const commentMarks: Extension = [
  marks,
  gutter({
    class: 'cm-comments',
    markers: ({ state }) => markers(state),
    domEventHandlers: {
      mousedown(view, { from }) {
        view.dispatch({ effects: toggle.of(view.state.doc.lineAt(from).number) });
        return true;
      },
    },
  }),
];

/** Opens the comments on a line. */
export function openComments(view: EditorView, line: number): void {
  if (!view.state.field(marks).open.has(line)) view.dispatch({ effects: toggle.of(line) });
}

function toggled(lines: ReadonlySet<number>, line: number): ReadonlySet<number> {
  return lines.has(line) ? new Set([...lines].filter((other) => other !== line)) : new Set([...lines, line]);
}

/** The texts by line; a line after the end of the text counts as the last one. */
function textsByLine({ doc }: EditorState, comments: readonly ReviewComment[]): Map<number, string[]> {
  const texts = new Map<number, string[]>();
  for (const { line, text } of comments) {
    const at = Math.min(line, doc.lines);
    texts.set(at, [...(texts.get(at) ?? []), text]);
  }
  return texts;
}

function markers(state: EditorState): RangeSet<GutterMarker> {
  const texts = textsByLine(state, state.field(marks).comments);
  const ranges = [...texts].map(([line, said]) =>
    new CommentMarker(said.join('\n\n')).range(state.doc.line(line).from),
  );
  return RangeSet.of(ranges, true);
}

function decorations(state: EditorState, { comments, open }: Marks): DecorationSet {
  const { doc } = state;
  const lines = new Set(comments.flatMap(({ line, end }) => linesBetween(line, end, doc.lines)));
  const coloured = [...lines].map((line) =>
    Decoration.line({ class: 'cm-comment' }).range(doc.line(line).from),
  );
  const shown = [...textsByLine(state, comments)].filter(([line]) => open.has(line));
  const texts = shown.map(([line, said]) =>
    Decoration.widget({ widget: new CommentText(said), block: true, side: 1 }).range(doc.line(line).to),
  );
  return Decoration.set([...coloured, ...texts], true);
}

function linesBetween(line: number, end: number, last: number): number[] {
  const first = Math.min(line, last);
  return Array.from({ length: Math.max(0, Math.min(end, last) - first) + 1 }, (_, at) => first + at);
}
