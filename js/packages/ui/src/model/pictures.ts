/** The images of questions: handed over with them, and fetched again when past ones are first shown. */

import { type GotImage, type PutImage, type Refusal, type Rpc, RpcError } from '@jupyter-ac/link/rpc';
import type { Image } from './messages.ts';
import { fields, text } from './wire.ts';

/** Hands images over, one to a frame; gives what `chat_streaming` takes behind the question. */
export async function handOver(rpc: Rpc, images: readonly string[]): Promise<[] | [null, string[]]> {
  if (!images.length) return [];
  const ids: string[] = [];
  for (const image of images) {
    ids.push(text(fields<PutImage>(await rpc.rpcExtract('LLMService.put_image', image)).id));
  }
  return [null, ids];
}

export class Pictures {
  readonly #known = new Map<string, Promise<string>>();
  readonly #here = new Map<string, string>();

  constructor(private readonly rpc: Rpc) {}

  /** What `uri` has given; null while that isn't known. */
  peek({ id, uri }: Image): string | null {
    return uri || (this.#here.get(id) ?? null);
  }

  /** A data URI; '' when the image is gone or can't be fetched. */
  async uri({ id, uri }: Image): Promise<string> {
    if (uri) return uri;
    const known = this.#known.get(id) ?? this.#fetch(id);
    this.#known.set(id, known);
    return known;
  }

  async #fetch(id: string): Promise<string> {
    try {
      const got = fields<GotImage | Refusal>(await this.rpc.rpcExtract('LLMService.get_image', id));
      this.#here.set(id, text(got.data_uri));
    } catch (error) {
      // Another time it may come.
      this.#known.delete(id);
      if (error instanceof RpcError && error.type === 'not_found') this.#here.set(id, '');
    }
    return this.#here.get(id) ?? '';
  }
}
