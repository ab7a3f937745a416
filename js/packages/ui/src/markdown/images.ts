/** Images of answers: from the repository through the server, or in the text itself; nothing is loaded from elsewhere. */

import type { FileData, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from '../model/call-result.ts';
import { fields, text } from '../model/wire.ts';

/** Images of one answer that are read; further ones stay names. */
const MOST = 20;
const IN_TEXT = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=]+$/i;
const FROM_SERVER = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml);base64,[a-z0-9+/=]*$/i;
const NAMES = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

/** Whether an address is an image that is written in the text itself. */
export function isImageData(url: string): boolean {
  return IN_TEXT.test(url);
}

/** Path of an image in the repository that an address may name; '' for none. */
export function imagePath(url: string): string {
  let path = url;
  try {
    path = decodeURIComponent(url);
  } catch {
    // It is a path with a percent sign.
  }
  const name = path.replace(/^(?:\.\/)+/, '');
  const isInside = !name.startsWith('/') && !/[:\\]/.test(name) && !name.split('/').includes('..');
  return isInside && NAMES.test(name) ? name : '';
}

/** Replaces the names of images in the repository by the images. */
export class RepositoryImages {
  /** @param rpc - the connection of the panel at that time */
  constructor(private readonly rpc: () => Rpc) {}

  /** @param answer - a complete answer; idempotent */
  draw(answer: ParentNode): void {
    const names = [...answer.querySelectorAll<HTMLElement>('span.image[title]')];
    for (const name of names.slice(0, MOST)) void this.#load(name);
  }

  async #load(name: HTMLElement): Promise<void> {
    const path = imagePath(name.title);
    const alternative = (name.textContent ?? '').replace(/^Image: /, '');
    name.removeAttribute('title');
    if (!path) return;
    const { value, error } = await toResult(this.rpc().rpcExtract('Repo.get_file_base64', path));
    const address = text(fields<FileData>(value).data_uri);
    if (error || !FROM_SERVER.test(address)) {
      name.title = error || t('This is no image.');
      name.classList.add('missing');
      return;
    }
    const image = document.createElement('img');
    image.alt = alternative;
    image.title = path;
    image.src = address;
    name.replaceWith(image);
  }
}
