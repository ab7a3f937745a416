/**
 * WebSocket-like socket over the widget's comm: reliable, ordered delivery of frames in numbered messages.
 * The other end is the relay in the kernel (`jupyter_ac/hosts/kernel/relay`).
 */

import { KERNEL_LOST } from './close-codes.ts';
import { Endpoint, type Envelope } from './endpoint.ts';
import { decodeParts, encodeParts } from './resend-window.ts';
import type { SocketLike } from './socket.ts';
import { TokenBucket } from './token-bucket.ts';

type Message = Readonly<Record<string, unknown>>;

/** The part of the kernel's comm that a socket uses. */
export interface RelayPort {
  /** Throws when the widget has lost its kernel. */
  send(message: Message): void;
  listen(listener: (message: Message) => void): () => void;
}

/** Counters of a socket, for tests and benchmarks. */
export interface RelayStats {
  link: string;
  /** Messages received on this link. */
  messages: number;
  /** Parts received, each once and in order. */
  received: number;
  /** Duplicate parts received. */
  repeated: number;
  /** Number of requests to resend lost parts. */
  resendRequests: number;
}

export interface CommSocketOptions {
  readonly client: string;
  /** Called every second from `BUSY_AFTER_MS` on with the time since the kernel's answer is due; 0 once it has arrived. */
  readonly onWait?: (ms: number) => void;
  /** What to do when the kernel is lost, in one sentence. */
  readonly goneReason?: string;
  readonly now?: () => number;
}

/** Without an answer for this long, the kernel is considered busy. */
export const BUSY_AFTER_MS = 1500;
export const KERNEL_GONE_REASON =
  'The kernel was restarted or has ended: run the cell with %ac again to get the panel back.';

const REOPEN_MS = 5000;
/** After a frame in either direction, more traffic is expected for this long. */
const EXPECT_TRAFFIC_MS = 20_000;
const REPORT_MS = 1000;
/** Rate limit: each message costs the user's kernel time, and causes two status messages. */
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
  /** Closes the link when the page is left; a page that stays after all connects again. */
  readonly #onPageHide = (): void => this.#fail(GONE, '');

  constructor(
    private readonly port: RelayPort,
    private readonly options: CommSocketOptions,
  ) {
    this.#now = options.now ?? (() => performance.now());
    this.#createdAt = this.#reopenAt = this.#now();
    this.#reportAt = this.#createdAt + BUSY_AFTER_MS;
    this.#stopListening = port.listen((message) => this.#onMessage(message));
    // A message sent during `pagehide` is still delivered; otherwise the kernel would only notice by a timeout.
    globalThis.addEventListener?.('pagehide', this.#onPageHide);
    // Asynchronous: the caller attaches its listeners first.
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

  /** Declares whether something is expected from the kernel, e.g. an answer: then silence is probed. */
  expectAnswer(isExpecting: boolean): void {
    this.#isExpecting = isExpecting;
    this.#expectTraffic();
    this.#pumpSoon();
  }

  /** Checks at once whether the widget still has a kernel. */
  check(): void {
    if (this.#state === 'closed') return;
    try {
      this.port.send({ type: 'relay.open', link: this.#link, client: this.options.client });
    } catch {
      this.#fail(KERNEL_LOST, this.options.goneReason ?? KERNEL_GONE_REASON);
    }
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#release();
    try {
      this.port.send({ type: 'relay.close', link: this.#link });
    } catch {
      // The kernel is gone, and the link is closed with it.
    }
  }

  #expectTraffic(): void {
    const now = this.#now();
    this.#endpoint.expectTraffic(now, this.#isExpecting ? Number.POSITIVE_INFINITY : now + EXPECT_TRAFFIC_MS);
  }

  /** Pumps in a microtask: frames sent by the same task go out in one message. */
  #pumpSoon(): void {
    if (this.#isPumpQueued) return;
    this.#isPumpQueued = true;
    queueMicrotask(() => {
      this.#isPumpQueued = false;
      if (this.#isOpen()) this.#pump();
    });
  }

  /** Sends what is due, and sets the timer for the next deadline. */
  #pump(): void {
    const now = this.#now();
    try {
      if (this.#state === 'opening') this.#requestOpen(now);
      else this.#sendDue(now);
    } catch {
      this.#fail(KERNEL_LOST, this.options.goneReason ?? KERNEL_GONE_REASON);
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

  /** Reports periodically how long the kernel has not answered, and once that it has answered again. */
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

  /** A method, not a captured value: a listener may have closed the socket. */
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

/** null for anything else than a relay message. */
function decodeEnvelope({ type, seq, ack, frames, ping, resend }: Message): Envelope | null {
  if (type !== 'relay' || !isCount(seq) || !isCount(ack) || seq < 1 || !Array.isArray(frames)) return null;
  const parts = decodeParts(frames);
  return parts && { run: { first: seq, parts }, ack, ping: ping === true, resend: resend === true };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Random link id, unique among all views and pages. */
function linkName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
