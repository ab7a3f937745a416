/** Mentions of the notebook and the kernel beside the panel: what `@` offers, and what becomes a chip. */

import { t } from '@jupyter-ac/messages';
import { pageActiveNotebook, pageKernelAccess } from '@jupyter-ac/page';
import {
  type ContextMention,
  contextMentions,
  type MentionKind,
  type Mentions,
} from '../model/context-mentions.ts';
import type { MenuItem, Trigger } from '../model/input-menu.ts';
import type { Session } from '../model/session.ts';
import { ITEM_KINDS, itemName, NO_NOTEBOOK, readItem, type Surroundings } from './notebook-context.ts';
import { NotebookOffers } from './notebook-offers.ts';
import { fileOfServer } from './server-files.ts';

const NOT_SENT = t(
  'Not sent: not everything could be added. Remove what failed, or send again to ask without it.',
);

export class NotebookMentions implements Mentions {
  readonly #offers: NotebookOffers;
  /** Mentions of the draft that have a chip, or had one. */
  readonly #known = new Set<string>();
  /** The draft that was refused: sent again, it goes out. */
  #refused = '';
  #admitting: Promise<boolean> | null = null;

  constructor(private readonly session: Session) {
    this.#offers = new NotebookOffers(
      () => this.#surroundings(),
      (mention) => void this.add(mention),
    );
  }

  /** Whether there is something beside the panel that mentions can mean. */
  get isOffered(): boolean {
    return this.session.context.isOffered && pageActiveNotebook() !== null;
  }

  offers(trigger: Trigger, renew: () => void): readonly MenuItem[] {
    return this.isOffered ? this.#offers.items(trigger, renew) : [];
  }

  typed(): void {
    const found = this.#mentions();
    const texts = new Set(found.map(({ text }) => text));
    for (const known of this.#known) if (!texts.has(known)) this.#known.delete(known);
    for (const mention of found) if (mention.isComplete && mention.kind !== 'file') this.#addOnce(mention);
  }

  async add(mention: Pick<ContextMention, 'kind' | 'argument'>): Promise<boolean> {
    const { kind, argument } = mention;
    const { context } = this.session;
    if (kind === 'file' || kind === 'notebook') {
      return context.add(kind, argument || 'notebook', async () => {
        this.#tick(kind === 'file' ? argument : this.#notebookPath());
        return null;
      });
    }
    return context.add(ITEM_KINDS[kind], itemName(kind, argument), () =>
      readItem({ kind, argument }, this.#surroundings()),
    );
  }

  admit(): Promise<boolean> | null {
    const { context, draft } = this.session;
    const isPlain = !this.#mentions().length && context.chips.every(({ state }) => state === 'ready');
    if (!context.isOffered || isPlain) return null;
    this.#admitting ??= this.#admit(draft.text).finally(() => {
      this.#admitting = null;
    });
    return this.#admitting;
  }

  async #admit(text: string): Promise<boolean> {
    const { context } = this.session;
    for (const mention of this.#mentions()) this.#addOnce(mention);
    await context.settled();
    const hasFailed = context.chips.some(({ state }) => state === 'failed');
    const isAdmitted = !hasFailed || this.#refused === text;
    this.#refused = isAdmitted ? '' : text;
    context.refuse(isAdmitted ? '' : NOT_SENT);
    if (isAdmitted) this.#known.clear();
    return isAdmitted;
  }

  #addOnce(mention: ContextMention): void {
    if (this.#known.has(mention.text)) return;
    this.#known.add(mention.text);
    void this.add(mention);
  }

  #mentions(): ContextMention[] {
    if (!this.session.context.isOffered) return [];
    return contextMentions(this.session.draft.text).filter(({ kind }) => this.#hasMeaning(kind));
  }

  /** Where there is no notebook, what looks like a mention of one is text. */
  #hasMeaning(kind: MentionKind): boolean {
    const notebook = pageActiveNotebook();
    if (kind === 'file') return true;
    if (!notebook || kind === 'var') return notebook !== null;
    return notebook.path() !== '' || (kind === 'selection' && notebook.selection() !== null);
  }

  #surroundings(): Surroundings {
    return { notebook: pageActiveNotebook(), kernel: pageKernelAccess() };
  }

  #notebookPath(): string {
    const path = pageActiveNotebook()?.path();
    if (!path) throw new Error(NO_NOTEBOOK);
    return fileOfServer(this.session, path);
  }

  #tick(path: string): void {
    const { files, selection } = this.session;
    if (files.tree.files.get(path)?.isSendable !== true) {
      throw new Error(t('%1 is not among the files of this repository that can be sent.', path));
    }
    if (!selection.has(path)) selection.mark([path], true);
  }
}
