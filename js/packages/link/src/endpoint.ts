/**
 * Endpoint of a reliable link: acknowledgement, resend and ping timers over both windows. Pure, without I/O.
 * Same rules as `jupyter_ac/hosts/kernel/relay/endpoint.py`, and one more: while traffic is expected, silence is
 * probed by a ping. The server drops messages from the kernel (its rate limit), and stops doing so for a while
 * when the kernel has received a message.
 */

import { type FrameRun, Incoming, Outgoing } from './resend-window.ts';

export const ACKNOWLEDGE_MS = 1000;
export const RESEND_REQUEST_MS = 150;
export const RESEND_REQUEST_MAX_MS = 1000;
export const PING_MS = 1000;
export const PING_MAX_MS = 30_000;
/** While traffic is expected, silence of this length is probed by a ping. */
export const QUIET_MS = 2000;
const NEVER = Number.POSITIVE_INFINITY;

/** Content of one message of a link. */
export interface Envelope {
  readonly run: FrameRun;
  /** Cumulative acknowledgement: all parts up to this number have been received. */
  readonly ack: number;
  /** Requests an immediate acknowledgement. */
  readonly ping: boolean;
  /** Requests a resend of the parts after `ack`. */
  readonly resend: boolean;
}

export class Endpoint {
  /** The other end lacks parts that are no longer retained: the link can't continue. */
  isUnrecoverable = false;
  /** Since when sent parts wait for their acknowledgement; null when none do. */
  waitsSince: number | null = null;
  /** Number of requests to resend lost parts. */
  resendRequests = 0;
  #acknowledgeAt = NEVER;
  #resendRequestAt = NEVER;
  #resendRequestMs = RESEND_REQUEST_MS;
  #pingAt = NEVER;
  #pingMs = PING_MS;
  #quietSince = 0;
  #quietMs = QUIET_MS;
  #expectsUntil = 0;

  constructor(
    readonly outgoing = new Outgoing(),
    readonly incoming = new Incoming(),
  ) {}

  push(frame: string): void {
    this.outgoing.push(frame);
  }

  /** Expects traffic until then: silence is probed, at doubling intervals if `until` is finite. */
  expectTraffic(now: number, until: number): void {
    if (now >= this.#expectsUntil) this.#quietSince = now;
    this.#quietMs = QUIET_MS;
    this.#expectsUntil = until;
  }

  /** Processes a message; returns the frames that are complete and next in order. */
  receive(message: Envelope, now: number): string[] {
    this.#quietSince = now;
    this.#handleAcknowledgement(message, now);
    const before = this.incoming.received;
    const frames = this.incoming.take(message.run);
    if (message.ping) this.#acknowledgeAt = now;
    else if (message.run.parts.length)
      this.#acknowledgeAt = Math.min(this.#acknowledgeAt, now + ACKNOWLEDGE_MS);
    if (!this.incoming.hasGap) {
      this.#resendRequestAt = NEVER;
      this.#resendRequestMs = RESEND_REQUEST_MS;
    } else if (this.#resendRequestAt === NEVER || this.incoming.received > before) {
      this.#resendRequestMs = RESEND_REQUEST_MS;
      this.#resendRequestAt = now + RESEND_REQUEST_MS;
    }
    return frames;
  }

  /** Time at which something is due to be sent; may be in the past. */
  due(): number {
    if (this.outgoing.isPending) return -NEVER;
    return Math.min(this.#acknowledgeAt, this.#resendRequestAt, this.#pingAt, this.#keepAliveAt());
  }

  /** The message that is due; null for none. */
  poll(now: number): Envelope | null {
    if (this.due() > now) return null;
    const resend = this.#resendRequestAt <= now;
    const isTooQuiet = this.#keepAliveAt() <= now;
    const ping = this.#pingAt <= now || isTooQuiet;
    if (isTooQuiet) {
      this.#quietSince = now;
      if (this.#expectsUntil < NEVER) this.#quietMs *= 2;
    }
    if (resend) {
      this.resendRequests += 1;
      this.#resendRequestMs = Math.min(2 * this.#resendRequestMs, RESEND_REQUEST_MAX_MS);
      this.#resendRequestAt = now + this.#resendRequestMs;
    }
    const run = this.outgoing.take();
    if (run.parts.length) this.waitsSince ??= now;
    if (this.#pingAt <= now) {
      this.#pingMs = Math.min(2 * this.#pingMs, PING_MAX_MS);
      this.#pingAt = now + this.#pingMs;
    } else if (run.parts.length && this.#pingAt === NEVER) this.#pingAt = now + this.#pingMs;
    this.#acknowledgeAt = NEVER;
    return { run, ack: this.incoming.received, ping, resend };
  }

  #keepAliveAt(): number {
    const at = this.#quietSince + this.#quietMs;
    return at <= this.#expectsUntil ? at : NEVER;
  }

  #handleAcknowledgement(message: Envelope, now: number): void {
    const isNews = this.outgoing.acknowledge(message.ack);
    if (message.resend && !this.outgoing.rewind(message.ack + 1)) this.isUnrecoverable = true;
    if (!this.outgoing.isUnacknowledged) {
      this.#pingAt = NEVER;
      this.#pingMs = PING_MS;
      this.waitsSince = null;
    } else if (isNews || this.#pingMs > PING_MS) {
      this.#pingMs = PING_MS;
      this.#pingAt = now + PING_MS;
      if (isNews) this.waitsSince = now;
    }
  }
}
