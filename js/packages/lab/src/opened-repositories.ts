/** Which repository was opened from a folder that is in none; known as long as the browser's tab. */

const KEY = 'jupyter-ac.opened';
/** As many folders as anybody goes back to. */
const MOST = 50;

export class OpenedRepositories {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Paths of repositories by folder, the one opened last at the end. */
  #known: ReadonlyMap<string, string>;

  /** @param storage - the tab's; null where the browser forbids it */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'> | null) {
    this.#storage = storage;
    this.#known = new Map(read(storage));
  }

  /** The path of the repository that was opened from the folder; null for none. */
  from(folder: string): string | null {
    return this.#known.get(folder) ?? null;
  }

  keep(folder: string, path: string): void {
    this.#write([...this.#others(folder), [folder, path]]);
  }

  forget(folder: string): void {
    this.#write(this.#others(folder));
  }

  #others(folder: string): [string, string][] {
    return [...this.#known].filter(([other]) => other !== folder);
  }

  #write(rows: readonly [string, string][]): void {
    const kept = rows.slice(-MOST);
    this.#known = new Map(kept);
    try {
      this.#storage?.setItem(KEY, JSON.stringify(kept));
    } catch {
      // A storage that is full or forbidden: it is known until the page is loaded again.
    }
  }
}

function read(storage: Pick<Storage, 'getItem'> | null): [string, string][] {
  try {
    const rows: unknown = JSON.parse(storage?.getItem(KEY) ?? '[]');
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  } catch {
    return [];
  }
}

function isRow(row: unknown): row is [string, string] {
  return Array.isArray(row) && row.length === 2 && row.every((name) => typeof name === 'string');
}
