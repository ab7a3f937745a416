/** Actions on edits: events from the cards to the stores. */

import type { Session } from '../model/session.ts';

export type EditAction =
  /** Empty indices: all pending edits. */
  | { readonly act: 'accept' | 'reject'; readonly requestId: string; readonly indices: number[] }
  /** Empty indices: all applied edits. */
  | { readonly act: 'undo'; readonly requestId: string; readonly indices: readonly number[] }
  /** Answer to the question before an undo. */
  | { readonly act: 'confirm' | 'keep' }
  /** Ticks a file, and puts a question for its edits into the input. */
  | { readonly act: 'tick'; readonly path: string }
  /** Asks the user whether a filter may run; then the file is staged. */
  | { readonly act: 'allow'; readonly filter: string; readonly path: string }
  /** Puts a prepared question into the input. */
  | { readonly act: 'retry'; readonly prompt: string };

const EVENT = 'ac-edit-action';

export function dispatchEditAction(from: HTMLElement, detail: EditAction): void {
  from.dispatchEvent(new CustomEvent(EVENT, { detail, bubbles: true, composed: true }));
}

export function onEditAction(host: HTMLElement, listener: (action: EditAction) => void): void {
  host.addEventListener(EVENT, (event) => listener((event as CustomEvent<EditAction>).detail));
}

/** Performs an action. Never sends anything to the model, and never removes typed text. */
export function performEditAction({ edits, draft, selection, programs }: Session, wanted: EditAction): void {
  switch (wanted.act) {
    case 'tick':
      selection.mark([wanted.path], true);
      return void appendToDraft(
        draft,
        `This file is in the context as of now; send its edits again:\n- ${wanted.path}`,
      );
    case 'accept':
      return void edits.accept(wanted.requestId, wanted.indices);
    case 'reject':
      return void edits.reject(wanted.requestId, wanted.indices);
    case 'undo':
      return void edits.undo(wanted.requestId, wanted.indices);
    case 'confirm':
      return void edits.confirm();
    case 'keep':
      edits.keep();
      return;
    case 'allow':
      return void programs.ask('filter', wanted.filter, [wanted.path]);
    case 'retry':
      appendToDraft(draft, wanted.prompt);
  }
}

function appendToDraft(draft: Session['draft'], prompt: string): void {
  if (draft.text.includes(prompt) || draft.restore(prompt)) return;
  draft.set(`${draft.text.trimEnd()}\n\n${prompt}`);
}
