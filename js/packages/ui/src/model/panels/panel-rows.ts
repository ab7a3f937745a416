/** The panels of a server or of a kernel, as they list them. Pure. */

import type { PanelRow } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type Fields, fields, list, number, strings, text } from '../wire.ts';

export type PanelOrigin = PanelRow['origin'];
export type PanelState = PanelRow['state'];

export interface ListedPanel {
  /** Unique among the panels of its server or kernel. */
  readonly id: string;
  readonly title: string;
  readonly origin: PanelOrigin;
  readonly state: PanelState;
  /** Why it has failed; null: it has not. */
  readonly error: { readonly message: string; readonly stack: string } | null;
  /** Methods of the server that it may call, by their full names. */
  readonly calls: readonly string[];
  /** How often its plugin was loaded; with each time, what was wrong before is over. */
  readonly loads: number;
}

const MAX_PANELS = 200;
const MAX_CALLS = 200;

export const ORIGIN_WORDS: Readonly<Record<PanelOrigin, string>> = {
  'built-in': t('Built in'),
  'entry-point': t('Of an installed package'),
  command: 'A command of your settings',
  file: t('A file, loaded anew when it is saved'),
  connected: t('A program that has connected'),
  kernel: t("Of the notebook's kernel"),
};

export const STATE_WORDS: Readonly<Record<PanelState, string>> = {
  stopped: t('Not started'),
  starting: t('Starting …'),
  running: t('Running'),
  failed: t('Failed'),
};

/** @param value - untrusted: titles are a plugin's own */
export function parsePanels(value: unknown): ListedPanel[] {
  const seen = new Set<string>();
  return list(value)
    .slice(0, MAX_PANELS)
    .flatMap((raw) => {
      const row: Fields<PanelRow> = fields(raw);
      const id = text(row.id);
      if (!id || seen.has(id)) return [];
      seen.add(id);
      const error = fields<{ message: string; stack: string }>(row.error);
      const state = oneOf<PanelState>(row.state, STATE_WORDS, 'stopped');
      return {
        id,
        title: text(row.title) || id,
        origin: oneOf<PanelOrigin>(row.origin, ORIGIN_WORDS, 'connected'),
        state,
        error: state === 'failed' ? { message: text(error.message), stack: text(error.stack) } : null,
        calls: strings(row.calls).slice(0, MAX_CALLS),
        loads: number(row.loads),
      };
    });
}

/** Methods by their namespaces, both in order: `Repo` → `get_file_tree`, … */
export function callsByNamespace(calls: readonly string[]): [namespace: string, methods: string[]][] {
  const found = new Map<string, string[]>();
  for (const name of [...calls].sort()) {
    const [namespace = '', ...method] = name.split('.');
    found.set(namespace, [...(found.get(namespace) ?? []), method.join('.')]);
  }
  return [...found];
}

function oneOf<Word extends string>(
  value: unknown,
  words: Readonly<Record<Word, string>>,
  otherwise: Word,
): Word {
  return typeof value === 'string' && Object.hasOwn(words, value) ? (value as Word) : otherwise;
}
