/**
 * What a user does to form controls, while the plugin answers to it. Typing is sent after a pause; a value from the
 * plugin doesn't replace newer text, and keeps the caret.
 */

import type { Control } from './event-arguments.ts';

export type TextField = HTMLInputElement | HTMLTextAreaElement;

const PAUSE_MS = 80;
/** Who types without a pause is heard this often. */
const MAX_WAIT_MS = 320;
const MAX_SENT = 50;
/** After an answer, for the changes that the plugin makes of it. */
const AFTER_ANSWER_MS = 50;

/** State of one control. */
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
  /** Shows a value of the plugin that may be older than what the user did. */
  held: (() => void) | null;
  release: number | undefined;
}

export class TextGuard {
  readonly #fields = new Map<Control, Typing>();

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
    hold(typing, null);
    typing.timer = window.setTimeout(() => this.flush(field), Math.min(PAUSE_MS, rest));
  }

  /** What the user did to another control was sent. */
  sent(control: Control, answer: Promise<unknown>): void {
    const typing = this.#of(control);
    hold(typing, null);
    this.#await(typing, answer);
  }

  /** An input method is at work: nothing is written into the field until it is done. */
  composing(field: TextField, isComposing: boolean): void {
    this.#of(field).isComposing = isComposing;
  }

  /** Sends what waits: before another event, so that events arrive in their order. */
  flush(only?: Control): void {
    for (const [field, typing] of this.#fields) {
      const { send } = typing;
      if (!send || (only && field !== only)) continue;
      clearTimeout(typing.timer);
      typing.send = null;
      typing.sent.push(field.value);
      if (typing.sent.length > MAX_SENT) typing.sent.shift();
      this.#await(typing, send());
    }
  }

  /** Shows a value from the plugin, unless the field has newer text. */
  show(field: TextField, value: string): void {
    const typing = this.#fields.get(field);
    if (typing) hold(typing, null);
    if (field.value === value) {
      if (typing) typing.sent = [];
      return;
    }
    if (!typing || !this.isFocused(field)) {
      write(field, value);
      return;
    }
    if (typing.send || typing.isComposing) {
      hold(typing, () => write(field, value));
      return;
    }
    const echo = typing.sent.indexOf(value);
    if (echo >= 0 && echo < typing.sent.length - 1) {
      typing.sent = typing.sent.slice(echo + 1);
      return;
    }
    if (typing.pending > 0) hold(typing, () => write(field, value));
    else write(field, value);
  }

  /**
   * Shows again what the plugin has said before: it has seen what the user did, and it is to be as it was. That is
   * known only when all is answered, and nothing else has come since.
   */
  showAgain(control: Control, show: () => void): void {
    const typing = this.#fields.get(control);
    if (!typing) {
      show();
      return;
    }
    // Text that the plugin hasn't got will have an answer of its own.
    if (typing.send || typing.isComposing) return;
    hold(typing, show);
    if (typing.pending === 0) this.#releaseLater(typing);
  }

  /** Shows what was held back while the user typed. */
  left(field: TextField): void {
    const typing = this.#fields.get(field);
    if (!typing) return;
    typing.isComposing = false;
    if (typing.pending === 0) release(typing);
  }

  /** Forgets a control that is gone. */
  forget(control: Control): void {
    const typing = this.#fields.get(control);
    if (typing) stop(typing);
    this.#fields.delete(control);
  }

  dispose(): void {
    for (const typing of this.#fields.values()) stop(typing);
    this.#fields.clear();
  }

  #await(typing: Typing, answer: Promise<unknown>): void {
    typing.pending += 1;
    void answer.finally(() => {
      typing.pending -= 1;
      if (typing.pending === 0 && typing.held) this.#releaseLater(typing);
    });
  }

  #releaseLater(typing: Typing): void {
    clearTimeout(typing.release);
    typing.release = window.setTimeout(() => {
      if (typing.pending === 0) release(typing);
    }, AFTER_ANSWER_MS);
  }

  #of(field: Control): Typing {
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
        release: undefined,
      };
      this.#fields.set(field, typing);
    }
    return typing;
  }
}

function hold(typing: Typing, show: (() => void) | null): void {
  clearTimeout(typing.release);
  typing.held = show;
}

function release(typing: Typing): void {
  const { held, send, isComposing } = typing;
  if (!held || send || isComposing) return;
  hold(typing, null);
  held();
}

function stop(typing: Typing): void {
  clearTimeout(typing.timer);
  hold(typing, null);
}

/** Sets the value; a caret stays where it is, or at the end. */
export function write(field: TextField, value: string): void {
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
