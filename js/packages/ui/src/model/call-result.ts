/** Result of an RPC call as a value: refusals and failures become one sentence in `error`. */

import type { Refusal } from '@jupyter-ac/link/rpc';
import { fields, text } from './wire.ts';

export interface CallResult {
  readonly value: unknown;
  /** '' on success. */
  readonly error: string;
}

/** Awaits a call and never rejects. */
export async function toResult(call: Promise<unknown>): Promise<CallResult> {
  try {
    const value = await call;
    return { value, error: text(fields<Refusal>(value).error) };
  } catch (error) {
    return { value: null, error: error instanceof Error ? error.message : String(error) };
  }
}
