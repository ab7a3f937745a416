/** Card of an edit block: file, status, diff, actions. Renders synchronously into a `div`. */

import { t } from '@jupyter-ac/messages';
import { pageActiveNotebook } from '@jupyter-ac/page';
import { html, nothing, render, type TemplateResult } from 'lit';
import { copyText } from '../controllers/clipboard.ts';
import type { EditSegment } from '../model/answer-segments.ts';
import { notesOf, reasonOf } from '../model/edit-messages.ts';
import { type DisplayStatus, displayStatus, type Standings } from '../model/edit-summary.ts';
import { editedCells } from '../model/edited-cells.ts';
import type { Edit, Outcome } from '../model/edits.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { diffLines, type Gap, type Line, withGaps } from '../model/line-diff.ts';
import { dispatchEditAction, type EditAction } from './edit-actions.ts';
import { closestMatchTemplate, diffTemplate, streamingTemplate } from './edit-diff.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';
import { locationTemplate, openLocation } from './location-links.ts';

/** Longer diffs are folded. */
const MAX_LINES = 24;
const COPIED_MS = 1500;
/** Statuses whose diff is folded completely. */
const FOLDED: ReadonlySet<string> = new Set(['rejected', 'undone', 'already_applied']);

type Tone = 'good' | 'bad' | 'odd' | 'open' | 'calm';

const STATES: Readonly<Record<DisplayStatus, readonly [string, Tone]>> = {
  applied: [t('Applied'), 'good'],
  changed: [t('Changed since'), 'odd'],
  correctable: [t('Indentation corrected'), 'open'],
  suggested: [t('Suggested'), 'open'],
  unfit: [t('Does not fit'), 'calm'],
  already_applied: [t('Already applied'), 'good'],
  failed: [t('Failed'), 'bad'],
  skipped: [t('Skipped'), 'odd'],
  not_in_context: [t('Not in context'), 'odd'],
  pending: [t('Pending'), 'open'],
  rejected: [t('Rejected'), 'calm'],
  undone: [t('Undone'), 'calm'],
};
const ICONS: Readonly<Record<Tone, TemplateResult | typeof nothing>> = {
  good: icons.check,
  bad: icons.warning,
  odd: icons.info,
  open: nothing,
  calm: nothing,
};
/** Notes on applied edits whose lines have been changed since. */
const STANDING_NOTES: Readonly<Record<string, string>> = {
  undone: t('The file is as it was before this edit: it was reset, or changed by hand.'),
  changed: t('These lines have changed since the edit.'),
};
const NO_REASON = { text: '', modelText: '' };
const KINDS = { edit: '', create: t('new file'), delete: t('delete'), rename: t('rename') } as const;

/** Context of a card: state of its answer. */
export interface EditContext {
  readonly requestId: string;
  /** The answer is being streamed. */
  readonly isRunning: boolean;
  /** A decision is being sent. */
  readonly isBusy: boolean;
  /** Its edits can be undone. */
  readonly canUndo: boolean;
  readonly standings: Standings;
  /** Files that were not staged with their edits, but are staged by now. */
  readonly staged: ReadonlySet<string>;
}

export class EditCard {
  readonly root = document.createElement('div');
  #card: EditSegment | null = null;
  #context: EditContext | null = null;
  /** The diff, computed when the block is complete. */
  #lines: readonly (Line | Gap)[] = [];
  /** Of a notebook, the cells; '' when they aren't known. */
  #cells = '';
  #isUnfolded = false;
  #isCopied = false;

  constructor() {
    this.root.dataset.ac = 'edit-card';
    this.root.setAttribute('role', 'group');
    // Screen readers announce only the summary.
    this.root.setAttribute('aria-live', 'off');
    this.root.tabIndex = -1;
  }

  show(card: EditSegment, around: EditContext): void {
    if (isSame(card, this.#card) && isSame(around, this.#context)) return;
    const isText =
      card.old === this.#card?.old &&
      card.new === this.#card.new &&
      card.edit.outcome?.corrected === this.#card.edit.outcome?.corrected &&
      !this.#card.isOpen;
    if (!card.isOpen && !isText) {
      this.#lines = withGaps(diffLines(...diffTexts(card)));
      this.#cells = cellsOf(card);
    }
    this.#card = card;
    this.#context = around;
    this.#draw();
  }

  #draw(): void {
    const [card, around] = [this.#card, this.#context];
    if (!card || !around) return;
    const { edit } = card;
    const [words, tone] = badgeOf(card, around);
    const { dataset } = this.root;
    dataset.path = edit.path;
    const status = displayStatus(edit, around.standings);
    dataset.status = edit.outcome?.isCorrectable
      ? edit.outcome.status
      : (status ?? (around.isRunning ? 'pending' : 'skipped'));
    dataset.index = String(edit.index);
    this.root.className = `edit-card ${tone}`;
    this.root.setAttribute(
      'aria-label',
      t('Edit of %1: %2', escapeInvisible(edit.path) || t('no file'), words),
    );
    render(
      html`${this.#head(edit, words, tone, card.isOpen)} ${this.#message(edit)} ${this.#protectionNote(edit)} ${this.#body(card)}
      ${card.isOpen ? nothing : this.#actions(card, around)}`,
      this.root,
    );
  }

  #head(edit: Edit, words: string, tone: Tone, isOpen: boolean): TemplateResult {
    const { outcome } = edit;
    const attempt = outcome?.attempt ? t('attempt %1', outcome.attempt + 1) : '';
    const line = outcome?.line && edit.kind === 'edit' ? t('line %1', outcome.line) : '';
    return html`<div class="edit-head">
      <span class="edit-path">${this.#path(edit)}${edit.newPath ? html` → <bdi>${escapeInvisible(edit.newPath)}</bdi>` : nothing}</span>
      <span class="edit-facts number">
        ${[KINDS[edit.kind], this.#cells, line, attempt].filter(Boolean).map((fact) => html`<span>${fact}</span>`)}
        ${isOpen ? nothing : this.#counts(edit)}
      </span>
      <span class="edit-end">
        <span class="edit-badge">${isOpen ? icons.spinner : ICONS[tone]} ${words}</span>
        ${isOpen ? nothing : html`${this.#changesButton(edit)}${this.#undoButton(edit)}${this.#copyButton(edit)}`}
      </span>
    </div>`;
  }

  /** The path, as a link once the file exists. */
  #path({ path, kind, outcome }: Edit): TemplateResult {
    const isThere =
      kind !== 'create' || outcome?.status === 'applied' || outcome?.status === 'already_applied';
    if (!path || !isThere) return html`<bdi>${escapeInvisible(path) || t('No file named')}</bdi>`;
    return locationTemplate({ path, line: outcome?.line ?? 0, col: 0 });
  }

  #counts({ outcome }: Edit): TemplateResult | typeof nothing {
    if (outcome?.status === 'already_applied') return nothing;
    const count = (sign: Line['sign']) => this.#lines.filter((line) => line.sign === sign).length;
    const isKnown = outcome && outcome.added + outcome.removed > 0;
    const [added, removed] = isKnown ? [outcome.added, outcome.removed] : [count('+'), count('-')];
    return html`${added ? html`<span class="added">+${added}</span>` : nothing}
      ${removed ? html`<span class="removed">−${removed}</span>` : nothing}`;
  }

  /** Why "Accept all" leaves it out. */
  #protectionNote({ outcome }: Edit): TemplateResult | typeof nothing {
    if (!outcome?.protection || !isOpen(outcome)) return nothing;
    const words = inlineCode(t('Runs by itself: %1.', outcome.protection));
    return html`<p class="edit-note edit-guard odd" data-ac="edit-protected">${icons.warning} <span>${words}</span></p>`;
  }

  #message(edit: Edit): TemplateResult | typeof nothing {
    const { outcome } = edit;
    if (!outcome) return nothing;
    const notes = notesOf(outcome, this.#isStaged(edit));
    const { isRedone } = outcome;
    const { text, modelText } = isOnlyProtection(outcome) ? NO_REASON : reasonOf(outcome);
    const since = outcome.status === 'applied' ? STANDING_NOTES[this.#standing] : '';
    const sentences = [since, text, ...notes, isRedone ? t('Tried again below.') : ''].filter(Boolean);
    return html`${sentences.map((sentence) => html`<p class="edit-note">${inlineCode(sentence ?? '')}</p>`)}
      ${modelText ? html`<details class="edit-note edit-told"><summary class="muted">${t('What the model is told')}</summary>${inlineCode(modelText)}</details>` : nothing}`;
  }

  #isStaged({ path, newPath }: Edit): boolean {
    return this.#context?.staged.has(newPath || path) ?? false;
  }

  /** Current status. */
  get #standing(): string {
    const [card, around] = [this.#card, this.#context];
    return (card && around && displayStatus(card.edit, around.standings)) ?? '';
  }

  #body(card: EditSegment): TemplateResult | typeof nothing {
    const { edit, isOpen, old } = card;
    if (isOpen) return streamingTemplate(old, card.new);
    const near = edit.outcome?.corrected === null ? edit.outcome.near : null;
    const lines = this.#isUnfolded ? this.#lines : this.#lines.slice(0, this.#maxLines);
    return html`${lines.length ? diffTemplate(lines) : nothing} ${near ? closestMatchTemplate(old, near) : nothing}`;
  }

  /** Number of diff lines shown while folded; 0 for edits without effect any more. */
  get #maxLines(): number {
    const outcome = this.#card?.edit.outcome;
    return outcome?.isRedone || FOLDED.has(this.#standing) ? 0 : MAX_LINES;
  }

  #actions({ edit }: EditSegment, { isBusy }: EditContext): TemplateResult | typeof nothing {
    const { outcome } = edit;
    const buttons = [
      ...(outcome?.status === 'pending'
        ? [
            outcome.protection
              ? this.#decision('edit-accept', t('Apply anyway'), 'accept', isBusy)
              : this.#decision('edit-accept', t('Accept'), 'accept', isBusy, 'primary'),
            this.#decision('edit-reject', t('Reject'), 'reject', isBusy),
          ]
        : []),
      ...(this.#standing === 'suggested'
        ? [
            this.#decision(
              'edit-accept',
              outcome?.protection ? t('Apply anyway') : t('Apply'),
              'accept',
              isBusy,
            ),
          ]
        : []),
      ...(outcome?.isCorrectable && outcome.status === 'failed' && !outcome.isRedone
        ? [this.#decision('edit-correct', t('Apply'), 'accept', isBusy, 'primary')]
        : []),
      ...(outcome?.isWithheld && !outcome.isRedone ? [this.#tick(edit)] : []),
      ...(outcome?.status === 'applied' && outcome.filter && !this.#isStaged(edit)
        ? [this.#allow(edit, outcome.filter)]
        : []),
      ...(this.#lines.length > this.#maxLines ? [this.#fold()] : []),
    ];
    return buttons.length ? html`<div class="edit-actions">${buttons}</div>` : nothing;
  }

  #decision(
    name: string,
    words: string,
    act: 'accept' | 'reject',
    isBusy: boolean,
    more = '',
  ): TemplateResult {
    const { path, index, outcome } = (this.#card as EditSegment).edit;
    const guard =
      act === 'accept' && outcome?.protection ? t('. It runs by itself: %1', outcome.protection) : '';
    const asked: EditAction = { act, requestId: this.#context?.requestId ?? '', indices: [index] };
    return html`<button class="button ${more}" type="button" data-ac=${name} aria-disabled=${isBusy}
      ?data-protected=${guard !== ''} aria-label="${words}: ${escapeInvisible(path)}${guard}" @click=${() => isBusy || dispatchEditAction(this.root, asked)}>${words}</button>`;
  }

  /** Only prepares the question: nothing is sent before the user presses Send, with the warnings about the file visible. */
  #tick({ path }: Edit): TemplateResult {
    return html`<button class="button" type="button" data-ac="edit-tick" aria-label=${t('Tick and ask again: %1', escapeInvisible(path))}
      title=${t('Ticks the file and prepares the question; nothing is sent until you press Send')}
      @click=${() => dispatchEditAction(this.root, { act: 'tick', path })}>${t('Tick and ask again')}</button>`;
  }

  /** Opens the permission question, which shows the command; this button alone allows nothing. */
  #allow({ path, newPath }: Edit, filter: string): TemplateResult {
    const asked: EditAction = { act: 'allow', filter, path: newPath || path };
    return html`<button class="button" type="button" data-ac="edit-allow"
      aria-label=${t('Allow the filter %1 …', escapeInvisible(filter))} @click=${() => dispatchEditAction(this.root, asked)}>${t('Allow …')}</button>`;
  }

  #fold(): TemplateResult {
    const words = this.#maxLines ? t('Show all %1 lines', this.#lines.length) : t('Show the change');
    return html`<button class="quiet" type="button" data-fold aria-expanded=${this.#isUnfolded}
      @click=${() => this.#toggle()}>${this.#isUnfolded ? t('Show less') : words}</button>`;
  }

  #toggle(): void {
    this.#isUnfolded = !this.#isUnfolded;
    this.#draw();
  }

  /** Shows the edit in its file, beside all that has changed there since the last commit. */
  #changesButton({ path, newPath, kind, outcome }: Edit): TemplateResult | typeof nothing {
    if (this.#standing !== 'applied' || kind === 'delete') return nothing;
    const location = { path: newPath || path, line: outcome?.line ?? 0, col: 0, isDiff: true };
    const words = t('Show what has changed in this file since the last commit');
    return html`<button class="icon-button" type="button" data-ac="edit-changes" title=${words}
      aria-label="${words}: ${escapeInvisible(path)}" @click=${() => openLocation(this.root, location)}>${icons.changes}</button>`;
  }

  #undoButton({ path, index }: Edit): TemplateResult | typeof nothing {
    const { canUndo, isBusy, requestId } = this.#context as EditContext;
    if (!canUndo || this.#standing !== 'applied') return nothing;
    const asked: EditAction = { act: 'undo', requestId, indices: [index] };
    return html`<button class="icon-button" type="button" data-ac="edit-undo" title=${t('Undo this edit')} aria-disabled=${isBusy}
      aria-label=${t('Undo this edit: %1', escapeInvisible(path))} @click=${() => isBusy || dispatchEditAction(this.root, asked)}>${icons.retry}</button>`;
  }

  #copyButton({ path }: Edit): TemplateResult {
    return html`<button class="icon-button" type="button" title=${t('Copy this block')} aria-label=${t('Copy the block for %1', escapeInvisible(path))}
      @click=${() => void this.#copy()}>${this.#isCopied ? icons.check : icons.copy}</button>`;
  }

  async #copy(): Promise<void> {
    this.#isCopied = await copyText(this.#card?.block ?? '');
    this.#draw();
    setTimeout(() => {
      this.#isCopied = false;
      this.#draw();
    }, COPIED_MS);
  }
}

/** Old and new text to compare; for a correctable block, its corrected texts. */
function diffTexts({ old, new: next, edit }: EditSegment): [string, string] {
  const { corrected, status } = edit.outcome ?? {};
  return corrected && status === 'failed' ? [corrected.old, corrected.new] : [old, next];
}

/** The cells of a block for a notebook; ids are found in the notebook that is open beside the panel. */
function cellsOf({ edit, old, new: next }: EditSegment): string {
  if (!edit.path.endsWith('.ipynb') || edit.kind !== 'edit') return '';
  const notebook = pageActiveNotebook();
  const isHere = `/${notebook?.path()}`.endsWith(`/${edit.path}`);
  const cells = isHere ? (notebook?.cells() ?? []) : [];
  return editedCells(old, next, new Map(cells.map(({ id }, index) => [id, index + 1])));
}

function badgeOf(
  { edit, isOpen }: EditSegment,
  { isRunning, standings }: EditContext,
): readonly [string, Tone] {
  if (edit.outcome?.isRedone) return [t('Tried again'), 'calm'];
  const status = displayStatus(edit, standings);
  if (status) return STATES[status];
  if (isOpen) return [t('Being written'), 'open'];
  if (isRunning) return [t('Waiting'), 'open'];
  return [edit.isComplete ? t('Not applied') : t('Unfinished'), 'calm'];
}

/** Whether it can still be applied. */
function isOpen({ status, errorType, isCorrectable, isRedone }: Outcome): boolean {
  if (status === 'suggested') return errorType === '';
  return status === 'pending' || (status === 'failed' && isCorrectable && !isRedone);
}

/** Whether its message only repeats why its file is protected. */
function isOnlyProtection(outcome: Outcome): boolean {
  return outcome.protection !== '' && isOpen(outcome) && outcome.message.includes(outcome.protection);
}

function isSame<T extends object>(one: T, other: T | null): boolean {
  return other !== null && Object.entries(one).every(([name, value]) => other[name as keyof T] === value);
}
