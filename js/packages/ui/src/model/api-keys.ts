/** Store of the API-key form. The key itself is only passed on, never stored here. */

import type { KeyKept, Rpc, SettingsToConfirm } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import type { ModelsStore, Provider } from './models.ts';
import { Store } from './store.ts';
import { fields, strings, text } from './wire.ts';

/** Names of the places where the server stores keys. */
const KEY_LOCATIONS: Readonly<Record<string, string>> = {
  keyring: t("the system's keyring"),
  'llm.json': t('`llm.json`, readable by you only'),
  environment: t('the environment'),
};

export function keyLocation(where: string): string {
  return KEY_LOCATIONS[where] ?? where;
}

export class ApiKeysStore extends Store {
  /** Filter of the list. */
  query = '';
  /** Environment variable of the key being entered or removed; '' for none. */
  variable = '';
  isRemoving = false;
  isSending = false;
  /** Changes that the server wants confirmed first. */
  changes: readonly string[] = [];
  error = '';
  /** Result of the last change, as a sentence. */
  result = '';

  constructor(
    private readonly rpc: Rpc,
    private readonly models: ModelsStore,
  ) {
    super();
  }

  /** Providers that match the filter, those with a key first. */
  filtered(providers: readonly Provider[]): Provider[] {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = providers.filter(({ name, keyVariable }) => {
      const letters = `${name} ${keyVariable}`.toLowerCase();
      return keyVariable && words.every((word) => letters.includes(word));
    });
    return [...found.filter(({ hasKey }) => hasKey), ...found.filter(({ hasKey }) => !hasKey)];
  }

  search(query: string): void {
    this.query = query;
    this.changed();
  }

  begin({ keyVariable }: Pick<Provider, 'keyVariable'>, isRemoving = false): void {
    this.#reset(keyVariable, isRemoving);
    this.changed();
  }

  cancel(): void {
    this.#reset('', false);
    this.changed();
  }

  left(): void {
    this.query = '';
    this.cancel();
  }

  /**
   * Sends the key to the server; '' removes it.
   *
   * @returns whether it was stored or removed, so that the field can be cleared
   */
  async send(key: string, isConfirmed: boolean): Promise<boolean> {
    const { variable } = this;
    if (!variable || this.isSending) return false;
    this.isSending = true;
    this.error = '';
    this.changed();
    const { value, error } = await toResult(
      this.rpc.rpcExtract('Settings.set_key', variable, key, isConfirmed),
    );
    this.isSending = false;
    const answer = fields<KeyKept | SettingsToConfirm>(value);
    // The form may show another provider by now.
    if (variable !== this.variable) return false;
    this.changes = answer.status === 'confirm' ? strings(answer.changes) : [];
    this.error = error;
    const isDone = !error && answer.status !== 'confirm';
    if (isDone) {
      const place = keyLocation(text(answer.where));
      this.#reset('', false);
      const done = key ? t('`%1` is in %2 now.', variable, place) : t('`%1` was removed.', variable);
      this.result = [done, text(answer.message)].filter(Boolean).join(' ');
    }
    this.changed();
    // Not awaited: until then no element could have the focus.
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
