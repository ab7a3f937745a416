/** The files among what was pasted or dropped; whether they are images is looked at later. */

import type { OfferedImage } from '../model/attachments.ts';

export type Take = (files: readonly OfferedImage[]) => void;

/** Takes files that are pasted; what has a text as well, like cells of a spreadsheet, is pasted as text. */
export function onPaste(event: ClipboardEvent, take: Take): void {
  if (!event.clipboardData?.types.includes('text/plain')) hand(event, event.clipboardData, take);
}

/** Takes files that are dropped anywhere on `host`: the browser would leave the page for them. */
export function onDrop(host: HTMLElement, take: Take): void {
  host.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  host.addEventListener('drop', (event) => hand(event, event.dataTransfer, take));
}

function hand(event: Event, data: DataTransfer | null, take: Take): void {
  const files = [...(data?.files ?? [])];
  if (!files.length) return;
  event.preventDefault();
  take(files.map(offered));
}

export function offered(file: File): OfferedImage {
  return { name: file.name, type: file.type, size: file.size, read: () => dataUri(file) };
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
