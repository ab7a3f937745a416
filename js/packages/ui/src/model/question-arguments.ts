/** The arguments of `chat_streaming` behind the question. */

import type { Params, Rpc, RunRow } from '@jupyter-ac/link/rpc';
import { uploadImages } from './images.ts';

/** How an answer may act; 'ask': not at all. */
export type AgentMode = RunRow['mode'];

type Further = Params<'LLMService.chat_streaming'> extends [string, string, ...infer Rest] ? Rest : never;

/**
 * Uploads the images. Trailing defaults are left out: an older server doesn't know all.
 *
 * @param images data URIs
 * @param excluded web pages that must not be sent or fetched; null: as the server knows it
 */
export async function questionArguments(
  rpc: Rpc,
  images: readonly string[],
  excluded: readonly string[] | null,
  mode: AgentMode,
): Promise<Further> {
  const uploaded = await uploadImages(rpc, images);
  const ids = uploaded[1] ?? null;
  if (mode !== 'ask') return [null, ids, excluded, null, false, null, mode];
  return excluded ? [null, ids, excluded] : [...uploaded];
}
