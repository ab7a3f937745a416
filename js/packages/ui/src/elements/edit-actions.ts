/** What a person wants done with edits, on its way from a card to the stores. */

import type { Session } from '../model/session.ts';

export type EditAction =
  /** No indices: all that wait. */
  | { readonly act: 'accept' | 'reject'; readonly requestId: string; readonly indices: number[] }
  /** No indices: all that stand. */
  | { readonly act: 'undo'; readonly requestId: string; readonly indices: readonly number[] }
  /** To what was asked before edits are taken back. */
  | { readonly act: 'confirm' | 'keep' }
  /** A file is ticked, and a question for its edits is put into the input. */
  | { readonly act: 'tick'; readonly path: string }
  /** The person is asked whether a filter may run; the file is staged once it may. */
  | { readonly act: 'allow'; readonly filter: string; readonly path: string }
  /** A prepared question is put into the input. */
  | { readonly act: 'retry'; readonly prompt: string };

const EVENT = 'ac-edit-wish';

export function dispatchEditAction(from: HTMLElement, detail: EditAction): void {
  from.dispatchEvent(new CustomEvent(EVENT, { detail, bubbles: true, composed: true }));
}

export function onEditAction(host: HTMLElement, listener: (wish: EditAction) => void): void {
  host.addEventListener(EVENT, (event) => listener((event as CustomEvent<EditAction>).detail));
}

/** Never sends anything to the model, and takes no word away that was typed. */
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
