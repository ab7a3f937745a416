/**
 * A socket whose frames travel as numbered messages of the widget's comm. To `RpcLink` it looks like a
 * WebSocket; the other end is the relay in the kernel (`jupyter_ac/hosts/kernel/relay`).
 */

import type { SocketLike } from '@jupyter-ac/link';
import { LOST_KERNEL } from '@jupyter-ac/link/codes';
import { End, type Envelope } from './end.ts';
import { Pace } from './pace.ts';
import { readParts, spellParts } from './window.ts';

type Message = Readonly<Record<string, unknown>>;

/** The kernel's end of the widget, as far as a socket needs it. */
export interface RelayPort {
  /** Throws when the widget has lost its kernel. */
  send(message: Message): void;
  listen(listener: (message: Message) => void): () => void;
}

/** What a socket has seen; for tests and benchmarks. */
export interface RelayFigures {
  link: string;
  /** Messages of this link that came. */
  heard: number;
  /** Parts that came, each once and in order. */
  received: number;
  /** Parts that came again. */
  repeated: number;
  /** How often lost parts were asked for. */
  asked: number;
}

export interface CommSocketOptions {
  readonly client: string;
  /** Told, from `LATE_MS` on and each second, how long the kernel has owed an answer; 0 when it has come. */
  readonly onWait?: (ms: number) => void;
  readonly now?: () => number;
}

/** An answer that takes longer than this means that the kernel can't listen just now. */
export const LATE_MS = 1500;
export const KERNEL_GONE =
  'The kernel was restarted or has ended: run the cell with %ac again to get the panel back.';

const OPEN_AGAIN_MS = 5000;
/** After a frame either way, more is expected for so long. */
const EXPECT_MS = 20_000;
const TELL_MS = 1000;
/** Each message costs the user's kernel some of its time, and two more on its way to say so. */
const PER_SECOND = 6;
const BURST = 4;

const GONE = 1001;
const TOO_LARGE = 1009;
const OVERLOADED = 1013;

export class CommSocket implements SocketLike {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly #link = linkName();
  readonly #end = new End();
  readonly #pace = new Pace(PER_SECOND, BURST);
  readonly #now: () => number;
  readonly #bornAt: number;
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #openAgainAt: number;
  #tellAt: number;
  #hasTold = false;
  #isAttending = false;
  #isWorkSoon = false;
  #heard = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stopListening: () => void;
  /** Says goodbye while it still can; a page that stays after all connects again. */
  readonly #leave = (): void => this.#lose(GONE, '');

  constructor(
    private readonly port: RelayPort,
    private readonly options: CommSocketOptions,
  ) {
    this.#now = options.now ?? (() => performance.now());
    this.#bornAt = this.#openAgainAt = this.#now();
    this.#tellAt = this.#bornAt + LATE_MS;
    this.#stopListening = port.listen((message) => this.#hear(message));
    // What is sent while the page goes still leaves; else the kernel would find out by and by.
    globalThis.addEventListener?.('pagehide', this.#leave);
    // Not now: whoever opens a socket attaches its listeners first.
    this.#timer = setTimeout(() => this.#work(), 0);
  }

  get figures(): RelayFigures {
    const { incoming, asked } = this.#end;
    return {
      link: this.#link,
      heard: this.#heard,
      received: incoming.received,
      repeated: incoming.repeated,
      asked,
    };
  }

  send(frame: string): void {
    if (this.#state !== 'open') return;
    this.#end.push(frame);
    this.#expectMore();
    if (this.#end.outgoing.isFull) this.#lose(OVERLOADED, 'Too much is waiting to be sent to the kernel.');
    else this.#workSoon();
  }

  /** Something is to be expected from the kernel for as long as this is true, e.g. an answer. */
  attend(isExpecting: boolean): void {
    this.#isAttending = isExpecting;
    this.#expectMore();
    this.#workSoon();
  }

  /** Finds out at once whether the widget still has a kernel. */
  check(): void {
    if (this.#state === 'closed') return;
    try {
      this.port.send({ type: 'relay.open', link: this.#link, client: this.options.client });
    } catch {
      this.#lose(LOST_KERNEL, KERNEL_GONE);
    }
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#retire();
    try {
      this.port.send({ type: 'relay.close', link: this.#link });
    } catch {
      // The kernel is gone, and the link with it.
    }
  }

  #expectMore(): void {
    const now = this.#now();
    this.#end.expect(now, this.#isAttending ? Number.POSITIVE_INFINITY : now + EXPECT_MS);
  }

  /** After what runs now: calls that are made together, or answers to one message, go together. */
  #workSoon(): void {
    if (this.#isWorkSoon) return;
    this.#isWorkSoon = true;
    queueMicrotask(() => {
      this.#isWorkSoon = false;
      if (this.#isOpen()) this.#work();
    });
  }

  /** Sends what is due and sleeps until the next thing is. */
  #work(): void {
    const now = this.#now();
    try {
      if (this.#state === 'opening') this.#askToOpen(now);
      else this.#sendDue(now);
    } catch {
      this.#lose(LOST_KERNEL, KERNEL_GONE);
    }
    this.#tell(now);
    if (this.#state === 'closed') return;
    const due =
      this.#state === 'opening' ? this.#openAgainAt : Math.max(this.#end.due(), this.#pace.readyAt());
    const wake = Math.min(due, this.#tellAt);
    clearTimeout(this.#timer);
    if (wake < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#work(), Math.max(0, wake - this.#now()));
    }
  }

  #askToOpen(now: number): void {
    if (now < this.#openAgainAt) return;
    this.#openAgainAt = now + OPEN_AGAIN_MS;
    this.port.send({ type: 'relay.open', link: this.#link, client: this.options.client });
  }

  #sendDue(now: number): void {
    while (now >= this.#pace.readyAt()) {
      const envelope = this.#end.poll(now);
      if (!envelope) return;
      this.#pace.spend(now);
      this.port.send(spell(this.#link, envelope));
    }
  }

  /** Tells that the kernel keeps this waiting, now and then, and once that it no longer does. */
  #tell(now: number): void {
    const since = this.#state === 'opening' ? this.#bornAt : this.#end.waitsSince;
    const waited = since === null || this.#state === 'closed' ? 0 : now - since;
    if (since !== null && waited >= LATE_MS) {
      if (now < this.#tellAt) return;
      this.#tellAt = now + TELL_MS;
      this.#hasTold = true;
      this.options.onWait?.(waited);
      return;
    }
    this.#tellAt = since === null ? Number.POSITIVE_INFINITY : since + LATE_MS;
    if (!this.#hasTold) return;
    this.#hasTold = false;
    this.options.onWait?.(0);
  }

  #hear(message: Message): void {
    if (message.link !== this.#link || this.#state === 'closed') return;
    if (message.type === 'relay.closed') {
      const code = typeof message.code === 'number' ? message.code : GONE;
      this.#lose(code, typeof message.reason === 'string' ? message.reason : '');
      return;
    }
    const envelope = read(message);
    if (!envelope) return;
    this.#heard += 1;
    if (this.#state === 'opening') {
      this.#state = 'open';
      this.onopen?.(undefined as never);
    }
    if (envelope.run.parts.length) this.#expectMore();
    for (const frame of this.#end.hear(envelope, this.#now())) this.onmessage?.({ data: frame });
    if (this.#end.isGone) this.#lose(OVERLOADED, 'Too much was lost on the way to the kernel.');
    else if (this.#end.incoming.isTooLong) this.#lose(TOO_LARGE, 'A message was too large for the page.');
    else this.#workSoon();
  }

  /** Asked anew: a listener may have closed this. */
  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #lose(code: number, reason: string): void {
    if (this.#state === 'closed') return;
    const { onclose } = this;
    this.close();
    onclose?.({ code, reason });
  }

  #retire(): void {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    this.#stopListening();
    globalThis.removeEventListener?.('pagehide', this.#leave);
    this.#tell(this.#now());
  }
}

function spell(link: string, { run, ack, ping, resend }: Envelope): Message {
  return {
    type: 'relay',
    link,
    seq: run.first,
    ack,
    frames: spellParts(run.parts),
    ...(ping ? { ping } : {}),
    ...(resend ? { resend } : {}),
  };
}

/** Null when it is nothing that a relay sends. */
function read({ type, seq, ack, frames, ping, resend }: Message): Envelope | null {
  if (type !== 'relay' || !isCount(seq) || !isCount(ack) || seq < 1 || !Array.isArray(frames)) return null;
  const parts = readParts(frames);
  return parts && { run: { first: seq, parts }, ack, ping: ping === true, resend: resend === true };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A name that no other view of any page has. */
function linkName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
