/**
 * A socket whose frames travel as numbered messages of the widget's comm. To `RpcLink` it looks like a
 * WebSocket; the other end is the relay in the kernel (`jupyter_ac/hosts/kernel/relay`).
 */

import type { SocketLike } from '@jupyter-ac/link';
import { KERNEL_LOST } from '@jupyter-ac/link/close-codes';
import { Endpoint, type Envelope } from './endpoint.ts';
import { TokenBucket } from './token-bucket.ts';
import { decodeParts, encodeParts } from './window.ts';

type Message = Readonly<Record<string, unknown>>;

/** The kernel's end of the widget, as far as a socket needs it. */
export interface RelayPort {
  /** Throws when the widget has lost its kernel. */
  send(message: Message): void;
  listen(listener: (message: Message) => void): () => void;
}

/** What a socket has seen; for tests and benchmarks. */
export interface RelayStats {
  link: string;
  /** Messages of this link that came. */
  messages: number;
  /** Parts that came, each once and in order. */
  received: number;
  /** Parts that came again. */
  repeated: number;
  /** How often lost parts were asked for. */
  resendRequests: number;
}

export interface CommSocketOptions {
  readonly client: string;
  /** Told, from `LATE_MS` on and each second, how long the kernel has owed an answer; 0 when it has come. */
  readonly onWait?: (ms: number) => void;
  readonly now?: () => number;
}

/** An answer that takes longer than this means that the kernel can't listen just now. */
export const BUSY_AFTER_MS = 1500;
export const KERNEL_GONE_REASON =
  'The kernel was restarted or has ended: run the cell with %ac again to get the panel back.';

const REOPEN_MS = 5000;
/** After a frame either way, more is expected for so long. */
const EXPECT_TRAFFIC_MS = 20_000;
const REPORT_MS = 1000;
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
  readonly #endpoint = new Endpoint();
  readonly #rateLimit = new TokenBucket(PER_SECOND, BURST);
  readonly #now: () => number;
  readonly #createdAt: number;
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #reopenAt: number;
  #reportAt: number;
  #hasReported = false;
  #isExpecting = false;
  #isPumpQueued = false;
  #messages = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stopListening: () => void;
  /** Says goodbye while it still can; a page that stays after all connects again. */
  readonly #onPageHide = (): void => this.#fail(GONE, '');

  constructor(
    private readonly port: RelayPort,
    private readonly options: CommSocketOptions,
  ) {
    this.#now = options.now ?? (() => performance.now());
    this.#createdAt = this.#reopenAt = this.#now();
    this.#reportAt = this.#createdAt + BUSY_AFTER_MS;
    this.#stopListening = port.listen((message) => this.#onMessage(message));
    // What is sent while the page goes still leaves; else the kernel would find out by and by.
    globalThis.addEventListener?.('pagehide', this.#onPageHide);
    // Not now: whoever opens a socket attaches its listeners first.
    this.#timer = setTimeout(() => this.#pump(), 0);
  }

  get stats(): RelayStats {
    const { incoming, resendRequests } = this.#endpoint;
    return {
      link: this.#link,
      messages: this.#messages,
      received: incoming.received,
      repeated: incoming.repeated,
      resendRequests,
    };
  }

  send(frame: string): void {
    if (this.#state !== 'open') return;
    this.#endpoint.push(frame);
    this.#expectTraffic();
    if (this.#endpoint.outgoing.isFull)
      this.#fail(OVERLOADED, 'Too much is waiting to be sent to the kernel.');
    else this.#pumpSoon();
  }

  /** Something is to be expected from the kernel for as long as this is true, e.g. an answer. */
  expectAnswer(isExpecting: boolean): void {
    this.#isExpecting = isExpecting;
    this.#expectTraffic();
    this.#pumpSoon();
  }

  /** Finds out at once whether the widget still has a kernel. */
  check(): void {
    if (this.#state === 'closed') return;
    try {
      this.port.send({ type: 'relay.open', link: this.#link, client: this.options.client });
    } catch {
      this.#fail(KERNEL_LOST, KERNEL_GONE_REASON);
    }
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#release();
    try {
      this.port.send({ type: 'relay.close', link: this.#link });
    } catch {
      // The kernel is gone, and the link with it.
    }
  }

  #expectTraffic(): void {
    const now = this.#now();
    this.#endpoint.expectTraffic(now, this.#isExpecting ? Number.POSITIVE_INFINITY : now + EXPECT_TRAFFIC_MS);
  }

  /** After what runs now: calls that are made together, or answers to one message, go together. */
  #pumpSoon(): void {
    if (this.#isPumpQueued) return;
    this.#isPumpQueued = true;
    queueMicrotask(() => {
      this.#isPumpQueued = false;
      if (this.#isOpen()) this.#pump();
    });
  }

  /** Sends what is due and sleeps until the next thing is. */
  #pump(): void {
    const now = this.#now();
    try {
      if (this.#state === 'opening') this.#requestOpen(now);
      else this.#sendDue(now);
    } catch {
      this.#fail(KERNEL_LOST, KERNEL_GONE_REASON);
    }
    this.#reportWait(now);
    if (this.#state === 'closed') return;
    const due =
      this.#state === 'opening' ? this.#reopenAt : Math.max(this.#endpoint.due(), this.#rateLimit.readyAt());
    const wake = Math.min(due, this.#reportAt);
    clearTimeout(this.#timer);
    if (wake < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#pump(), Math.max(0, wake - this.#now()));
    }
  }

  #requestOpen(now: number): void {
    if (now < this.#reopenAt) return;
    this.#reopenAt = now + REOPEN_MS;
    this.port.send({ type: 'relay.open', link: this.#link, client: this.options.client });
  }

  #sendDue(now: number): void {
    while (now >= this.#rateLimit.readyAt()) {
      const envelope = this.#endpoint.poll(now);
      if (!envelope) return;
      this.#rateLimit.spend(now);
      this.port.send(encodeEnvelope(this.#link, envelope));
    }
  }

  /** Tells that the kernel keeps this waiting, now and then, and once that it no longer does. */
  #reportWait(now: number): void {
    const since = this.#state === 'opening' ? this.#createdAt : this.#endpoint.waitsSince;
    const waited = since === null || this.#state === 'closed' ? 0 : now - since;
    if (since !== null && waited >= BUSY_AFTER_MS) {
      if (now < this.#reportAt) return;
      this.#reportAt = now + REPORT_MS;
      this.#hasReported = true;
      this.options.onWait?.(waited);
      return;
    }
    this.#reportAt = since === null ? Number.POSITIVE_INFINITY : since + BUSY_AFTER_MS;
    if (!this.#hasReported) return;
    this.#hasReported = false;
    this.options.onWait?.(0);
  }

  #onMessage(message: Message): void {
    if (message.link !== this.#link || this.#state === 'closed') return;
    if (message.type === 'relay.closed') {
      const code = typeof message.code === 'number' ? message.code : GONE;
      this.#fail(code, typeof message.reason === 'string' ? message.reason : '');
      return;
    }
    const envelope = decodeEnvelope(message);
    if (!envelope) return;
    this.#messages += 1;
    if (this.#state === 'opening') {
      this.#state = 'open';
      this.onopen?.(undefined as never);
    }
    if (envelope.run.parts.length) this.#expectTraffic();
    for (const frame of this.#endpoint.receive(envelope, this.#now())) this.onmessage?.({ data: frame });
    if (this.#endpoint.isUnrecoverable) this.#fail(OVERLOADED, 'Too much was lost on the way to the kernel.');
    else if (this.#endpoint.incoming.isTooLong)
      this.#fail(TOO_LARGE, 'A message was too large for the page.');
    else this.#pumpSoon();
  }

  /** Asked anew: a listener may have closed this. */
  #isOpen(): boolean {
    return this.#state === 'open';
  }

  #fail(code: number, reason: string): void {
    if (this.#state === 'closed') return;
    const { onclose } = this;
    this.close();
    onclose?.({ code, reason });
  }

  #release(): void {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    this.#stopListening();
    globalThis.removeEventListener?.('pagehide', this.#onPageHide);
    this.#reportWait(this.#now());
  }
}

function encodeEnvelope(link: string, { run, ack, ping, resend }: Envelope): Message {
  return {
    type: 'relay',
    link,
    seq: run.first,
    ack,
    frames: encodeParts(run.parts),
    ...(ping ? { ping } : {}),
    ...(resend ? { resend } : {}),
  };
}

/** Null when it is nothing that a relay sends. */
function decodeEnvelope({ type, seq, ack, frames, ping, resend }: Message): Envelope | null {
  if (type !== 'relay' || !isCount(seq) || !isCount(ack) || seq < 1 || !Array.isArray(frames)) return null;
  const parts = decodeParts(frames);
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
