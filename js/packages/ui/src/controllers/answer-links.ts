/** Controller that adds links to complete answers, in time slices, the newest first. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { linkAnswer } from '../markdown/link-answer.ts';
import type { LinkResolver } from '../model/link-resolver.ts';
import type { Dispose } from '../model/store.ts';
import { inSlices } from '../model/time-slicing.ts';

const ANSWERS = '.message.assistant:not([data-state="streaming"]) .prose';
/** Number of newest answers that are processed again when more files or symbols are known. */
const MAX_REVISITED = 30;
const PAUSE_MS = 60;

export class AnswerLinks implements ReactiveController {
  readonly #done = new WeakSet<Element>();
  #links: LinkResolver | null = null;
  #stopListening: Dispose = () => {};
  #stopWork: Dispose = () => {};
  #timer: number | undefined;

  /** @param links called after each update, so that it may be replaced */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly links: () => LinkResolver,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const links = this.links();
    if (links !== this.#links) {
      this.hostDisconnected();
      this.#links = links;
      this.#stopListening = links.subscribe(() => this.#again());
    }
    this.#later();
  }

  hostDisconnected(): void {
    this.#stopListening();
    this.#stopWork();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#links = null;
  }

  get #answers(): HTMLElement[] {
    return [...(this.host.shadowRoot?.querySelectorAll<HTMLElement>(ANSWERS) ?? [])].reverse();
  }

  /** Processes answers again when more is known. */
  #again(): void {
    for (const answer of this.#answers.slice(0, MAX_REVISITED)) this.#done.delete(answer);
    this.#later();
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, PAUSE_MS);
  }

  #work(): void {
    const links = this.#links;
    const answers = this.#answers.filter((answer) => !this.#done.has(answer));
    if (!links?.isReady || !answers.length) return;
    const unknown = new Map<HTMLElement, string[]>();
    const look = (answer: HTMLElement): void => {
      this.#done.add(answer);
      const names = linkAnswer(answer, links.files, links.peek);
      if (names.length) unknown.set(answer, names);
    };
    this.#stopWork();
    this.#stopWork = inSlices(answers, look, () => void this.#learn(links, unknown));
  }

  /** Loads the unknown names of all answers in one request; then links those answers again. */
  async #learn(links: LinkResolver, unknown: ReadonlyMap<HTMLElement, string[]>): Promise<void> {
    if (!unknown.size) return;
    await links.load([...unknown.values()].flat());
    if (links !== this.#links) return;
    for (const answer of unknown.keys()) linkAnswer(answer, links.files, links.peek);
  }
}
