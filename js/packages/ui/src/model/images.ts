/** Images of questions: upload before sending, and a cache of those fetched for past questions. */

import { type GotImage, type PutImage, type Refusal, type Rpc, RpcError } from '@jupyter-ac/link/rpc';
import type { Image } from './messages.ts';
import { fields, text } from './wire.ts';

/** Uploads images, one per frame; returns the further arguments of `chat_streaming`. */
export async function uploadImages(rpc: Rpc, images: readonly string[]): Promise<[] | [null, string[]]> {
  if (!images.length) return [];
  const ids: string[] = [];
  for (const image of images) {
    ids.push(text(fields<PutImage>(await rpc.rpcExtract('LLMService.put_image', image)).id));
  }
  return [null, ids];
}

export class ImageCache {
  readonly #requests = new Map<string, Promise<string>>();
  readonly #loaded = new Map<string, string>();

  constructor(private readonly rpc: Rpc) {}

  /** The cached data URI, '' for a missing image; null while it isn't loaded. */
  peek({ id, uri }: Image): string | null {
    return uri || (this.#loaded.get(id) ?? null);
  }

  /** Loads the data URI; '' when the image is gone or can't be fetched. */
  async uri({ id, uri }: Image): Promise<string> {
    if (uri) return uri;
    const known = this.#requests.get(id) ?? this.#fetch(id);
    this.#requests.set(id, known);
    return known;
  }

  async #fetch(id: string): Promise<string> {
    try {
      const got = fields<GotImage | Refusal>(await this.rpc.rpcExtract('LLMService.get_image', id));
      this.#loaded.set(id, text(got.data_uri));
    } catch (error) {
      // The next call may succeed.
      this.#requests.delete(id);
      if (error instanceof RpcError && error.type === 'not_found') this.#loaded.set(id, '');
    }
    return this.#loaded.get(id) ?? '';
  }
}
