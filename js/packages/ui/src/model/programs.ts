/** Programs that git's configuration names: which may run here, and the question for one of them. */

import type { CommitHooksRow, ProgramRow, Rpc } from '@jupyter-ac/link/rpc';
import { Store } from './store.ts';
import { told } from './told.ts';
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

/** What a commit would run. */
export interface CommitHooks {
  readonly hooks: readonly string[];
  readonly folder: string;
  readonly commands: readonly string[];
}

export interface ProgramsPorts {
  say(kind: 'success' | 'error', message: string): void;
}

const NO_HOOKS: CommitHooks = { hooks: [], folder: '', commands: [] };
/** Others are never run, whatever a person allows. */
const ASKED_FOR: ReadonlySet<string> = new Set(['filter', 'signing']);

export class ProgramsStore extends Store {
  /** Those that would run here and may not. */
  denied: readonly Program[] = [];
  hooks: CommitHooks = NO_HOOKS;
  /** What the person is asked about; null while nothing is. */
  question: Program | null = null;
  /** Files that wait for the answer. */
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

  /** Finds out what a commit would run and what may not run. */
  async look(): Promise<void> {
    if (!this.isOffered) return;
    const [hooks, programs] = await Promise.all([
      told(this.rpc.rpcExtract('Repo.get_commit_hooks')),
      told(this.rpc.rpcExtract('Repo.list_programs')),
    ]);
    const row = fields<CommitHooksRow>(hooks.value);
    this.hooks = { hooks: strings(row.hooks), folder: text(row.folder), commands: strings(row.commands) };
    this.denied = list(programs.value)
      .map(parse)
      .filter(({ kind, state }) => ASKED_FOR.has(kind) && (state === 'not_allowed' || state === 'changed'));
    this.changed();
  }

  /** Asks the person whether a program may run; `waiting` is staged once it may. */
  async ask(kind: string, name: string, waiting: readonly string[] = []): Promise<void> {
    await this.look();
    this.question = this.denied.find((each) => each.kind === kind && each.name === name) ?? null;
    this.waiting = waiting;
    this.error = '';
    // Somebody may have allowed it meanwhile.
    if (!this.question) await this.#stage();
    this.changed();
  }

  cancel(): void {
    this.question = null;
    this.error = '';
    this.changed();
  }

  /** What was shown is what is allowed: the server refuses another command. */
  async allow(): Promise<void> {
    const asked = this.question;
    if (!asked || this.isSending) return;
    this.isSending = true;
    this.changed();
    const { kind, name, command } = asked;
    const { error } = await told(this.rpc.rpcExtract('Repo.allow_program', kind, name, command));
    this.isSending = false;
    this.error = error;
    if (!error) {
      this.question = null;
      this.ports.say('success', `The ${kind} ${name} may run in this repository now.`);
      await this.#stage();
      await this.look();
    }
    this.changed();
  }

  async #stage(): Promise<void> {
    const paths = this.waiting;
    this.waiting = [];
    if (!paths.length) return;
    const { error } = await told(this.rpc.rpcExtract('Repo.stage_files', [...paths]));
    if (error) this.ports.say('error', error);
    else this.ports.say('success', `Staged ${paths.join(', ')}.`);
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
