/** What a method answered: its refusals and failures become one sentence. */

import type { Refusal } from '@jupyter-ac/link/rpc';
import { fields, text } from './wire.ts';

export interface Told {
  readonly value: unknown;
  /** '' when it was done. */
  readonly error: string;
}

/** Never rejects. */
export async function told(call: Promise<unknown>): Promise<Told> {
  try {
    const value = await call;
    return { value, error: text(fields<Refusal>(value).error) };
  } catch (error) {
    return { value: null, error: error instanceof Error ? error.message : String(error) };
  }
}
