/** The images that go with the question being typed. */

import { Store } from './store.ts';

const MOST = 5;
const FULL = `A question takes at most ${MOST} images.`;
const MOST_BYTES = 5 * 1024 * 1024;
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A file that was pasted or dropped. */
export interface OfferedImage {
  readonly name: string;
  /** As the browser takes it to be. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** As a data URI. */
  read(): Promise<string>;
}

export class AttachmentStore extends Store {
  /** Data URIs, in the order in which they came. */
  images: readonly string[] = [];

  constructor(private readonly onError: (message: string) => void) {
    super();
  }

  /** Takes what is an image and small enough; says why of the rest. */
  async add(images: readonly OfferedImage[]): Promise<void> {
    for (const image of images) {
      const refusal = this.#refusal(image);
      if (refusal) this.onError(refusal);
      else await this.#read(image);
    }
  }

  /** Puts images back, but never over others that came meanwhile. */
  giveBack(images: readonly string[]): void {
    if (this.images.length || !images.length) return;
    this.images = images.slice(0, MOST);
    this.changed();
  }

  remove(index: number): void {
    this.images = this.images.filter((_, place) => place !== index);
    this.changed();
  }

  /** Gives them away: the question is being sent. */
  take(): readonly string[] {
    const { images } = this;
    this.images = [];
    this.changed();
    return images;
  }

  async #read(image: OfferedImage): Promise<void> {
    const uri = await image.read().catch(() => '');
    if (!uri) return this.onError(`${image.name || 'The image'} can't be read; it was left out.`);
    // Others may have come while it was read.
    if (this.images.length >= MOST) return this.onError(FULL);
    this.images = [...this.images, uri];
    this.changed();
  }

  #refusal({ name, type, size }: OfferedImage): string {
    if (!TYPES.has(type)) return `${name || 'This'} is no PNG, JPEG, GIF or WebP image; it was left out.`;
    if (size > MOST_BYTES) return `${name || 'The image'} is larger than 5 MB; it was left out.`;
    if (this.images.length >= MOST) return FULL;
    return '';
  }
}
