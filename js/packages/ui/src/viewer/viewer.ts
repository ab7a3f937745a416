/** File viewer: navigation history, tabs, notes, code and the list of references. */

import { t } from '@jupyter-ac/messages';
import { adoptStyles, html, nothing, render, type TemplateResult } from 'lit';
import { arrowKeyIndex } from '../controllers/focus.ts';
import * as icons from '../elements/icons.ts';
import type { Content } from '../model/file-content.ts';
import { escapeInvisible, type FileLocation, isSameLocation } from '../model/file-location.ts';
import { grouped } from '../model/format.ts';
import type { ReviewComment } from '../model/review-comments.ts';
import type { Tab, ViewerStore } from '../model/viewer.ts';
import { prose } from '../styles/prose.ts';
import { tabStyles } from '../styles/tabs.ts';
import { base } from '../styles/tokens.ts';
import { lineAndColumn } from './code-navigation.ts';
import { CodeView } from './code-view.ts';
import { type DiffActions, diffKey, diffTools, isUnified, setUnified } from './diff-tools.ts';
import type { ViewerPorts } from './index.ts';
import { referencesTemplate } from './references.ts';
import { viewerStyles } from './styles.ts';

/** Width from which the diff is shown side by side. */
const WIDE_PX = 720;
const TABS: readonly (readonly [Tab, string, string])[] = [
  ['file', t('File'), t('The working copy: the file as it is on disk')],
  ['review', t('Review'), t('What the branch under review changes in it')],
  ['diff', t('HEAD diff'), t('What has changed since the last commit')],
  ['head', 'HEAD', t('The file as it was committed last')],
  ['map', t('Map'), t('What the model sees of it in the map')],
];

/** Names of both sides. */
const SIDES = {
  file: [t('The file as committed'), t('The text of the file')],
  diff: ['HEAD', t('Working copy')],
  review: [t('Before the branch'), t('The branch')],
} as const;

export class Viewer {
  readonly #root: ShadowRoot;
  readonly #frame = document.createElement('div');
  readonly #code: CodeView;
  readonly #stopListening: () => void;
  readonly #observer = new ResizeObserver(([entry]) => this.#resized(entry?.contentRect.width ?? 0));
  #isWide = false;
  #comments: readonly ReviewComment[] = [];
  /** Index of the comment shown last; -1 for none. */
  #commentAt = -1;
  /** The location scrolled to last. */
  #revealed: FileLocation | null = null;

  constructor(
    host: HTMLElement,
    private readonly store: ViewerStore,
    private readonly ports: ViewerPorts,
  ) {
    this.#root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    adoptStyles(this.#root, [base, prose, tabStyles, viewerStyles]);
    const area = document.createElement('div');
    area.className = 'area';
    this.#frame.className = 'viewer';
    this.#root.replaceChildren(this.#frame, area);
    this.#code = new CodeView(area, this.#root, {
      hover: async (line, col) => {
        const markdown = await store.hover(line, col);
        return markdown ? ports.markdown(markdown) : null;
      },
      goToDefinition: (line, col) => void store.goToDefinition(line, col),
      findReferences: (line, col) => void store.findReferences(line, col),
    });
    area.id = 'code';
    area.setAttribute('role', 'tabpanel');
    host.addEventListener('keydown', this.#key);
    const stops = [store, ports.conversation].map((each) => each.subscribe(() => this.#draw()));
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    this.#observer.observe(host);
  }

  focus(): void {
    if (!this.#code.focus())
      this.#root.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#stopListening();
    this.#code.clear();
    const { host } = this.#root;
    (host as HTMLElement).removeEventListener('keydown', this.#key);
    this.#root.replaceChildren();
  }

  #draw(): void {
    const { store } = this;
    const hadFocus = this.#root.activeElement !== null;
    this.#comments = this.ports.comments(store.location.path);
    render(this.#template(), this.#frame);
    const area = this.#root.querySelector<HTMLElement>('#code');
    if (area) area.hidden = store.shown.kind !== 'text';
    this.#root.host.setAttribute('data-tab', store.tab);
    this.#drawCode();
    // The focused element may have been removed; the viewer handles keys only while it has the focus.
    if (hadFocus && !this.#root.activeElement) this.focus();
    this.ports.moved(store.location);
  }

  #drawCode(): void {
    const { store } = this;
    const { tab, shown, location } = store;
    const original = this.#original;
    // Wait for both texts before showing a diff.
    const hadFocus = this.#root.activeElement?.closest('#code') != null;
    if (shown.kind !== 'text' || original?.kind === 'loading') {
      this.#code.clear();
      return;
    }
    const isNew = this.#code.show({
      path: tab === 'map' ? '' : location.path,
      text: shown.text,
      language: shown.language,
      original: original && textOf(original),
      isWide: this.#isSideBySide,
      isNavigable: store.isNavigable,
      labels: SIDES[tab === 'review' ? 'review' : original ? 'diff' : 'file'],
    });
    if (tab === 'review' || isNew) this.#code.setComments(tab === 'review' ? this.#comments : []);
    const isOther = !this.#revealed || !isSameLocation(this.#revealed, location);
    if (isNew || isOther) {
      if (tab !== 'map' && (isOther || tab === 'file')) this.#code.reveal(location);
      if (isOther || hadFocus) this.#code.focus();
    }
    this.#revealed = location;
  }

  /** The older side of the shown diff; null when no diff is shown. */
  get #original(): Content | null {
    const { tab, head, versions } = this.store;
    return tab === 'diff' ? head : tab === 'review' ? versions.before : null;
  }

  get #isSideBySide(): boolean {
    return this.#isWide && !isUnified();
  }

  #template(): TemplateResult {
    const { store } = this;
    return html`<div class="tools">
        ${this.#button(t('Back (Alt+Left)'), icons.chevronLeft, !store.canGoBack, () => store.back())}
        ${this.#button(t('Forward (Alt+Right)'), icons.chevronRight, !store.canGoForward, () => store.forward())}
        <div class="tabs" role="tablist" aria-label=${t('Versions')} @keydown=${this.#tabKey}>
          ${this.#tabs.map(([tab, label, title]) => this.#tab(tab, label, title))}
        </div>
        ${this.#original ? diffTools(this.#diffActions) : nothing}
        ${store.isNavigable ? this.#nameButtons() : nothing}
      </div>
      ${this.#notes().map((sentence) => html`<p class="note" role="status">${sentence}</p>`)}
      ${this.#sideHeadings()} ${this.#placeholder()} ${store.references ? referencesTemplate(store) : nothing}`;
  }

  get #diffActions(): DiffActions {
    const { store } = this;
    return {
      isWide: this.#isWide,
      comments: store.tab === 'review' ? this.#comments.length : 0,
      hasFiles: store.tab === 'review',
      choose: (isUnifiedWanted) => {
        setUnified(isUnifiedWanted);
        this.#draw();
      },
      change: (direction) => this.#code.moveToChange(direction),
      comment: (direction) => this.#moveToComment(direction),
      file: (direction) => store.moveToFile(direction),
    };
  }

  #moveToComment(direction: 1 | -1): void {
    const count = this.#comments.length;
    if (this.store.tab !== 'review' || !count) return;
    const at = this.#commentAt < 0 && direction < 0 ? count - 1 : this.#commentAt + direction;
    this.#commentAt = (at + count) % count;
    const comment = this.#comments[this.#commentAt];
    if (!comment) return;
    this.#code.openComments(comment.line);
    this.#code.focus();
    this.store.say(
      t('Comment %1 of %2, line %3: %4', this.#commentAt + 1, count, comment.line, comment.text),
    );
  }

  get #tabs(): typeof TABS {
    const { store } = this;
    if (store.isMap) return TABS.slice(-1);
    const isReviewed = store.reviewedFile !== undefined || store.tab === 'review';
    return TABS.filter(([tab]) => (tab === 'review' ? isReviewed : tab !== 'map' || store.hasMap));
  }

  #button(title: string, icon: TemplateResult, isOff: boolean, act: () => void): TemplateResult {
    return html`<button class="icon-button" type="button" title=${title} aria-label=${title}
      aria-disabled=${isOff} @click=${() => isOff || act()}>${icon}</button>`;
  }

  #nameButtons(): TemplateResult {
    const { store } = this;
    const at = (ask: (line: number, col: number) => void) => () => {
      const cursor = this.#code.cursor;
      if (!cursor) return;
      const { line, col } = lineAndColumn(cursor.view.state, cursor.head);
      ask(line, col);
    };
    const define = at((line, col) => void store.goToDefinition(line, col));
    const findUses = at((line, col) => void store.findReferences(line, col));
    return html`<span class="names"><button class="small" type="button" data-do="define" title=${t('Go to the definition of what the cursor is on (F12, Ctrl+click)')} @click=${define}>${t('Definition')}</button>
      <button class="small" type="button" data-do="uses" title=${t('List the uses of what the cursor is on (Shift+F12)')} @click=${findUses}>${t('Uses')}</button></span>`;
  }

  #tab(tab: Tab, label: string, title: string): TemplateResult {
    const isOpen = tab === this.store.tab;
    return html`<button type="button" role="tab" data-tab=${tab} title=${title} aria-selected=${isOpen}
      aria-controls="code" tabindex=${isOpen ? 0 : -1} @click=${() => this.store.show(tab)}>${label}</button>`;
  }

  /** Notes about the shown text. */
  #notes(): string[] {
    const { tab, working, head, shown, note } = this.store;
    const whole = shown.kind === 'text' ? shown.whole : 0;
    const length = shown.kind === 'text' ? shown.text.length : 0;
    return [
      ...(note ? [note] : []),
      ...(whole
        ? [
            t(
              'Only the first %1 of %2 characters are shown: the file is too long.',
              grouped(length),
              grouped(whole),
            ),
          ]
        : []),
      ...(tab === 'diff' && working.kind === 'text' ? compared(working.text, head) : []),
      ...(tab === 'review' ? reviewNotes(this.store) : []),
    ];
  }

  #sideHeadings(): TemplateResult | typeof nothing {
    const { tab, shown } = this.store;
    const original = this.#original;
    if (!original || !this.#isSideBySide || shown.kind !== 'text' || original.kind === 'loading')
      return nothing;
    const [left, right] = SIDES[tab === 'review' ? 'review' : 'diff'];
    return html`<div class="sides muted"><span>${left}</span><span>${right}</span></div>`;
  }

  /** Placeholder while there is no text. */
  #placeholder(): TemplateResult | typeof nothing {
    const { tab, shown, working, location } = this.store;
    if (shown.kind === 'text') return nothing;
    const isNone = tab === 'head' ? working.kind === 'text' : true;
    const words = {
      loading: html`${icons.spinner} ${t('Reading %1 …', escapeInvisible(location.path) || t('the map'))}`,
      refused: html`${icons.info} ${shown.kind === 'refused' ? shown.message : ''}`,
      missing:
        tab === 'head' && isNone
          ? html`${icons.info} ${t('The last commit has no such file: it is new.')}`
          : html`${icons.info} ${t('There is no file %1 in the working copy.', escapeInvisible(location.path))}`,
    }[shown.kind];
    return html`<p class="instead muted" role="status">${words}</p>`;
  }

  #resized(width: number): void {
    const isWide = width >= WIDE_PX;
    if (isWide === this.#isWide) return;
    this.#isWide = isWide;
    this.#draw();
  }

  readonly #tabKey = (event: KeyboardEvent): void => {
    const tabs = this.#tabs.map(([tab]) => tab);
    const next = event.altKey
      ? undefined
      : tabs[arrowKeyIndex(event.key, tabs.indexOf(this.store.tab), tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    this.store.show(next);
    this.#root.querySelector<HTMLElement>(`[role="tab"][data-tab="${next}"]`)?.focus();
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const { store } = this;
    const isWay = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const isOfDiff = event.altKey && this.#original !== null;
    if (isOfDiff && diffKey(event, this.#diffActions)) {
      event.preventDefault();
      return;
    }
    if (isWay && event.key === 'ArrowLeft') store.back();
    else if (isWay && event.key === 'ArrowRight') store.forward();
    else if (event.key === 'Escape' && store.references) {
      store.closeReferences();
      this.focus();
    } else return;
    event.preventDefault();
  };
}

function textOf(content: Content): string {
  return content.kind === 'text' ? content.text : '';
}

function reviewNotes({ reviewedFile, versions: { before, after } }: ViewerStore): string[] {
  const isMissing = (content: Content) => content.kind === 'missing';
  if (isMissing(before) && !isMissing(after)) return [t('The branch adds this file.')];
  if (isMissing(after) && !isMissing(before)) return [t('The branch deletes this file.')];
  const old = reviewedFile?.oldPath;
  return old ? [t('The branch renames %1 to this.', escapeInvisible(old))] : [];
}

function compared(working: string, head: Content): string[] {
  switch (head.kind) {
    case 'missing':
      return [t('The last commit has no such file: all of it is new.')];
    case 'refused':
      return [head.message];
    case 'loading':
      return [t('Reading the last commit …')];
    case 'text':
      return head.text === working ? [t('Nothing has changed since the last commit.')] : [];
  }
}
