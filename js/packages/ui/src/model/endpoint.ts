/** Store of a model server of the user's own: its models, a trial, keeping it. A key is only passed on. */

import type {
  ConfigInfo,
  EndpointKindRow,
  FoundModels,
  ModelTried,
  Rpc,
  SettingsToConfirm,
} from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { withValue } from './settings-text.ts';
import { Store } from './store.ts';
import { fields, list, number, strings, text } from './wire.ts';

export interface EndpointKind {
  readonly kind: string;
  readonly title: string;
  /** Goes before the names of its models. */
  readonly provider: string;
  /** Usual address; '' if there is none. */
  readonly address: string;
  /** Environment variable of the key; '' when it takes none. */
  readonly keyVariable: string;
}

export type EndpointAction = 'find' | 'try' | 'keep' | 'remove';

export interface Outcome {
  readonly action: EndpointAction;
  readonly isGood: boolean;
  readonly message: string;
}

/** A request that waits for the user's consent. */
export interface PendingRequest {
  readonly action: EndpointAction;
  readonly changes: readonly string[];
}

interface Step {
  readonly changes: readonly string[];
  readonly error: string;
  readonly message: string;
}

const DONE: Step = { changes: [], error: '', message: '' };

export class EndpointStore extends Store {
  isOpen = false;
  kinds: readonly EndpointKind[] = [];
  kind: EndpointKind | null = null;
  address = '';
  /** Full name, with the provider in front. */
  model = '';
  /** Models that were found at the address; null before. */
  models: readonly string[] | null = null;
  /** Address of the model in use, if it is not the provider's. */
  inForce = '';
  busy: EndpointAction | null = null;
  pending: PendingRequest | null = null;
  outcome: Outcome | null = null;
  /** What the user has agreed to send requests to. */
  readonly #agreed = new Set<string>();

  constructor(private readonly rpc: Rpc) {
    super();
  }

  get isOffered(): boolean {
    return this.rpc.offers('Settings.list_endpoint_kinds');
  }

  get canTry(): boolean {
    return this.rpc.offers('Settings.try_model');
  }

  async open(): Promise<void> {
    this.isOpen = true;
    this.#clear();
    this.changed();
    const [kinds, info] = await Promise.all([
      toResult(this.rpc.rpcExtract('Settings.list_endpoint_kinds')),
      toResult(this.rpc.rpcExtract('Settings.get_config_info')),
    ]);
    this.kinds = list(kinds.value)
      .map(fields<EndpointKindRow>)
      .map((row) => ({
        kind: text(row.kind),
        title: text(row.title),
        provider: text(row.provider),
        address: text(row.api_base),
        keyVariable: text(row.key_variable),
      }));
    this.inForce = text(fields<ConfigInfo>(info.value).api_base);
    if (!this.kind) this.choose(this.kinds[0]?.kind ?? '');
    if (kinds.error) this.outcome = { action: 'find', isGood: false, message: kinds.error };
    this.changed();
  }

  close(): void {
    this.isOpen = false;
    this.#clear();
    this.changed();
  }

  left(): void {
    this.close();
  }

  choose(kind: string): void {
    this.kind = this.kinds.find((found) => found.kind === kind) ?? null;
    this.address = this.kind?.address ?? '';
    this.model = '';
    this.models = null;
    this.#clear();
    this.changed();
  }

  enterAddress(address: string): void {
    this.address = address;
    this.models = null;
    this.#clear();
    this.changed();
  }

  /** @param name with or without the provider in front */
  enterModel(name: string): void {
    const plain = name.trim();
    const head = `${this.kind?.provider ?? ''}/`;
    this.model = !plain || plain.startsWith(head) || head === '/' ? plain : `${head}${plain}`;
    this.#clear();
    this.changed();
  }

  cancel(): void {
    this.#clear();
    this.changed();
  }

  /** Sends a short question to a model that is set up, at the address that is in force. */
  async tryModel(model: string, isConfirmed = false): Promise<void> {
    if (isConfirmed) this.#agreed.add(model);
    await this.#run('try', () => this.#try(model, '', '', this.#agreed.has(model)));
  }

  /**
   * @param key entered by the user; '' for none
   * @param isConfirmed the user has agreed to what `pending` says
   */
  async act(action: EndpointAction, key: string, isConfirmed = false): Promise<void> {
    const isAgreed = isConfirmed || this.#agreed.has(this.#place(key));
    const steps: Readonly<Record<EndpointAction, () => Promise<Step>>> = {
      find: () => this.#find(key, isAgreed),
      try: () => this.#try(this.model, this.address.trim(), key, isAgreed),
      keep: () => this.#keep(key, isConfirmed),
      remove: () => this.#write(isConfirmed, ['api_base', undefined]),
    };
    if (isConfirmed && action !== 'remove') this.#agreed.add(this.#place(key));
    await this.#run(action, steps[action]);
    // The server may have added the `/v1` to an address that the user has agreed to.
    if (isAgreed && action === 'find') this.#agreed.add(this.#place(key));
  }

  #place(key: string): string {
    return JSON.stringify([this.kind?.kind, this.address.trim(), key !== '']);
  }

  async #run(action: EndpointAction, step: () => Promise<Step>): Promise<void> {
    if (this.busy) return;
    this.#clear();
    this.busy = action;
    this.changed();
    const { changes, error, message } = await step();
    this.busy = null;
    if (changes.length) this.pending = { action, changes };
    else this.outcome = { action, isGood: !error, message: error || message };
    this.changed();
  }

  async #find(key: string, isConfirmed: boolean): Promise<Step> {
    const { value, error } = await toResult(
      this.rpc.rpcExtract(
        'Settings.find_models',
        this.kind?.kind ?? '',
        this.address.trim(),
        key,
        isConfirmed,
      ),
    );
    const answer = fields<FoundModels | SettingsToConfirm>(value);
    if (error || answer.status === 'confirm') return { ...DONE, error, changes: strings(answer.changes) };
    this.models = strings(answer.models);
    this.address = text(answer.api_base, this.address);
    if (!this.models.includes(this.model)) this.model = this.models[0] ?? this.model;
    return { ...DONE, message: foundSentence(this.models.length) };
  }

  async #try(model: string, address: string, key: string, isConfirmed: boolean): Promise<Step> {
    const { value, error } = await toResult(
      this.rpc.rpcExtract('Settings.try_model', model, address, key, isConfirmed),
    );
    const answer = fields<ModelTried | SettingsToConfirm>(value);
    if (error || answer.status === 'confirm') return { ...DONE, error, changes: strings(answer.changes) };
    return { ...DONE, message: triedSentence(model, number(answer.milliseconds), text(answer.text)) };
  }

  /** Keeps the key, the address and the model; asks for consent to all of it at once. */
  async #keep(key: string, isConfirmed: boolean): Promise<Step> {
    const variable = this.kind?.keyVariable ?? '';
    let changes: string[] = [];
    if (key && variable) {
      const kept = await toResult(this.rpc.rpcExtract('Settings.set_key', variable, key, isConfirmed));
      if (kept.error) return { ...DONE, error: kept.error };
      changes = strings(fields<SettingsToConfirm>(kept.value).changes);
    }
    let address = this.address.trim();
    while (address.endsWith('/')) address = address.slice(0, -1);
    const written = await this.#write(isConfirmed, ['model', this.model], ['api_base', address]);
    if (written.error || isConfirmed) return written;
    return { ...written, changes: [...written.changes, ...changes] };
  }

  async #write(isConfirmed: boolean, ...values: [name: string, value: unknown][]): Promise<Step> {
    const [read, info] = await Promise.all([
      toResult(this.rpc.rpcExtract('Settings.get_config_content', 'litellm')),
      toResult(this.rpc.rpcExtract('Settings.get_config_info')),
    ]);
    if (read.error || info.error) return { ...DONE, error: read.error || info.error };
    const isUnwritten = strings(fields<ConfigInfo>(info.value).unwritten).includes('litellm');
    const content = withValues(isUnwritten ? '' : text(read.value), values);
    if (content === null) return { ...DONE, error: t('`llm.json` can only be changed as text; open Files.') };
    const { value, error } = await toResult(
      this.rpc.rpcExtract('Settings.save_config_content', 'litellm', content, isConfirmed),
    );
    const answer = fields<SettingsToConfirm & { notices: unknown }>(value);
    if (error || answer.status === 'confirm') return { ...DONE, error, changes: strings(answer.changes) };
    const after = await toResult(this.rpc.rpcExtract('Settings.get_config_info'));
    const { api_base, model } = fields<ConfigInfo>(after.value);
    this.inForce = text(api_base);
    const isUsed = text(model) === this.model;
    const message = isUsed ? t('`%1` answers from the next question on.', this.model) : t('Saved.');
    return { ...DONE, message: [message, ...strings(answer.notices)].join(' ') };
  }

  #clear(): void {
    this.pending = null;
    this.outcome = null;
  }
}

function withValues(content: string, values: readonly [string, unknown][]): string | null {
  try {
    return values.reduce<string | null>(
      (result, [name, value]) => (result === null ? null : withValue(result, [name], value)),
      content,
    );
  } catch {
    return null;
  }
}

function foundSentence(count: number): string {
  if (count === 0) return t('The server answers, but has no models yet: load one there.');
  return tn('One model was found.', '%1 models were found.', count);
}

function triedSentence(model: string, milliseconds: number, said: string): string {
  const time = milliseconds < 10_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
  return said
    ? t('`%1` answered in %2: “%3”', model, time, said.replaceAll('`', "'"))
    : t('`%1` answered in %2, without a text.', model, time);
}
