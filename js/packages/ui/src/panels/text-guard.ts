/**
 * What a user types into a field, while the plugin answers to it. Typing is sent after a pause; a value from the
 * plugin doesn't replace newer text, and keeps the caret.
 */

export type TextField = HTMLInputElement | HTMLTextAreaElement;

const PAUSE_MS = 80;
/** Who types without a pause is heard this often. */
const MAX_WAIT_MS = 320;
const MAX_SENT = 50;

/** State of one field. */
interface Typing {
  timer: number | undefined;
  /** When what waits began to wait. */
  since: number;
  isComposing: boolean;
  send: (() => Promise<unknown>) | null;
  /** Values that were sent and that the plugin may still echo, the oldest first. */
  sent: string[];
  /** Sends without an answer. */
  pending: number;
  /** Value of the plugin that came while newer text was on its way. */
  held: string | null;
}

export class TextGuard {
  readonly #fields = new Map<TextField, Typing>();

  /** @param isFocused - whether the user is in the field */
  constructor(private readonly isFocused: (field: TextField) => boolean) {}

  /** Sends by `send` after a pause in typing. */
  typed(field: TextField, send: () => Promise<unknown>): void {
    const typing = this.#of(field);
    const now = performance.now();
    if (!typing.send) typing.since = now;
    const rest = Math.max(0, typing.since + MAX_WAIT_MS - now);
    clearTimeout(typing.timer);
    typing.send = send;
    typing.held = null;
    typing.timer = window.setTimeout(() => this.flush(field), Math.min(PAUSE_MS, rest));
  }

  /** An input method is at work: nothing is written into the field until it is done. */
  composing(field: TextField, isComposing: boolean): void {
    this.#of(field).isComposing = isComposing;
  }

  /** Sends what waits: before another event, so that events arrive in their order. */
  flush(only?: TextField): void {
    for (const [field, typing] of this.#fields) {
      const { send } = typing;
      if (!send || (only && field !== only)) continue;
      clearTimeout(typing.timer);
      typing.send = null;
      typing.sent.push(field.value);
      if (typing.sent.length > MAX_SENT) typing.sent.shift();
      typing.pending += 1;
      void send().finally(() => this.#onAnswer(field, typing));
    }
  }

  /** Shows a value from the plugin, unless the field has newer text. */
  show(field: TextField, value: string): void {
    const typing = this.#fields.get(field);
    if (field.value === value) {
      if (typing) Object.assign(typing, { sent: [], held: null });
      return;
    }
    if (!typing || !this.isFocused(field)) {
      write(field, value);
      return;
    }
    if (typing.send || typing.isComposing) {
      typing.held = value;
      return;
    }
    const echo = typing.sent.indexOf(value);
    if (echo >= 0 && echo < typing.sent.length - 1) {
      typing.sent = typing.sent.slice(echo + 1);
      return;
    }
    if (typing.pending > 0) typing.held = value;
    else write(field, value);
  }

  /** Shows what was held back while the user typed. */
  left(field: TextField): void {
    const typing = this.#fields.get(field);
    if (typing) typing.isComposing = false;
    if (typing) this.#release(field, typing);
  }

  /** Forgets a field that is gone. */
  forget(field: TextField): void {
    clearTimeout(this.#fields.get(field)?.timer);
    this.#fields.delete(field);
  }

  dispose(): void {
    for (const { timer } of this.#fields.values()) clearTimeout(timer);
    this.#fields.clear();
  }

  #onAnswer(field: TextField, typing: Typing): void {
    typing.pending -= 1;
    if (typing.pending === 0) this.#release(field, typing);
  }

  #release(field: TextField, typing: Typing): void {
    if (typing.send || typing.isComposing || typing.held === null) return;
    write(field, typing.held);
    typing.held = null;
  }

  #of(field: TextField): Typing {
    let typing = this.#fields.get(field);
    if (!typing) {
      typing = {
        timer: undefined,
        since: 0,
        isComposing: false,
        send: null,
        sent: [],
        pending: 0,
        held: null,
      };
      this.#fields.set(field, typing);
    }
    return typing;
  }
}

/** Sets the value; a caret stays where it is, or at the end. */
function write(field: TextField, value: string): void {
  const start = caret(field);
  const wasAtEnd = start === field.value.length;
  field.value = value;
  if (start === null) return;
  const place = wasAtEnd ? value.length : Math.min(start, value.length);
  field.setSelectionRange(place, place);
}

/** null in fields that have no caret, such as those of numbers, and in those that the user isn't in. */
function caret(field: TextField): number | null {
  return (field.getRootNode() as Document | ShadowRoot).activeElement === field ? field.selectionStart : null;
}
