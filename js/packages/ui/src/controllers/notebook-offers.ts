/** What `@` offers of the notebook and the kernel beside the panel: cells, outputs, errors, variables. */

import { t } from '@jupyter-ac/messages';
import type { KernelAccess, VariableRow } from '@jupyter-ac/page';
import type { ContextMention, MentionKind } from '../model/context-mentions.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { MenuItem, Trigger } from '../model/input-menu.ts';
import type { Surroundings } from './notebook-context.ts';

type Asked = Pick<ContextMention, 'kind' | 'argument'>;

/** Why there are no variables. */
interface Obstacle {
  readonly title: string;
  readonly text: string;
  /** Loading the extension helps. */
  readonly isLoadable: boolean;
}

const MAX_ITEMS = 12;
/** The kernel is asked again for its variables after this time. */
const STALE_MS = 3000;
const NUMBERED = /^(cell|output):(\d{0,6})$/;
const WORDS = ['cell', 'output', 'error', 'selection', 'notebook'] as const;
/** What the text says where an item was chosen. */
const LEFT: Readonly<Record<(typeof WORDS)[number], string>> = {
  cell: t('the cell'),
  output: t('the output'),
  error: t('the error'),
  selection: t('the selection'),
  notebook: t('this notebook'),
};

export class NotebookOffers {
  #variables: readonly VariableRow[] | null = null;
  #obstacle: Obstacle | null = null;
  #askedAt = 0;
  #isAsking = false;
  #isLoading = false;
  #kernel: KernelAccess | null = null;
  #renew: () => void = () => {};

  constructor(
    private readonly surroundings: () => Surroundings,
    private readonly add: (mention: Asked) => void,
  ) {}

  /** @param renew - called when other items are offered for the trigger of the last call */
  items({ scope, query }: Trigger, renew: () => void): readonly MenuItem[] {
    if (scope === 'var') return this.#variableItems(query, renew);
    if (scope !== null) return [];
    const [, word, number] = NUMBERED.exec(query) ?? [];
    if (word) return this.#numbered(word as 'cell' | 'output', number ?? '');
    const wanted = query.toLowerCase();
    const words = WORDS.filter((name) => name.startsWith(wanted)).map((name) => this.#word(name));
    return 'var'.startsWith(wanted) ? [this.#variableWord(), ...words] : words;
  }

  #word(name: (typeof WORDS)[number]): MenuItem {
    return {
      ...{ kind: 'notebook', title: `@${name}`, detail: this.#detail(name), obstacle: '' },
      choose: () => this.#choose(name, '', LEFT[name]),
    };
  }

  #variableWord(): MenuItem {
    return {
      ...{
        kind: 'notebook',
        title: '@var:',
        detail: t('a variable of the kernel'),
        obstacle: '',
        isKept: true,
      },
      choose: () => '@var:',
    };
  }

  #detail(name: (typeof WORDS)[number]): string {
    const { notebook } = this.surroundings();
    const index = notebook?.activeCellIndex() ?? -1;
    if (name === 'error') return t('the last error');
    if (name === 'selection') return t('the selected text');
    if (name === 'notebook') return t('tick the open notebook');
    if (name === 'cell')
      return index < 0 ? t('the active cell') : t('cell %1: %2', index + 1, this.#title(index));
    return index < 0 ? t('of the active cell') : t('of cell %1: %2', index + 1, this.#title(index));
  }

  #numbered(kind: 'cell' | 'output', number: string): MenuItem[] {
    const { notebook } = this.surroundings();
    const items = (notebook?.cells() ?? []).flatMap((_, index): MenuItem[] => {
      const position = String(index + 1);
      if (!position.startsWith(number)) return [];
      if (kind === 'output' && !notebook?.outputs(index).length) return [];
      return [
        {
          ...{ kind: 'notebook', title: `@${kind}:${position}`, detail: this.#title(index), obstacle: '' },
          choose: () =>
            this.#choose(
              kind,
              position,
              kind === 'cell' ? t('cell %1', position) : t('the output of cell %1', position),
            ),
        },
      ];
    });
    return items.slice(0, MAX_ITEMS);
  }

  #title(index: number): string {
    const source = this.surroundings().notebook?.cells()[index]?.source ?? '';
    const line = source.split('\n', 100).find((each) => each.trim()) ?? '(empty)';
    return escapeInvisible(line.trim().slice(0, 80));
  }

  #variableItems(query: string, renew: () => void): MenuItem[] {
    this.#renew = renew;
    const { kernel } = this.surroundings();
    if (!kernel) return [];
    this.#follow(kernel);
    const isStale = Date.now() - this.#askedAt > STALE_MS;
    if (isStale && !this.#isLoading) void this.#ask(kernel);
    if (this.#obstacle) return [this.#obstacleItem(this.#obstacle, kernel, query)];
    if (!this.#variables) return [sentence(t('Asking the kernel …'), '')];
    const found = matching(this.#variables, query);
    if (!found.length && !query) return [sentence(t('The kernel has no variables.'), '')];
    return found.slice(0, MAX_ITEMS).map((row) => ({
      ...{ kind: 'var', title: row.name, detail: describe(row), obstacle: '' },
      choose: () => this.#choose('var', row.name, `\`${row.name}\``),
    }));
  }

  #obstacleItem({ title, text, isLoadable }: Obstacle, kernel: KernelAccess, query: string): MenuItem {
    if (!isLoadable) return sentence(title, text);
    return {
      ...{ kind: 'kernel', title: t('Load jupyter_ac in this kernel'), detail: text, obstacle: '' },
      isKept: true,
      choose: () => {
        void this.#load(kernel);
        return `@var:${query}`;
      },
    };
  }

  #choose(kind: MentionKind, argument: string, left: string): string {
    this.add({ kind, argument });
    return `${left} `;
  }

  /** Forgets what is known when another kernel is active. */
  #follow(kernel: KernelAccess): void {
    if (this.#kernel === kernel) return;
    this.#kernel = kernel;
    kernel.onChange(() => {
      this.#variables = null;
      this.#obstacle = null;
      this.#askedAt = 0;
    });
  }

  async #ask(kernel: KernelAccess): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#askedAt = Date.now();
    try {
      this.#variables = (await kernel.listVariables()).variables;
      this.#obstacle = null;
    } catch (error) {
      this.#fail(error);
    }
    this.#isAsking = false;
    this.#renew();
  }

  async #load(kernel: KernelAccess): Promise<void> {
    this.#isLoading = true;
    this.#variables = null;
    this.#obstacle = { title: t('Loading jupyter_ac …'), text: '', isLoadable: false };
    this.#renew();
    try {
      await kernel.loadExtension();
      this.#obstacle = null;
    } catch (error) {
      this.#fail(error);
    }
    this.#isLoading = false;
    if (!this.#obstacle) await this.#ask(kernel);
    else this.#renew();
  }

  #fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const type = (error as { readonly type?: unknown }).type;
    const title = type === 'busy' ? t('kernel busy') : '';
    this.#obstacle = { title, text, isLoadable: type === 'not-loaded' };
  }
}

/** An item that only says something. */
function sentence(title: string, text: string): MenuItem {
  return { kind: 'kernel', title: text && title, detail: '', obstacle: text || title, choose: () => '' };
}

/** Values first; then those whose name begins as it is typed. */
function matching(rows: readonly VariableRow[], query: string): VariableRow[] {
  const wanted = query.toLowerCase();
  const rank = ({ name, kind }: VariableRow): number =>
    (name.toLowerCase().startsWith(wanted) ? 0 : 2) + (kind === 'value' ? 0 : 1);
  return rows
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other));
}

function describe({ kind, type, shape, length }: VariableRow): string {
  const size = shape ? shape.join(' × ') : length === null ? '' : t('length %1', length);
  return [kind === 'value' ? type : kind, size].filter(Boolean).join(', ');
}
