/** Element of the search within a conversation. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, type TemplateResult } from 'lit';
import { focused } from '../controllers/focus.ts';
import { frameThrottle } from '../controllers/frame-throttle.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { AcChat } from '../elements/chat.ts';
import * as icons from '../elements/icons.ts';
import { type FindOptions, type Hit, hitsOf, MOST_HITS, PLAIN, patternOf } from '../model/find.ts';
import { grouped } from '../model/format.ts';
import type { Message } from '../model/messages.ts';
import type { Session } from '../model/session.ts';
import { fieldStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import { HitMarks, rangesIn } from './hits.ts';

const OPTIONS_KEY = 'jupyter-ac-find';

const styles = css`
  :host {
    display: flex;
    justify-content: flex-end;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
    width: 440px;
    max-width: 100%;
    padding: 5px;
    border: 1px solid var(--ac-line);
    border-radius: 8px;
    background: var(--ac-bg);
    box-shadow: 0 4px 16px rgb(0 0 0 / 22%);
    pointer-events: auto;
  }
  .field {
    flex: 1 1 150px;
    min-width: 0;
    padding-right: 2px;
  }
  .toggle {
    min-width: 24px;
    height: 22px;
    padding: 0 3px;
    color: var(--ac-muted);
    font: 11px var(--ac-mono);
  }
  .toggle:hover {
    background: var(--ac-raised);
  }
  .toggle[aria-pressed='true'] {
    background: var(--ac-tint);
    color: var(--ac-accent);
    font-weight: 700;
  }
  .count {
    min-width: 74px;
    text-align: center;
    font-size: 12px;
    color: var(--ac-muted);
  }
  .bad {
    color: var(--ac-danger);
  }
  .ways {
    display: flex;
    margin-left: auto;
  }
`;

export class AcFind extends LitElement {
  static override properties = {
    session: { attribute: false },
    log: { attribute: false },
    query: { state: true },
    options: { state: true },
    current: { state: true },
  };
  static override styles = [base, fieldStyles, styles];

  declare session: Session;
  declare log: AcChat;
  declare query: string;
  declare options: FindOptions;
  /** Index of the current hit. */
  declare current: number;
  readonly #marks = new HitMarks();
  #hits: readonly Hit[] = [];
  #searched: readonly Message[] = [];
  #pattern: RegExp | string | null = null;
  #patternFor = '';
  /** Element to focus again after the search. */
  #before: HTMLElement | null = null;
  readonly #onDrawn = () => this.#mark();

  constructor() {
    super();
    this.query = '';
    this.options = PLAIN;
    this.current = 0;
    new StoreController(this, () => [this.session.chat, this.session.chat.grown], frameThrottle());
    new OverlayController(
      this,
      () => true,
      () => this.close(),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#before = focused();
    this.options = { ...PLAIN, ...this.#stored() };
    this.log.addEventListener('ac-drawn', this.#onDrawn);
    void this.#loadEarlier();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.log.removeEventListener('ac-drawn', this.#onDrawn);
    this.#marks.clear();
  }

  override focus(): void {
    const field = this.renderRoot.querySelector('input');
    field?.focus();
    field?.select();
  }

  /** Closes the search and returns the focus. */
  close(): void {
    this.dispatchEvent(new CustomEvent('ac-close'));
    if (this.#before?.isConnected) this.#before.focus();
    else this.log.focusInput();
  }

  protected override willUpdate(): void {
    const wanted = JSON.stringify([this.query, this.options]);
    const { messages } = this.session.chat;
    if (wanted === this.#patternFor && messages === this.#searched) return;
    const isNew = wanted !== this.#patternFor;
    const before = this.#hits[this.current];
    if (isNew) this.#pattern = patternOf(this.query, this.options);
    this.#patternFor = wanted;
    this.#searched = messages;
    this.#hits = this.#pattern instanceof RegExp ? hitsOf(messages, this.#pattern) : [];
    const same = before
      ? this.#hits.findIndex(({ key, number }) => key === before.key && number === before.number)
      : -1;
    this.current = isNew ? this.#firstInView() : Math.max(0, same);
  }

  protected override render(): TemplateResult {
    const toggle = (name: keyof FindOptions, ac: string, sign: string, label: string) =>
      html`<button class="toggle" type="button" data-ac=${ac} aria-pressed=${this.options[name]} aria-label=${label} title=${label}
        @click=${() => this.#toggle(name)}>${sign}</button>`;
    return html`<div class="bar" role="search" aria-label=${t('Search this conversation')} data-ac="find" @keydown=${this.#key}>
      <div class="field">
        ${icons.search}
        <input type="text" data-ac="find-input" aria-label=${t('Search this conversation')} placeholder=${t('Search this conversation')}
          autocomplete="off" spellcheck="false" .value=${this.query} aria-invalid=${typeof this.#pattern === 'string'} @input=${this.#onInput} />
        ${toggle('isCaseMatched', 'find-case', t('Aa'), t('Match case'))}
        ${toggle('isWholeWord', 'find-word', 'ab', t('Whole words'))}
        ${toggle('isRegex', 'find-regex', '.*', t('Regular expression'))}
      </div>
      <span class="count number" role="status" data-ac="find-count">${this.#count()}</span>
      <span class="ways">
        ${this.#way('find-previous', t('Previous hit (Shift+Enter)'), -1, icons.arrowUp)}
        ${this.#way('find-next', t('Next hit (Enter)'), 1, icons.arrowDown)}
        <button class="icon-button" type="button" data-ac="find-close" aria-label=${t('Close the search')} title=${t('Close (Escape)')}
          @click=${() => this.close()}>${icons.close}</button>
      </span>
    </div>`;
  }

  protected override firstUpdated(): void {
    this.focus();
  }

  protected override updated(): void {
    this.#mark();
  }

  #count(): TemplateResult | string {
    if (typeof this.#pattern === 'string')
      return html`<span class="bad" title=${this.#pattern}>${t('Not a pattern')}</span>`;
    if (this.session.chat.earlier) return t('Loading …');
    if (!this.query) return '';
    const count = this.#hits.length;
    if (!count) return t('No hits');
    const all = count >= MOST_HITS ? `${grouped(MOST_HITS)}+` : grouped(count);
    return t('%1 of %2', grouped(this.current + 1), all);
  }

  #way(ac: string, label: string, step: number, icon: TemplateResult): TemplateResult {
    return html`<button class="icon-button" type="button" data-ac=${ac} aria-label=${label} title=${label}
      aria-disabled=${this.#hits.length === 0} @click=${() => this.#go(step)}>${icon}</button>`;
  }

  readonly #onInput = (event: Event): void => {
    this.query = (event.target as HTMLInputElement).value;
    void this.updateComplete.then(() => this.#reveal());
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const isSearchKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    const isField = event.target instanceof HTMLInputElement;
    if (isSearchKey) this.focus();
    else if (event.key === 'F3' || (event.key === 'Enter' && isField)) this.#go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #toggle(name: keyof FindOptions): void {
    this.options = { ...this.options, [name]: !this.options[name] };
    try {
      this.session.ports.storage?.setItem(OPTIONS_KEY, JSON.stringify(this.options));
    } catch {
      // Storage is full or forbidden: the options hold until the search is closed.
    }
    void this.updateComplete.then(() => this.#reveal());
  }

  #stored(): Partial<FindOptions> {
    try {
      const kept: unknown = JSON.parse(this.session.ports.storage?.getItem(OPTIONS_KEY) ?? '{}');
      return kept && typeof kept === 'object' ? kept : {};
    } catch {
      return {};
    }
  }

  /** Goes to the next hit (1) or the one before (-1); behind the last comes the first. */
  #go(step: number): void {
    const count = this.#hits.length;
    if (!count) return;
    this.current = (this.current + step + count) % count;
    this.#reveal();
  }

  /** Index of the first hit that isn't above the view. */
  #firstInView(): number {
    const first = this.log.firstInView();
    const order = new Map(this.#searched.map(({ key }, index) => [key, index]));
    const from = order.get(first) ?? 0;
    const found = this.#hits.findIndex(({ key }) => (order.get(key) ?? 0) >= from);
    return Math.max(0, found);
  }

  /** Scrolls the current hit to the middle of the view. */
  #reveal(): void {
    const hit = this.#hits[this.current];
    const element = hit ? this.log.reveal(hit.key) : null;
    this.#mark();
    const range = hit && element ? this.#rangeOf(hit) : null;
    if (range) this.log.centre(range);
  }

  #rangeOf(hit: Hit): Range | null {
    const element = this.log.drawnMessages.find(({ message }) => message.key === hit.key);
    const answer = element?.querySelector('.answer');
    if (!answer || !(this.#pattern instanceof RegExp)) return null;
    const ranges = rangesIn(answer, this.#pattern);
    return ranges[Math.min(hit.number, ranges.length - 1)] ?? null;
  }

  #mark(): void {
    const pattern = this.#pattern;
    const keys = new Set(this.#hits.map(({ key }) => key));
    const hit = this.#hits[this.current];
    this.#marks.show(() => {
      const drawn = this.log.drawnMessages.filter(({ message }) => keys.has(message.key));
      const all = drawn.flatMap((element) => {
        const answer = element.querySelector('.answer');
        return answer && pattern instanceof RegExp ? rangesIn(answer, pattern) : [];
      });
      return { all, current: hit ? this.#rangeOf(hit) : null };
    });
  }

  /** Also searches what isn't loaded yet. */
  async #loadEarlier(): Promise<void> {
    const { chat } = this.session;
    while (this.isConnected && chat.earlier > 0) {
      const { earlier } = chat;
      await chat.showEarlier();
      if (chat.earlier === earlier) return;
    }
  }
}
