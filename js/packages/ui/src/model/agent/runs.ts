/** Runs of the agent, their tool calls and questions, parsed. Pure. */

import type {
  PendingTool,
  RunAmounts,
  RunRow,
  ToolCallRow,
  ToolQuestion as ToolQuestionRow,
} from '@jupyter-ac/link/rpc';
import type { AgentMode } from '../question-arguments.ts';
import { type Fields, fields, list, number, numberOrNull, strings, text } from '../wire.ts';
import type { RawRun } from './raw-run.ts';

export type CallStatus = ToolCallRow['status'];
export type RunState = RunRow['state'];
export type Scope = 'once' | 'session' | 'prefix';

/** What a run has used, or may use. */
export interface Amounts {
  /** Requests to the model. */
  readonly steps: number;
  readonly tokens: number;
  /** Null where no price is known. */
  readonly usd: number | null;
  /** Without waits for the user. */
  readonly seconds: number;
}

export interface ToolQuestion {
  /** The exact command, cell, path, address, or the model's question. */
  readonly text: string;
  /** One sentence; '' for none. */
  readonly why: string;
  /** For how long the call may be allowed. */
  readonly scopes: ReadonlySet<Scope>;
  /** Leading arguments that the scope `prefix` allows. */
  readonly prefix: readonly string[];
  /** Of an address, which the scope `session` allows; '' for others. */
  readonly origin: string;
  readonly isSandboxed: boolean;
  /** '' for none. */
  readonly warning: string;
  /** The answer is a text. */
  readonly wantsText: boolean;
}

export interface ToolCall {
  readonly id: string;
  /** From 1. */
  readonly step: number;
  readonly tool: string;
  /** The command, the path, the address. */
  readonly title: string;
  /** JSON, shortened. */
  readonly arguments: string;
  readonly status: CallStatus;
  /** Why it was refused or has failed; '' otherwise. */
  readonly reason: string;
  readonly question: ToolQuestion | null;
  /** Null before its end. */
  readonly duration_ms: number | null;
  /** Of the result that the model is sent. */
  readonly tokens: number;
  /** The beginning of the result. */
  readonly result: string;
  /** Characters that `result` lacks. */
  readonly leftOut: number;
}

export interface Run {
  readonly id: string;
  readonly requestId: string;
  readonly mode: AgentMode;
  readonly state: RunState;
  /** Why it ended; '' for none. */
  readonly reason: string;
  readonly used: Amounts;
  readonly limits: Amounts;
  readonly calls: readonly ToolCall[];
  /** The steps that changed files, from 1. */
  readonly changedSteps: ReadonlySet<number>;
  /** Paths of the files that it has changed. */
  readonly files: readonly string[];
  readonly canUndo: boolean;
}

const MODES: ReadonlySet<unknown> = new Set<AgentMode>(['ask', 'plan', 'agent', 'sandbox']);
const STATUSES: ReadonlySet<unknown> = new Set<CallStatus>([
  ...(['waiting', 'running', 'done', 'failed', 'refused', 'cancelled'] as const),
]);
const STATES: ReadonlySet<unknown> = new Set<RunState>([
  ...(['running', 'done', 'limit', 'repeated', 'stopped', 'failed'] as const),
]);
const SCOPES: ReadonlySet<unknown> = new Set<Scope>(['once', 'session', 'prefix']);

/** The parsed runs, by what was received: the same run is asked for with each render. */
const parsed = new WeakMap<RawRun, Run>();

export function isMode(value: unknown): value is AgentMode {
  return MODES.has(value);
}

export function parseRun(raw: RawRun): Run {
  const known = parsed.get(raw);
  if (known) return known;
  const run: Run = {
    id: text(raw.run_id),
    requestId: text(raw.request_id),
    mode: isMode(raw.mode) ? raw.mode : 'agent',
    state: STATES.has(raw.state) ? (raw.state as RunState) : 'failed',
    reason: text(raw.reason),
    used: parseAmounts(fields(raw.used)),
    limits: parseAmounts(fields(raw.limits)),
    calls: list(raw.calls).map(parseCall),
    changedSteps: new Set(list(raw.changed_steps).map(number)),
    files: strings(raw.files_changed),
    canUndo: raw.can_undo === true,
  };
  parsed.set(raw, run);
  return run;
}

export function parseQuestion(raw: unknown): ToolQuestion | null {
  if (!raw) return null;
  const row = fields<ToolQuestionRow>(raw);
  return {
    text: text(row.text),
    why: text(row.why),
    scopes: new Set(list(row.scopes).filter((scope): scope is Scope => SCOPES.has(scope))),
    prefix: strings(row.prefix),
    origin: text(row.origin),
    isSandboxed: row.is_sandboxed === true,
    warning: text(row.warning),
    wantsText: row.wants_text === true,
  };
}

function parseCall(raw: unknown): ToolCall {
  const row = fields<ToolCallRow>(raw);
  return {
    id: text(row.call_id),
    step: number(row.step),
    tool: text(row.tool),
    title: text(row.title),
    arguments: text(row.arguments),
    status: STATUSES.has(row.status) ? (row.status as CallStatus) : 'failed',
    reason: text(row.reason),
    question: parseQuestion(row.question),
    duration_ms: numberOrNull(row.duration_ms),
    tokens: number(row.tokens),
    result: text(row.result),
    leftOut: number(row.left_out),
  };
}

export function parseAmounts(raw: Fields<RunAmounts>): Amounts {
  return {
    steps: number(raw.steps),
    tokens: number(raw.tokens),
    usd: numberOrNull(raw.usd),
    seconds: number(raw.seconds),
  };
}

/** A call of which no more than its question is known, and perhaps its tool. */
export function waitingCall({ call_id, question }: Fields<PendingTool>, tool = ''): ToolCall {
  const { calls } = parseRun({ calls: [{ call_id, question, tool, status: 'waiting' }] });
  return calls[0] as ToolCall;
}
