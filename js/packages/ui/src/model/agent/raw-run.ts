/** Runs of the agent as the server sends them: merging of news, and where their calls stand in an answer. Pure. */

import type { RunRow, ToolCallRow, ToolUpdate } from '@jupyter-ac/link/rpc';
import { type Fields, fields, list, number } from '../wire.ts';

/** A run with unchecked values; `runs.ts` reads the rest of it, in a bundle of its own. */
export type RawRun = Fields<RunRow>;

/** Place in an answer's text behind which the calls of a step are shown. */
export interface StepEnd {
  /** From 1. */
  readonly step: number;
  /** UTF-16 code units. */
  readonly end: number;
}

/** @returns null for an answer without a run */
export function rawRun(raw: unknown): RawRun | null {
  return raw ? fields<RunRow>(raw) : null;
}

/** The run after an update, which has one call at most. */
export function updatedRun(run: RawRun | null, update: Fields<ToolUpdate>): RawRun {
  const calls = [...list(run?.calls)];
  if (update.call) {
    const { call_id: id } = fields<ToolCallRow>(update.call);
    const known = calls.findIndex((call) => fields<ToolCallRow>(call).call_id === id);
    calls.splice(known < 0 ? calls.length : known, 1, update.call);
  }
  return { ...fields<RunRow>(update.run), calls };
}

/** The steps that have calls, in order; one whose end isn't known yet ends with the text. */
export function stepEnds(run: RawRun | null, length: number): StepEnd[] {
  if (!run) return [];
  const ends = list(run.steps).map(number);
  const acting = new Set(list(run.calls).map((call) => number(fields<ToolCallRow>(call).step)));
  return [...acting]
    .sort((one, other) => one - other)
    .map((step) => ({ step, end: Math.min(length, ends[step - 1] ?? length) }));
}
