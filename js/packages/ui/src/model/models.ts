/** Store of the models: the list, the one in use, and choosing another. */

import type * as wire from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { fields, list, number, numberOrNull, text } from './wire.ts';

/** Placeholder for the automatic choice, made by the keys that are set. */
const AUTOMATIC = 'automatic';
/** At most this many rows are rendered; the others are counted. */
const MAX_ROWS = 120;

export interface ModelRow {
  readonly name: string;
  readonly provider: string;
  readonly hasKey: boolean;
  /** 0 when it isn't known. */
  readonly maxInput: number;
  /** US dollars for a token; null when it isn't known. */
  readonly inputCost: number | null;
  readonly outputCost: number | null;
}

export interface Provider {
  readonly name: string;
  /** Environment variable, e.g. `OPENAI_API_KEY`; '' when it needs no key. */
  readonly keyVariable: string;
  readonly hasKey: boolean;
  /** `environment`, `keyring`, `llm.json`; '' when there is no key. */
  readonly where: string;
}

export interface ModelList {
  readonly current: { readonly name: string; readonly source: string; readonly isDemo: boolean };
  readonly models: readonly ModelRow[];
  readonly providers: readonly Provider[];
}

const EMPTY: Pick<ModelList, 'models' | 'providers'> = { models: [], providers: [] };

/** Models of one provider that match the search. */
export interface Group {
  readonly provider: Provider;
  readonly models: readonly ModelRow[];
}

export interface FilteredModels {
  readonly groups: readonly Group[];
  /** Number of matches that are not in `groups`. */
  readonly hidden: number;
  /** The query, when it may be the full name of an unlisted model; '' otherwise. */
  readonly other: string;
}

/** Parses the result of `list_models`. */
export function parseModels(raw: unknown): ModelList {
  const answer = fields<wire.ModelList>(raw);
  const current = fields<wire.ModelInUse>(answer.current);
  return {
    current: {
      name: text(current.model),
      source: text(current.source),
      isDemo: current.demo === true,
    },
    models: list(answer.models)
      .map(fields<wire.ModelRow>)
      .map((model) => ({
        name: text(model.name),
        provider: text(model.provider),
        hasKey: model.has_key === true,
        maxInput: number(model.max_input_tokens),
        inputCost: numberOrNull(model.input_cost),
        outputCost: numberOrNull(model.output_cost),
      })),
    providers: list(answer.providers)
      .map(fields<wire.ProviderRow>)
      .map((provider) => ({
        name: text(provider.name),
        keyVariable: text(provider.key_variable),
        hasKey: provider.has_key === true,
        where: text(provider.where),
      })),
  };
}

/**
 * The models whose name or provider contains all words of `query`, in the server's order of the providers.
 *
 * @param list null until it is loaded; a full name can be typed without it
 */
export function filterModels(list: ModelList | null, query: string): FilteredModels {
  const { models, providers } = list ?? EMPTY;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = models.filter(({ name, provider }) => {
    const letters = `${provider} ${name}`.toLowerCase();
    return words.every((word) => letters.includes(word));
  });
  const known = new Map(providers.map((provider, at) => [provider.name, { provider, at }]));
  const byProvider = new Map<string, ModelRow[]>();
  for (const model of matches)
    byProvider.set(model.provider, [...(byProvider.get(model.provider) ?? []), model]);
  const groups = [...byProvider].map(([name, rows]) => ({
    provider: known.get(name)?.provider ?? { name, keyVariable: '', hasKey: false, where: '' },
    models: rows,
  }));
  const rank = (group: Group) => known.get(group.provider.name)?.at ?? known.size;
  groups.sort((one, other) => rank(one) - rank(other));
  const name = query.trim();
  const isNew = /^\S{3,}$/.test(name) && !models.some((model) => model.name === name);
  return { ...cut(groups), other: isNew ? name : '' };
}

function cut(groups: readonly Group[]): Omit<FilteredModels, 'other'> {
  let room = MAX_ROWS;
  let hidden = 0;
  const shown: Group[] = [];
  for (const group of groups) {
    const models = group.models.slice(0, room);
    room -= models.length;
    hidden += group.models.length - models.length;
    if (models.length) shown.push({ ...group, models });
  }
  return { groups: shown, hidden };
}

/** The row of the model in use, which may be named without its provider; undefined when it isn't listed. */
export function currentRow({ current, models }: ModelList): ModelRow | undefined {
  const isSame = ({ name, provider }: ModelRow) => name === `${provider}/${current.name}`;
  return models.find(({ name }) => name === current.name) ?? models.find(isSame);
}

export class ModelsStore extends Store {
  list: ModelList | null = null;
  query = '';
  /** Why the list could not be loaded. */
  error = '';
  /** Result of the last choice, in sentences; `isRefused`: it was rejected. */
  result = '';
  isRefused = false;
  /** The model being chosen; '' for none. */
  choosing = '';
  #asked = 0;

  constructor(private readonly rpc: wire.Rpc) {
    super();
  }

  /** Fetches the list; of several concurrent calls the last one wins. */
  async refresh(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.rpc.rpcExtract('Settings.list_models'));
    if (mine !== this.#asked) return;
    if (!error) this.list = parseModels(value);
    this.error = error;
    this.changed();
  }

  /** Fetches the list again if it was loaded before. */
  async follow(): Promise<void> {
    if (this.list) await this.refresh();
  }

  search(query: string): void {
    this.query = query;
    this.changed();
  }

  /** Chooses a model; '' for the automatic choice by the keys. */
  async choose(name: string): Promise<void> {
    if (this.choosing) return;
    this.choosing = name || AUTOMATIC;
    this.result = '';
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('Settings.choose_model', name));
    this.choosing = '';
    this.isRefused = error !== '';
    this.result = error || choiceSentence(name, value);
    this.changed();
    await this.refresh();
  }

  /** Clears the query and the result before the picker is opened again. */
  left(): void {
    this.query = '';
    this.result = '';
    this.isRefused = false;
  }
}

function choiceSentence(wanted: string, raw: unknown): string {
  const answer = fields<wire.ModelChosen>(raw);
  const message = text(answer.message);
  const used = text(answer.model, wanted);
  if (!wanted && !used) return message || t('No key is set: no model answers.');
  if (used === wanted || !wanted)
    return t('`%1` answers from the next question on. %2', used, message).trim();
  return (
    message ||
    t(
      'The choice is saved, but %1 overrides it: `%2` stays in use.',
      text(answer.source, t('another setting')),
      used,
    )
  );
}
