/** Actions on the code blocks of answers: insert below, replace with a diff first, insert and run. */

import type { RestoredText, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import {
  type ActiveNotebook,
  CODE_ACTION,
  type CodeAction,
  type CodeActionRequest,
  itemSource,
  type SeenCell,
} from '@jupyter-ac/page';
import { html, nothing, render, type TemplateResult } from 'lit';
import { diffTemplate } from '../elements/edit-diff.ts';
import { toResult } from '../model/call-result.ts';
import { fitsKernel } from '../model/kernel-language.ts';
import { diffLines, withGaps } from '../model/line-diff.ts';
import { PLACEHOLDER, UNRESTORED } from '../model/secret-placeholders.ts';
import { fields, text as textOf } from '../model/wire.ts';
import { codeActionStyles } from '../styles/code-actions.ts';

const DONE_MS = 1500;

/** By action: what is said before code with placeholders becomes a new cell. */
const UNFILLED: Readonly<Record<Exclude<CodeAction, 'replace'>, string>> = {
  insert: t(
    'Not inserted yet: placeholders such as [secret 1] stand in this code for masked secrets; press again to insert it so.',
  ),
  run: t(
    'Not run: placeholders such as [secret 1] stand in this code for masked secrets; insert it and fill them in, or press again to run it so.',
  ),
};

interface Label {
  readonly hook: string;
  readonly text: string;
  /** In a narrow panel; the title says the rest. */
  readonly short: string;
  readonly title: string;
  /** Shown for a moment afterwards. */
  readonly done: string;
}

const LABELS: Readonly<Record<CodeAction, Label>> = {
  insert: {
    hook: 'insert-cell',
    text: t('Insert below'),
    short: t('Insert'),
    title: t('Insert this code as a new cell below the active one'),
    done: t('Inserted'),
  },
  replace: {
    hook: 'replace-cell',
    text: t('Replace'),
    short: t('Replace'),
    title: t('Replace the active cell by this code; shows the difference first'),
    done: t('Replaced'),
  },
  run: {
    hook: 'run-cell',
    text: t('Insert and run'),
    short: t('Run'),
    title: t('Insert this code as a new cell below the active one and run it'),
    done: t('Running'),
  },
};
const ACTIONS = Object.keys(LABELS) as CodeAction[];

/** One instance per panel. */
export class CodeActions {
  /** The shadow root that holds the conversation. */
  readonly #root: ShadowRoot;
  readonly #panel: Element;
  /** The block that had the focus or a pointer last. */
  #used: Element | null = null;
  /** The action on a block that was refused once because of placeholders, until there is another one. */
  #refused: { readonly action: CodeAction; readonly block: Element; readonly source: string } | null = null;
  readonly #end = new AbortController();
  readonly #unsubscribe: () => void;

  /**
   * @param rpc - the panel's connection
   * @param block - a code block, in the document
   */
  constructor(
    private readonly notebook: ActiveNotebook,
    private readonly rpc: () => Rpc,
    block: Element,
  ) {
    this.#root = block.getRootNode() as ShadowRoot;
    const outer = this.#root.host?.getRootNode();
    this.#panel = outer instanceof ShadowRoot ? outer.host : block;
    const { signal } = this.#end;
    for (const gesture of ['focusin', 'pointerdown']) {
      this.#root.addEventListener(gesture, (event) => this.#remember(event.target), { signal });
    }
    this.#panel.addEventListener(
      CODE_ACTION,
      (event) => this.#perform((event as CustomEvent<CodeActionRequest>).detail),
      { signal },
    );
    const style = document.createElement('style');
    style.textContent = codeActionStyles;
    this.#root.append(style);
    signal.addEventListener('abort', () => style.remove());
    this.#unsubscribe = notebook.subscribe(() => this.#refresh());
  }

  /** Adds the buttons to a code block; those that it has stay. */
  add(block: Element): void {
    const head = block.querySelector('.code-head');
    if (!head || head.querySelector('.cell-buttons') || !codeOf(block)) return;
    const buttons = document.createElement('span');
    buttons.className = 'cell-buttons';
    buttons.dataset.language = head.querySelector('span')?.textContent ?? '';
    buttons.append(...ACTIONS.map((action) => this.#button(action, block)));
    const copy = head.querySelector('.copy');
    if (copy) buttons.append(copy);
    head.append(buttons);
    this.#show(buttons, this.notebook.language());
  }

  dispose(): void {
    this.#end.abort();
    this.#unsubscribe();
  }

  #button(action: CodeAction, block: Element): HTMLButtonElement {
    const { hook, text, title } = LABELS[action];
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cell-button';
    button.dataset.ac = hook;
    name(button, action);
    button.title = title;
    button.setAttribute('aria-label', `${text}: ${title}`);
    button.addEventListener('click', (event) => {
      // The second half of a double click confirms nothing.
      if (event.detail < 2 || !this.#refused) this.#act(action, block);
    });
    return button;
  }

  #refresh(): void {
    const language = this.notebook.language();
    for (const buttons of this.#root.querySelectorAll<HTMLElement>('.cell-buttons')) {
      this.#show(buttons, language);
    }
  }

  #show(buttons: HTMLElement, kernel: string | null): void {
    const isOffered = kernel !== null && fitsKernel(buttons.dataset.language ?? '', kernel);
    for (const button of buttons.querySelectorAll<HTMLElement>('.cell-button')) button.hidden = !isOffered;
  }

  #remember(target: EventTarget | null): void {
    const block = target instanceof Element ? target.closest('.code') : null;
    if (block?.querySelector('.cell-button')) this.#used = block;
  }

  /** Acts on the block used last, else on the last one that can be a cell. */
  #perform(request: CodeActionRequest): void {
    const offered = [...this.#root.querySelectorAll('.cell-button:not([hidden])')].map((button) =>
      button.closest('.code'),
    );
    const block = offered.find((each) => each === this.#used) ?? offered.at(-1);
    if (!block) return;
    request.isTaken = true;
    block.scrollIntoView?.({ block: 'nearest' });
    this.#act(request.action, block);
  }

  #act(action: CodeAction, block: Element): void {
    this.#used = block;
    this.#say(block, nothing);
    const source = codeOf(block);
    const refused = this.#refused;
    this.#refused = null;
    const fail = (error: unknown): void =>
      this.#say(block, html`<p role="alert">${error instanceof Error ? error.message : String(error)}</p>`);
    try {
      if (action === 'replace') {
        void this.#replace(block, source, fail).catch(fail);
        return;
      }
      const isSecond = refused?.action === action && refused.block === block && refused.source === source;
      if (PLACEHOLDER.test(source) && !isSecond) {
        this.#refused = { action, block, source };
        this.#say(
          block,
          html`<p class="cell-warning" role="alert" data-ac="cell-placeholders">${UNFILLED[action]}</p>`,
        );
        return;
      }
      if (action === 'insert') this.notebook.insertBelow(source);
      else void this.notebook.insertAndRun(source).catch(fail);
      this.#confirm(action, block);
    } catch (error) {
      fail(error);
    }
  }

  /** Shows what replacing the active cell would change, and asks. */
  async #replace(block: Element, code: string, fail: (error: unknown) => void): Promise<void> {
    const before = this.notebook.activeSource();
    const id = this.notebook.cells()[this.notebook.activeCellIndex()]?.id ?? '';
    const seen = { id, path: this.notebook.path() };
    // Without a wait where there is nothing to restore.
    const source = PLACEHOLDER.test(code) ? await this.#restored(code, seen) : code;
    if (before === source) throw new Error(t('The active cell has this code already.'));
    const opener = block.querySelector<HTMLElement>('[data-ac="replace-cell"]');
    const close = (): void => {
      this.#say(block, nothing);
      opener?.focus();
    };
    const replace = (): void => {
      close();
      try {
        this.notebook.replaceActive(source, before, seen);
        this.#confirm('replace', block);
      } catch (error) {
        fail(error);
      }
    };
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      close();
    };
    this.#say(
      block,
      html`<div role="group" aria-label=${t('Replace the active cell?')} data-ac="replace-question" @keydown=${closeOnEscape}>
        ${diffTemplate(withGaps(diffLines(before, source)))}
        ${PLACEHOLDER.test(source) ? html`<p class="cell-warning" data-ac="replace-placeholders">${t(UNRESTORED)}</p>` : nothing}
        <p class="cell-choice">
          <span>${t('Replace the active cell?')}</span>
          <button class="button primary" type="button" data-ac="replace-confirm" @click=${replace}>${t('Replace')}</button>
          <button class="button" type="button" data-ac="replace-keep" @click=${close}>${t('Keep the cell')}</button>
        </p>
      </div>`,
    );
    const confirm = block.querySelector<HTMLElement>('[data-ac="replace-confirm"]');
    confirm?.focus();
    confirm?.scrollIntoView?.({ block: 'nearest' });
  }

  /** The code with the secrets that were masked in this very cell; unchanged when they aren't known. */
  async #restored(code: string, { id, path }: SeenCell): Promise<string> {
    const rpc = this.rpc();
    if (!id || !rpc.offers('LLMService.restore_cell_secrets')) return code;
    const place = [itemSource(path), id] as const;
    const { value } = await toResult(rpc.rpcExtract('LLMService.restore_cell_secrets', ...place, code));
    return textOf(fields<RestoredText>(value).text, code);
  }

  /** Shows a message or a question below the code. */
  #say(block: Element, content: TemplateResult | typeof nothing): void {
    let place = block.querySelector<HTMLElement>('.cell-note');
    if (!place) {
      if (content === nothing) return;
      place = document.createElement('div');
      place.className = 'cell-note';
      block.append(place);
    }
    render(content, place);
  }

  #confirm(action: CodeAction, block: Element): void {
    const { hook, done } = LABELS[action];
    const button = block.querySelector<HTMLElement>(`[data-ac="${hook}"]`);
    if (!button) return;
    button.textContent = done;
    setTimeout(() => name(button, action), DONE_MS);
  }
}

/** Writes a button's text, of which the style sheet shows the one that fits. */
function name(button: HTMLElement, action: CodeAction): void {
  const { text, short } = LABELS[action];
  const texts = [text, short].map((content, index) => {
    const span = document.createElement('span');
    span.className = index === 0 ? 'long' : 'short';
    span.textContent = content;
    return span;
  });
  button.replaceChildren(...texts);
}

/** The code without the line end at its end; '' for a block of blanks. */
function codeOf(block: Element): string {
  const code = block.querySelector('pre code')?.textContent ?? '';
  return code.trim() && code.replace(/\n$/, '');
}
