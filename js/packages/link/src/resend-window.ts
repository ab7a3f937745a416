/**
 * Sliding windows of a link: numbering, retention for resends, and reordering. Pure; same rules as
 * `jupyter_ac/hosts/kernel/relay/resend_window.py`, which gives the reasons.
 */

/** Limit of the text in one message: its UTF-8 stays below the 10 MB at which a kernel's socket is closed. */
export const MESSAGE_CHARS = 1 << 20;
export const RETAINED_CHARS = 32 << 20;
export const WAITING_CHARS = 64 << 20;
export const FRAME_CHARS = 64 << 20;
export const RETAINED_PARTS = 1 << 16;

/** A frame, or a fragment that the next part continues. */
export interface FramePart {
  readonly text: string;
  readonly continues: boolean;
}

/** Consecutive parts; `first` is the number of the first, or of the next one to be sent when it is empty. */
export interface FrameRun {
  readonly first: number;
  readonly parts: readonly FramePart[];
}

export interface OutgoingLimits {
  /** Limit of sent, unacknowledged text that is retained; the oldest is dropped first. */
  readonly retainedChars: number;
  /** Limit of text queued for sending. */
  readonly waitingChars: number;
  readonly messageChars: number;
}

const LIMITS: OutgoingLimits = {
  retainedChars: RETAINED_CHARS,
  waitingChars: WAITING_CHARS,
  messageChars: MESSAGE_CHARS,
};

export class Outgoing {
  /** Highest acknowledged number. */
  acknowledged = 0;
  /** Highest number sent so far. */
  sent = 0;
  readonly #limits: OutgoingLimits;
  #parts: FramePart[] = [];
  /** Number of the oldest retained part. */
  #first = 1;
  /** Number of the next part to send or resend. */
  #next = 1;
  #waiting = 0;
  #behind = 0;

  constructor(limits: Partial<OutgoingLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Number of the newest part. */
  get last(): number {
    return this.#first + this.#parts.length - 1;
  }

  get isPending(): boolean {
    return this.#next <= this.last;
  }

  /** Sent parts are not acknowledged yet. */
  get isUnacknowledged(): boolean {
    return this.sent > this.acknowledged;
  }

  /** The queue exceeds its limit. */
  get isFull(): boolean {
    return this.#waiting > this.#limits.waitingChars;
  }

  /** Queues a frame, split into fragments if it is long. */
  push(frame: string): void {
    const pieces = cut(frame, this.#limits.messageChars);
    for (const [at, text] of pieces.entries()) {
      this.#parts.push({ text, continues: at < pieces.length - 1 });
    }
    this.#waiting += frame.length;
  }

  /** The next run to send; empty when nothing is queued. */
  take(): FrameRun {
    const first = this.#next;
    const parts: FramePart[] = [];
    let chars = 0;
    for (let at = first - this.#first; at < this.#parts.length; at += 1) {
      const part = this.#parts[at] as FramePart;
      if (parts.length && chars + part.text.length > this.#limits.messageChars) break;
      parts.push(part);
      chars += part.text.length;
    }
    this.#next += parts.length;
    this.sent = Math.max(this.sent, this.#next - 1);
    this.#waiting -= chars;
    this.#behind += chars;
    while (this.#behind > this.#limits.retainedChars && this.#first < this.#next - 1) this.#drop();
    return { first, parts };
  }

  /** Drops all parts up to `number`; false when they were acknowledged before. */
  acknowledge(number: number): boolean {
    if (number <= this.acknowledged || number > this.sent) return false;
    this.acknowledged = number;
    while (this.#first <= number) this.#drop();
    return true;
  }

  /** Resends from `number` on; false when that part is no longer retained. */
  rewind(number: number): boolean {
    if (number > this.sent || number <= this.acknowledged) return true;
    if (number < this.#first) return false;
    while (this.#next > number) {
      this.#next -= 1;
      const size = (this.#parts[this.#next - this.#first] as FramePart).text.length;
      this.#waiting += size;
      this.#behind -= size;
    }
    return true;
  }

  #drop(): void {
    const size = this.#parts.shift()?.text.length ?? 0;
    if (this.#first < this.#next) this.#behind -= size;
    else {
      // It was queued for a resend, but has arrived after all.
      this.#waiting -= size;
      this.#next += 1;
    }
    this.#first += 1;
  }
}

export class Incoming {
  /** All parts up to this number have been received. */
  received = 0;
  /** A frame exceeded the limit; no more frames are returned. */
  isTooLong = false;
  /** Duplicate parts received. */
  repeated = 0;
  #known = 0;
  readonly #early = new Map<number, FramePart>();
  #earlyChars = 0;
  #pieces: string[] = [];
  #piecesChars = 0;

  constructor(
    private readonly retainedChars = RETAINED_CHARS,
    private readonly frameChars = FRAME_CHARS,
  ) {}

  /** Parts that the other end has sent are missing. */
  get hasGap(): boolean {
    return this.#known > this.received;
  }

  /** Accepts a run; returns the frames that are complete and next in order. */
  take(run: FrameRun): string[] {
    const frames: string[] = [];
    this.#known = Math.max(this.#known, run.first + run.parts.length - 1);
    for (const [at, part] of run.parts.entries()) {
      const number = run.first + at;
      if (number === this.received + 1) {
        this.#accept(part, frames);
        this.#acceptEarly(frames);
      } else if (number <= this.received || this.#early.has(number)) {
        this.repeated += 1;
      } else if (
        this.#earlyChars + part.text.length <= this.retainedChars &&
        this.#early.size < RETAINED_PARTS
      ) {
        this.#early.set(number, part);
        this.#earlyChars += part.text.length;
      }
    }
    return this.isTooLong ? [] : frames;
  }

  #acceptEarly(frames: string[]): void {
    for (;;) {
      const number = this.received + 1;
      const part = this.#early.get(number);
      if (!part) return;
      this.#early.delete(number);
      this.#earlyChars -= part.text.length;
      this.#accept(part, frames);
    }
  }

  #accept(part: FramePart, frames: string[]): void {
    this.received += 1;
    this.#pieces.push(part.text);
    this.#piecesChars += part.text.length;
    if (this.#piecesChars > this.frameChars || this.#pieces.length > RETAINED_PARTS) this.isTooLong = true;
    if (part.continues && !this.isTooLong) return;
    frames.push(this.#pieces.join(''));
    this.#pieces = [];
    this.#piecesChars = 0;
  }
}

/** Wire format of a part: a string for a whole or last fragment, a one-element list for one that continues. */
export type WirePart = string | [string];

export function encodeParts(parts: readonly FramePart[]): WirePart[] {
  return parts.map(({ text, continues }) => (continues ? [text] : text));
}

/** Decodes the parts of a message; null for malformed input. */
export function decodeParts(values: readonly unknown[]): FramePart[] | null {
  const parts: FramePart[] = [];
  for (const value of values) {
    const text: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (typeof text !== 'string') return null;
    parts.push({ text, continues: text !== value });
  }
  return parts;
}

/** Splits at `size`, but never inside a surrogate pair: Python can't join the halves. */
function cut(frame: string, size: number): string[] {
  if (frame.length <= size) return [frame];
  const pieces: string[] = [];
  for (let at = 0; at < frame.length; ) {
    let end = at + size;
    if (end < frame.length && end - at > 1 && isHighSurrogate(frame.charCodeAt(end - 1))) end -= 1;
    pieces.push(frame.slice(at, end));
    at = end;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
