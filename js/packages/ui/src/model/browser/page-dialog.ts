/** Store of the dialog that blocks a watched page: what it asks, and the user's answer to it. */

import type { DialogRow, Rpc } from '@jupyter-ac/link/rpc';
import { Store } from '../store.ts';
import { fields, text } from '../wire.ts';
import type { ConsentStore } from './consent.ts';
import type { Target } from './recorded-rows.ts';

export interface PageDialog {
  readonly target: Target;
  readonly message: string;
  /** `alert`, `confirm`, `prompt` or `beforeunload`; '' while it isn't known. */
  readonly type: string;
  /** What the field of a prompt contains at first. */
  readonly proposed: string;
}

export class PageDialogStore extends Store {
  /** The first one of the watched pages; null for none. */
  shown: PageDialog | null = null;
  isBusy = false;
  /** One sentence on why it could not be answered; '' otherwise. */
  problem = '';

  constructor(
    private readonly rpc: Rpc,
    private readonly consent: ConsentStore,
  ) {
    super();
  }

  /** Takes what the server reports of the watched pages. */
  adopt(watched: readonly Target[]): void {
    const target = watched.find(({ dialog }) => dialog);
    const { shown } = this;
    if (!target && !shown) return;
    if (target && target.id === shown?.target.id && target.dialog === shown.message) {
      this.shown = { ...shown, target };
    } else {
      this.problem = '';
      this.shown = target ? { target, message: target.dialog, type: '', proposed: '' } : null;
      if (target) void this.#readType(target);
    }
    this.changed();
  }

  /** Answers it by OK or Cancel; asks for consent where that is missing. */
  async answer(isAccepted: boolean, words: string): Promise<void> {
    const { shown } = this;
    if (!shown || this.isBusy) return;
    const { id } = shown.target;
    this.isBusy = true;
    this.problem = '';
    this.changed();
    const { error } = await this.consent.act(id, () =>
      this.rpc.rpcExtract('Browser.handle_dialog', isAccepted, isAccepted ? words : '', id),
    );
    this.isBusy = false;
    this.problem = error;
    if (!error && this.shown?.target.id === id) this.shown = null;
    this.changed();
  }

  /** A row has the dialog's words only: a call that the page can't answer is refused with all of it. */
  async #readType({ id, dialog }: Target): Promise<void> {
    const refusal: unknown = await this.rpc.rpcExtract('Browser.page', id).catch((error: unknown) => error);
    const found = fields<DialogRow>(fields(fields(refusal).data).dialog);
    const { shown } = this;
    if (shown?.target.id !== id || shown.message !== dialog) return;
    this.shown = { ...shown, type: text(found.type), proposed: text(found.default_prompt) };
    this.changed();
  }
}
