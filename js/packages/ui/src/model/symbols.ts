/** Which names are symbols of the repository: asked for many at once, each once. */

import type { Rpc, SymbolRow } from '@jupyter-ac/link/rpc';
import type { Place } from './places.ts';
import { told } from './told.ts';
import { fields, list, number, text } from './wire.ts';

export interface KnownSymbol {
  readonly name: string;
  readonly kind: string;
  readonly container: string;
  readonly signature: string;
  readonly place: Place;
}

/** In one request. */
export const MOST_NAMES = 100;
/** What is known is forgotten when it becomes more than this. */
const MOST_KNOWN = 5000;

export function parseSymbols(raw: unknown): KnownSymbol[] {
  return list(raw)
    .map(fields<SymbolRow>)
    .map((row) => ({
      name: text(row.name),
      kind: text(row.kind),
      container: text(row.container),
      signature: text(row.signature),
      place: { path: text(row.file), line: number(row.line), col: number(row.column) },
    }))
    .filter(({ name, place }) => name && place.path);
}

export class KnownSymbols {
  /** By the name that was asked for; an empty list: no such symbol. */
  readonly #known = new Map<string, readonly KnownSymbol[]>();

  constructor(private readonly rpc: Rpc) {}

  /** What is known already; undefined when nobody has asked. */
  peek(name: string): readonly KnownSymbol[] | undefined {
    return this.#known.get(name);
  }

  /** Asks for those of `names` that aren't known, in one request; what doesn't fit into it stays unknown. */
  async learn(names: Iterable<string>): Promise<void> {
    const wanted = [...new Set(names)].filter((name) => !this.#known.has(name)).slice(0, MOST_NAMES);
    if (!wanted.length || !this.rpc.offers('LLMService.resolve_symbols')) return;
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.resolve_symbols', wanted));
    if (error) return;
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    const rows = parseSymbols(value);
    for (const name of wanted)
      this.#known.set(
        name,
        rows.filter((row) => isCalled(row, name)),
      );
  }

  /** The repository has changed: all is asked for again when it is wanted again. */
  forget(): void {
    this.#known.clear();
  }
}

/** Whether `name` is this symbol's, with the class or the module before it, if anything. */
function isCalled({ name: own, container, place }: KnownSymbol, name: string): boolean {
  const [last, owner] = name.split('.').reverse();
  if (last !== own) return false;
  const module = place.path.split('/').map((part) => part.split('.', 1)[0] ?? '');
  return owner === undefined || owner === container || (!container && module.slice(-2).includes(owner));
}
