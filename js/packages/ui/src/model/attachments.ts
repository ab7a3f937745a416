/** Store of the images attached to the question being typed. */

import { t } from '@jupyter-ac/messages';
import { Store } from './store.ts';

const MAX_IMAGES = 5;
const FULL = t('A question takes at most %1 images.', MAX_IMAGES);
const MAX_BYTES = 5 * 1024 * 1024;
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A file that was pasted or dropped. */
export interface ImageFile {
  readonly name: string;
  /** The MIME type as the browser reports it. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** As a data URI. */
  read(): Promise<string>;
}

export class AttachmentStore extends Store {
  /** Data URIs, in the order in which they were added. */
  images: readonly string[] = [];

  constructor(private readonly onError: (message: string) => void) {
    super();
  }

  /** Adds the images that are allowed; reports why each of the others was left out. */
  async add(images: readonly ImageFile[]): Promise<void> {
    for (const image of images) {
      const refusal = this.#refusal(image);
      if (refusal) this.onError(refusal);
      else await this.#read(image);
    }
  }

  /** Puts images back; does nothing if others were attached in the meantime. */
  restore(images: readonly string[]): void {
    if (this.images.length || !images.length) return;
    this.images = images.slice(0, MAX_IMAGES);
    this.changed();
  }

  remove(index: number): void {
    this.images = this.images.filter((_, place) => place !== index);
    this.changed();
  }

  /** Returns the images and clears the store: the question is being sent. */
  take(): readonly string[] {
    const { images } = this;
    this.images = [];
    this.changed();
    return images;
  }

  async #read(image: ImageFile): Promise<void> {
    const uri = await image.read().catch(() => '');
    if (!uri) return this.onError(t("%1 can't be read; it was left out.", image.name || t('The image')));
    // Other images may have been added while this one was read.
    if (this.images.length >= MAX_IMAGES) return this.onError(FULL);
    this.images = [...this.images, uri];
    this.changed();
  }

  #refusal({ name, type, size }: ImageFile): string {
    if (!TYPES.has(type))
      return t('%1 is not a PNG, JPEG, GIF or WebP image; it was left out.', name || t('This'));
    if (size > MAX_BYTES) return t('%1 is larger than 5 MB; it was left out.', name || t('The image'));
    if (this.images.length >= MAX_IMAGES) return FULL;
    return '';
  }
}
