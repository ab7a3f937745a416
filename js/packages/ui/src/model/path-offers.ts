/** Store of the files that the input names and that aren't ticked: each is offered as a tick. */

import { mentionsIn } from './mentions.ts';
import type { Session } from './session.ts';
import { type Dispose, Store } from './store.ts';

const MAX_OFFERS = 8;
/** Only the beginning of a longer text is searched: it is searched at each key. */
const MAX_CHARACTERS = 20_000;

export class PathOffersStore extends Store {
  offers: readonly string[] = [];
  /** Offers that the user has closed; forgotten once the input no longer names them. */
  #dismissed: ReadonlySet<string> = new Set();
  readonly #stopListening: readonly Dispose[];

  constructor(private readonly session: Session) {
    super();
    const { draft, files, selection } = session;
    this.#stopListening = [draft, files, selection].map((store) => store.subscribe(() => this.#update()));
    this.#update();
  }

  /** Ticks an offered file. */
  tick(path: string): void {
    this.session.selection.mark([path], true);
  }

  dismiss(path: string): void {
    this.#dismissed = new Set([...this.#dismissed, path]);
    this.#update();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  #update(): void {
    const { draft, files, links, selection } = this.session;
    const text = draft.text.slice(0, MAX_CHARACTERS);
    const named = new Set(mentionsIn(text, links.files).map(({ location }) => location.path));
    this.#dismissed = new Set([...this.#dismissed].filter((path) => named.has(path)));
    const offers = [...named].filter(
      (path) =>
        files.tree.files.get(path)?.isSendable &&
        !selection.isExcluded(path) &&
        !selection.has(path) &&
        !this.#dismissed.has(path),
    );
    const shown = offers.slice(0, MAX_OFFERS);
    if (shown.join('\0') === this.offers.join('\0')) return;
    this.offers = shown;
    this.changed();
  }
}
