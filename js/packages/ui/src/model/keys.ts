/** Entering a provider's key. The key itself is only ever passed through, never kept here. */

import type { KeyKept, Rpc, SettingsToConfirm } from '@jupyter-ac/link/rpc';
import type { ModelsStore, Provider } from './models.ts';
import { Store } from './store.ts';
import { told } from './told.ts';
import { fields, strings, text } from './wire.ts';

/** Where the server has put a key, as it says it, and in words. */
const PLACES: Readonly<Record<string, string>> = {
  keyring: "the system's keyring",
  'llm.json': '`llm.json`, readable by you only',
  environment: 'the environment',
};

export function placeOfKey(where: string): string {
  return PLACES[where] ?? where;
}

export class KeysStore extends Store {
  /** The provider whose key is being entered or removed, by its variable; '' for none. */
  variable = '';
  isRemoving = false;
  isSending = false;
  /** What the server wants confirmed before it does it. */
  changes: readonly string[] = [];
  error = '';
  /** What became of the last key. */
  result = '';

  constructor(
    private readonly rpc: Rpc,
    private readonly models: ModelsStore,
  ) {
    super();
  }

  get isOffered(): boolean {
    return this.models.isOffered && this.rpc.offers('Settings.set_key');
  }

  begin({ keyVariable }: Pick<Provider, 'keyVariable'>, isRemoving = false): void {
    this.#reset(keyVariable, isRemoving);
    this.changed();
  }

  cancel(): void {
    this.#reset('', false);
    this.changed();
  }

  /**
   * Hands the key to the server; '' removes it.
   *
   * @returns whether it has been done, so that the field can be emptied
   */
  async send(key: string, isConfirmed: boolean): Promise<boolean> {
    const { variable } = this;
    if (!variable || this.isSending) return false;
    this.isSending = true;
    this.error = '';
    this.changed();
    const { value, error } = await told(this.rpc.rpcExtract('Settings.set_key', variable, key, isConfirmed));
    this.isSending = false;
    const answer = fields<KeyKept | SettingsToConfirm>(value);
    // The form may be another one's by now.
    if (variable !== this.variable) return false;
    this.changes = answer.status === 'confirm' ? strings(answer.changes) : [];
    this.error = error;
    const isDone = !error && answer.status !== 'confirm';
    if (isDone) {
      const place = placeOfKey(text(answer.where));
      this.#reset('', false);
      const done = key ? `\`${variable}\` is in ${place} now.` : `\`${variable}\` was removed.`;
      this.result = [done, text(answer.message)].filter(Boolean).join(' ');
    }
    this.changed();
    // Not waited for: until then the keyboard would have nowhere to be.
    if (isDone) void this.models.refresh();
    return isDone;
  }

  #reset(variable: string, isRemoving: boolean): void {
    this.variable = variable;
    this.isRemoving = isRemoving;
    this.changes = [];
    this.error = '';
    this.result = '';
  }
}
