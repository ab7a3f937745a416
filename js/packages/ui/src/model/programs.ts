/** Store of the programs in git's configuration (filters, hooks, signing): which may run, and asking for permission. */

import type { CommitHooksRow, ProgramRow, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { fields, list, strings, text } from './wire.ts';

export interface Program {
  readonly kind: string;
  readonly name: string;
  readonly command: string;
  readonly scope: string;
  readonly files: readonly string[];
  readonly state: string;
  readonly reason: string;
}

/** Programs that a commit would run. */
export interface CommitHooks {
  readonly hooks: readonly string[];
  readonly folder: string;
  readonly commands: readonly string[];
}

export interface ProgramsPorts {
  say(kind: 'success' | 'error', message: string): void;
}

const NO_HOOKS: CommitHooks = { hooks: [], folder: '', commands: [] };
/** Only these kinds can be allowed; others never run. */
const ALLOWABLE: ReadonlySet<string> = new Set(['filter', 'signing']);

export class ProgramsStore extends Store {
  /** Programs that would run but aren't allowed to. */
  denied: readonly Program[] = [];
  hooks: CommitHooks = NO_HOOKS;
  /** The program that the user is asked about; null for none. */
  question: Program | null = null;
  /** Files to stage once the program is allowed. */
  waiting: readonly string[] = [];
  error = '';
  isSending = false;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: ProgramsPorts,
  ) {
    super();
  }

  get isOffered(): boolean {
    return this.rpc.offers('Repo.allow_program');
  }

  /** Fetches what a commit would run, and which programs aren't allowed. */
  async refresh(): Promise<void> {
    if (!this.isOffered) return;
    const [hooks, programs] = await Promise.all([
      toResult(this.rpc.rpcExtract('Repo.get_commit_hooks')),
      toResult(this.rpc.rpcExtract('Repo.list_programs')),
    ]);
    const row = fields<CommitHooksRow>(hooks.value);
    this.hooks = { hooks: strings(row.hooks), folder: text(row.folder), commands: strings(row.commands) };
    this.denied = list(programs.value)
      .map(parse)
      .filter(({ kind, state }) => ALLOWABLE.has(kind) && (state === 'not_allowed' || state === 'changed'));
    this.changed();
  }

  /** Asks the user whether a program may run; `waiting` is staged once it is allowed. */
  async ask(kind: string, name: string, waiting: readonly string[] = []): Promise<void> {
    await this.refresh();
    this.question = this.denied.find((each) => each.kind === kind && each.name === name) ?? null;
    this.waiting = waiting;
    this.error = '';
    // It may have been allowed elsewhere in the meantime.
    if (!this.question) await this.#stage();
    this.changed();
  }

  cancel(): void {
    this.question = null;
    this.error = '';
    this.changed();
  }

  /** Allows exactly the command that was shown: the server refuses any other. */
  async allow(): Promise<void> {
    const asked = this.question;
    if (!asked || this.isSending) return;
    this.isSending = true;
    this.changed();
    const { kind, name, command } = asked;
    const { error } = await toResult(this.rpc.rpcExtract('Repo.allow_program', kind, name, command));
    this.isSending = false;
    this.error = error;
    if (!error) {
      this.question = null;
      this.ports.say('success', t('The %1 %2 may run in this repository now.', programKind(kind), name));
      await this.#stage();
      await this.refresh();
    }
    this.changed();
  }

  async #stage(): Promise<void> {
    const paths = this.waiting;
    this.waiting = [];
    if (!paths.length) return;
    const { error } = await toResult(this.rpc.rpcExtract('Repo.stage_files', [...paths]));
    if (error) this.ports.say('error', error);
    else this.ports.say('success', t('Staged %1.', paths.join(', ')));
  }
}

function parse(raw: unknown): Program {
  const row = fields<ProgramRow>(raw);
  return {
    kind: text(row.kind),
    name: text(row.name),
    command: text(row.command),
    scope: text(row.scope),
    files: strings(row.files),
    state: text(row.state),
    reason: text(row.reason),
  };
}

/** Words for a kind of program that git runs. */
export function programKind(kind: string): string {
  switch (kind) {
    case 'signing':
      return t('signing program');
    case 'filter':
      return t('filter');
    case 'hook':
      return t('hook');
    default:
      return kind;
  }
}
