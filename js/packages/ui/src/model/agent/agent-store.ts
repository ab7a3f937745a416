/** Store of agent runs: the mode of the next question, decisions on tool calls, undo of runs. */

import type { KeptFile, PendingTool, RunUndone, ToolUpdate } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from '../call-result.ts';
import { DiffStore } from '../diff-store.ts';
import type { AgentMode } from '../question-arguments.ts';
import type { Session } from '../session.ts';
import { type Dispose, Store } from '../store.ts';
import { type Fields, fields, list, number, strings, text } from '../wire.ts';
import { ModeMemory } from './mode-memory.ts';
import { PanelCalls } from './panel-calls.ts';
import { type Amounts, type Scope, type ToolCall, waitingCall } from './runs.ts';
import { TaskRuns } from './task-runs.ts';

export type AgentParts = Pick<Session, 'rpc' | 'chat' | 'toasts'> & {
  readonly ports: Pick<Session['ports'], 'storage'>;
};

export interface ToolDecision {
  readonly isAllowed: boolean;
  readonly scope: Scope;
  /** The answer to a question of the model, or why a call is refused; '' for none. */
  readonly text: string;
}

/** What became of undoing a run. */
export interface Undone {
  /** Paths of files that are as they were before. */
  readonly restored: readonly string[];
  /** Files that were left alone, each with the reason. */
  readonly kept: readonly KeptFile[];
  /** From this step on; from 1. */
  readonly step: number;
}

const NOT_OFFERED = t('This server has no agent: update it');

export class AgentStore extends Store {
  /** Why the server refuses runs to this page; '' while it doesn't. */
  refusal = '';
  /** Limits of the next run by the settings; those that aren't known are missing. */
  limits: Partial<Amounts> = {};
  /** The run that is being undone; '' for none. */
  undoing = '';
  /** What runs have changed, by their ids. */
  readonly diffs: DiffStore<[runId: string]>;
  /** Runs that carry out tasks of plans. */
  readonly tasks = new TaskRuns();
  /** Calls of panels. */
  readonly panelCalls = new PanelCalls();
  /** Calls that wait, by request: found after a reload, when the page has missed their beginning. */
  #pending = new Map<string, readonly ToolCall[]>();
  /** Calls whose decision is on its way, or has arrived. */
  readonly #decided = new Set<string>();
  readonly #undone = new Map<string, Undone>();
  readonly #modes: ModeMemory;
  /** The running answer whose waiting calls were asked for. */
  #followed = '';
  #sessionId = '';
  readonly #stopListening: readonly Dispose[];

  constructor(private readonly parts: AgentParts) {
    super();
    const { rpc, chat } = parts;
    this.diffs = new DiffStore((run) => rpc.rpcExtract('LLMService.get_run_diff', run));
    this.#modes = new ModeMemory(parts.ports.storage);
    this.#stopListening = [
      rpc.on('toolUpdated', (update) => this.#onToolUpdate(fields<ToolUpdate>(update))),
      rpc.on('settingsChanged', () => void this.#fetchLimits()),
      rpc.onStatus(({ state }) => state === 'open' && this.#onConnected()),
      chat.subscribe(() => this.#onChatChanged()),
    ];
    this.#onConnected();
    this.#onChatChanged();
  }

  /** How the answer to the next question may act. */
  get mode(): AgentMode {
    return this.obstacle ? 'ask' : this.#modes.modeOf(this.parts.chat.sessionId);
  }

  /** Why the mode can't be chosen; '' when it can. */
  get obstacle(): string {
    const { rpc } = this.parts;
    if (rpc.connected && !rpc.offers('LLMService.answer_tool')) return NOT_OFFERED;
    return this.refusal;
  }

  /** Chooses the mode of this conversation. */
  choose(mode: AgentMode): void {
    this.#modes.set(this.parts.chat.sessionId, mode);
    this.changed();
  }

  /** Calls of a running answer that wait for the user, and aren't among those of its run. */
  pendingOf(requestId: string, known: readonly ToolCall[]): readonly ToolCall[] {
    const ids = new Set(known.map(({ id }) => id));
    return (this.#pending.get(requestId) ?? []).filter(({ id }) => !ids.has(id));
  }

  /** Whether a call has got its decision, though the server may not have told it yet. */
  isDecided(requestId: string, callId: string): boolean {
    return this.#decided.has(callKey(requestId, callId));
  }

  /** Sends the decision on a call; after a failure it waits again. */
  async decide(
    requestId: string,
    callId: string,
    { isAllowed, scope, text: words }: ToolDecision,
  ): Promise<void> {
    const key = callKey(requestId, callId);
    if (this.#decided.has(key)) return;
    this.#decided.add(key);
    this.changed();
    const decision = isAllowed ? 'allow' : 'refuse';
    const { error } = await toResult(
      this.parts.rpc.rpcExtract('LLMService.answer_tool', requestId, callId, decision, scope, words),
    );
    if (error) {
      this.#decided.delete(key);
      this.parts.toasts.show('error', error);
      await this.#fetchPending();
    } else this.#drop(requestId, callId);
    this.changed();
  }

  /** The last undo of a run; null before one. */
  undoneOf(runId: string): Undone | null {
    return this.#undone.get(runId) ?? null;
  }

  /** Restores the files as they were before a step of a run; step 1: before the run. */
  async undo(runId: string, step: number): Promise<void> {
    if (this.undoing) return;
    this.undoing = runId;
    this.changed();
    const { value, error } = await toResult(this.parts.rpc.rpcExtract('LLMService.undo_run', runId, step));
    this.undoing = '';
    if (error) this.parts.toasts.show('error', error);
    else this.#show(runId, parseUndone(fields<RunUndone>(value), step));
    this.changed();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  #show(runId: string, undone: Undone): void {
    this.#undone.set(runId, undone);
    const { restored, kept } = undone;
    const left = kept.length ? t('; %1 left alone', tn('%1 file', '%1 files', kept.length)) : '';
    const said = restored.length
      ? tn('%1 file restored%2.', '%1 files restored%2.', restored.length, left)
      : t('No file restored%1.', left);
    this.parts.toasts.show(kept.length ? 'warning' : 'success', said);
  }

  #onConnected(): void {
    this.refusal = '';
    this.#followed = '';
    this.#decided.clear();
    void this.#fetchLimits();
    void this.#fetchPending();
    this.changed();
  }

  #onChatChanged(): void {
    const { stream, messages, asked, sessionId } = this.parts.chat;
    if (sessionId) this.#modes.name(sessionId);
    const last = messages.at(-1);
    const isRefused = last?.failure?.type === 'access_denied' && last.requestId === asked;
    const refusal = isRefused && this.mode !== 'ask' ? (last.failure?.message ?? '') : this.refusal;
    // Not with each word of an answer: the cards of all runs would be rendered again.
    const isNews = refusal !== this.refusal || sessionId !== this.#sessionId;
    this.refusal = refusal;
    this.#sessionId = sessionId;
    // What waits for an answer that begins now is told with its run.
    const id = stream && stream.phase !== 'sending' ? stream.requestId : '';
    const isNew = id !== this.#followed && id !== '';
    this.#followed = id;
    if (isNew) void this.#fetchPending();
    if (isNews) this.changed();
  }

  async #fetchPending(): Promise<void> {
    const { rpc } = this.parts;
    if (!rpc.offers('LLMService.list_pending_tools')) return;
    const { value, error } = await toResult(rpc.rpcExtract('LLMService.list_pending_tools'));
    if (error) return;
    const pending = new Map<string, readonly ToolCall[]>();
    const rows = list(value).map(fields<PendingTool>);
    this.tasks.addWaiting(rows.filter(({ task }) => task));
    this.panelCalls.replace(rows.filter(({ panel }) => panel));
    for (const row of rows.filter(({ task, panel }) => !task && !panel)) {
      const id = text(row.request_id);
      pending.set(id, [...(pending.get(id) ?? []), waitingCall(row)]);
    }
    this.#pending = pending;
    this.changed();
  }

  async #fetchLimits(): Promise<void> {
    const { rpc } = this.parts;
    if (!rpc.offers('Settings.get_config_content')) return;
    const { value, error } = await toResult(rpc.rpcExtract('Settings.get_config_content', 'app'));
    if (error) return;
    this.limits = parseLimits(text(value));
    this.changed();
  }

  #onToolUpdate(update: Fields<ToolUpdate>): void {
    const { request_id, call, task, panel } = update;
    if (task) {
      this.tasks.update(update);
      return;
    }
    if (panel) {
      this.panelCalls.update(update);
      return;
    }
    const { call_id, status } = fields<{ call_id: string; status: string }>(call);
    if (call_id && status !== 'waiting') this.#drop(text(request_id), text(call_id));
  }

  #drop(requestId: string, callId: string): void {
    const left = (this.#pending.get(requestId) ?? []).filter(({ id }) => id !== callId);
    this.#pending.set(requestId, left);
    this.changed();
  }
}

function callKey(requestId: string, callId: string): string {
  return JSON.stringify([requestId, callId]);
}

function parseUndone({ files_restored, files_kept }: Fields<RunUndone>, step: number): Undone {
  const kept = list(files_kept).map(fields<KeptFile>);
  return {
    restored: strings(files_restored),
    kept: kept.map(({ path, reason }) => ({ path: text(path), reason: text(reason) })),
    step,
  };
}

/** The limits in the text of `app.json`; none of those that it lacks. */
function parseLimits(written: string): Partial<Amounts> {
  let settings: unknown = null;
  try {
    settings = JSON.parse(written);
  } catch {
    // The file is damaged; the settings say so.
  }
  const { agent } = fields<{ agent: object }>(settings);
  const { max_steps, max_tokens, max_usd, max_minutes } = fields(agent);
  return {
    steps: number(max_steps),
    tokens: number(max_tokens),
    usd: number(max_usd),
    seconds: 60 * number(max_minutes),
  };
}
