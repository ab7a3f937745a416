/** Files pasted or dropped; whether they are images is checked later. */

import type { ImageFile } from '../model/attachments.ts';

export type OnFiles = (files: readonly ImageFile[]) => void;

/** Handles pasted files; content that also has text, like spreadsheet cells, is pasted as text. */
export function onPaste(event: ClipboardEvent, take: OnFiles): void {
  if (!event.clipboardData?.types.includes('text/plain')) handOver(event, event.clipboardData, take);
}

/** Handles files dropped on `host`: otherwise the browser would navigate to them. */
export function onDrop(host: HTMLElement, take: OnFiles): void {
  host.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  host.addEventListener('drop', (event) => handOver(event, event.dataTransfer, take));
}

function handOver(event: Event, data: DataTransfer | null, take: OnFiles): void {
  const files = [...(data?.files ?? [])];
  if (!files.length) return;
  event.preventDefault();
  take(files.map(imageFile));
}

export function imageFile(file: File): ImageFile {
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
