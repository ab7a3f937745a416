/** Cache of symbol lookups, fetched in batches. */

import type { Rpc, SymbolRow } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import type { FileLocation } from './file-location.ts';
import { fields, list, number, text } from './wire.ts';

export interface RepositorySymbol {
  readonly name: string;
  readonly kind: string;
  readonly container: string;
  readonly signature: string;
  readonly location: FileLocation;
}

/** Limit of one request. */
export const MAX_NAMES = 100;
/** The cache is cleared when it grows beyond this. */
const MAX_CACHED = 5000;

export function parseSymbols(raw: unknown): RepositorySymbol[] {
  return list(raw)
    .map(fields<SymbolRow>)
    .map((row) => ({
      name: text(row.name),
      kind: text(row.kind),
      container: text(row.container),
      signature: text(row.signature),
      location: { path: text(row.file), line: number(row.line), col: number(row.column) },
    }))
    .filter(({ name, location }) => name && location.path);
}

export class SymbolCache {
  /** Symbols by the requested name; an empty list: no such symbol. */
  readonly #known = new Map<string, readonly RepositorySymbol[]>();

  constructor(private readonly rpc: Rpc) {}

  /** The cached symbols; undefined when the name has not been looked up. */
  peek(name: string): readonly RepositorySymbol[] | undefined {
    return this.#known.get(name);
  }

  /** Fetches the `names` that aren't cached, in one request; names beyond its limit stay unknown. */
  async load(names: Iterable<string>): Promise<void> {
    const wanted = [...new Set(names)].filter((name) => !this.#known.has(name)).slice(0, MAX_NAMES);
    if (!wanted.length || !this.rpc.offers('LLMService.resolve_symbols')) return;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.resolve_symbols', wanted));
    if (error) return;
    if (this.#known.size > MAX_CACHED) this.#known.clear();
    const rows = parseSymbols(value);
    for (const name of wanted)
      this.#known.set(
        name,
        rows.filter((row) => isCalled(row, name)),
      );
  }

  /** Invalidates the cache after a change of the repository. */
  clear(): void {
    this.#known.clear();
  }
}

/** Whether `name` means this symbol; it may be qualified by the class or module. */
function isCalled({ name: own, container, location }: RepositorySymbol, name: string): boolean {
  const [last, owner] = name.split('.').reverse();
  if (last !== own) return false;
  const module = location.path.split('/').map((part) => part.split('.', 1)[0] ?? '');
  return owner === undefined || owner === container || (!container && module.slice(-2).includes(owner));
}
