/** Store of what goes out with the next question from notebooks and kernels; all panels of a conversation share it. */

import type { ContextItemGiven, ContextItemRow, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { uploadImages } from './images.ts';
import { type Dispose, Store } from './store.ts';
import { fields, list, number, text } from './wire.ts';

/** A file has a chip only while it can't be ticked. */
export type ContextKind = ContextItemGiven['kind'] | 'file';

export interface ContextChip {
  /** Id on the server, or a local one until it is there. */
  readonly key: string;
  readonly kind: ContextKind;
  readonly name: string;
  readonly source: string;
  readonly state: 'ready' | 'adding' | 'failed';
  readonly tokens: number;
  /** How many secrets in it are masked. */
  readonly secrets: number;
  readonly images: number;
  /** Why it could not be added, and what to do; '' if it was. */
  readonly error: string;
}

/** Reads what is added; null: there is no item to add. Rejects with one sentence. */
export type ReadItem = () => Promise<ContextItemGiven | null>;

export class ContextItemsStore extends Store {
  /** One sentence on why the question was not sent; '' otherwise. */
  refusal = '';
  #rows: readonly ContextChip[] = [];
  /** What this panel is adding, or has failed to add. */
  #local: readonly ContextChip[] = [];
  readonly #readers = new Map<string, ReadItem>();
  readonly #work = new Set<Promise<unknown>>();
  #made = 0;
  #asked = 0;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: { say(kind: 'error', message: string): void; recount(): void },
  ) {
    super();
    this.#stopListening = [
      rpc.on('contextChanged', (rows) => this.#setRows(rows)),
      ...(['streamComplete', 'sessionChanged', 'userMessage'] as const).map((event) =>
        rpc.on(event, () => void this.refresh()),
      ),
    ];
  }

  get isOffered(): boolean {
    return this.rpc.offers('LLMService.add_context');
  }

  get chips(): readonly ContextChip[] {
    return [...this.#rows, ...this.#local];
  }

  async refresh(): Promise<void> {
    if (!this.isOffered) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_context_items'));
    if (!error && mine === this.#asked) this.#setRows(value);
  }

  /** Reads something and adds it; resolves to whether it was added. A failure stays as a chip. */
  add(kind: ContextKind, name: string, read: ReadItem): Promise<boolean> {
    this.#made += 1;
    const key = `local-${this.#made}`;
    const same = this.#local.find((chip) => chip.kind === kind && chip.name === name);
    if (same) this.#forget(same.key);
    const none = { source: '', tokens: 0, secrets: 0, images: 0, error: '' };
    this.#local = [...this.#local, { key, kind, name, state: 'adding', ...none }];
    this.#readers.set(key, read);
    this.changed();
    return this.#run(key, read);
  }

  /** Adds what has failed, anew. */
  async retry(key: string): Promise<void> {
    const read = this.#readers.get(key);
    if (!read || this.#local.find((chip) => chip.key === key)?.state !== 'failed') return;
    this.#update(key, { state: 'adding', error: '' });
    await this.#run(key, read);
  }

  /** Removes what was added, or a failure. */
  async remove(key: string): Promise<void> {
    if (this.#readers.has(key)) {
      this.#forget(key);
      this.changed();
      return;
    }
    const before = this.#rows;
    this.#rows = before.filter((chip) => chip.key !== key);
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.remove_context', key));
    if (error) {
      this.ports.say('error', t('It could not be removed: %1', error));
      await this.refresh();
    } else this.#setRows(value);
  }

  /** Resolves when nothing is being added. */
  async settled(): Promise<void> {
    while (this.#work.size) await Promise.all(this.#work);
  }

  /** Says why a question was not sent; '' ends that, and with it the chips of failures. */
  refuse(sentence: string): void {
    this.refusal = sentence;
    if (!sentence) {
      for (const { key, state } of this.#local) if (state === 'failed') this.#forget(key);
    }
    this.changed();
  }

  dispose(): void {
    this.#asked += 1;
    for (const stop of this.#stopListening) stop();
  }

  #run(key: string, read: ReadItem): Promise<boolean> {
    const work = this.#add(key, read).finally(() => this.#work.delete(work));
    this.#work.add(work);
    return work;
  }

  async #add(key: string, read: ReadItem): Promise<boolean> {
    const result = await toResult(
      read().then(async (item) => {
        // It may have been removed meanwhile.
        if (!item || !this.#readers.has(key)) return null;
        const [, images] = await uploadImages(this.rpc, item.images ?? []);
        return await this.rpc.rpcExtract('LLMService.add_context', images ? { ...item, images } : item);
      }),
    );
    if (!this.#readers.has(key)) {
      const { id } = fields<ContextItemRow>(result.value);
      if (id) await this.remove(text(id));
      return false;
    }
    if (result.error) {
      this.#update(key, { state: 'failed', error: result.error });
      return false;
    }
    this.#forget(key);
    const chip = parseRow(result.value);
    if (result.value === null) this.changed();
    else this.#show([...this.#rows.filter((row) => !isSame(row, chip)), chip]);
    return true;
  }

  #forget(key: string): void {
    this.#readers.delete(key);
    this.#local = this.#local.filter((chip) => chip.key !== key);
  }

  #update(key: string, change: Partial<ContextChip>): void {
    this.#local = this.#local.map((chip) => (chip.key === key ? { ...chip, ...change } : chip));
    this.changed();
  }

  /** Takes the server's rows; an answer to an earlier request is out of date from here on. */
  #setRows(raw: unknown): void {
    this.#asked += 1;
    this.#show(list(raw).map(parseRow));
  }

  #show(rows: readonly ContextChip[]): void {
    const isOther = JSON.stringify(rows) !== JSON.stringify(this.#rows);
    this.#rows = rows;
    this.changed();
    if (isOther) this.ports.recount();
  }
}

function isSame(one: ContextChip, other: ContextChip): boolean {
  return one.kind === other.kind && one.name === other.name && one.source === other.source;
}

function parseRow(raw: unknown): ContextChip {
  const row = fields<ContextItemRow>(raw);
  return {
    key: text(row.id),
    kind: text(row.kind) as ContextKind,
    name: text(row.name),
    source: text(row.source),
    state: 'ready',
    tokens: number(row.tokens),
    secrets: number(row.secrets),
    images: number(row.images),
    error: '',
  };
}
