/**
 * One end of a link: both directions' numbers and the times at which something is due. Pure; the same
 * as `jupyter_ac/hosts/kernel/relay/endpoint.py`, which has the rules, and one rule more: while something is
 * expected, a silence is broken by a question. What the server drops comes from the kernel, and it stops
 * dropping, for a while, when the kernel has taken a message.
 */

import { type FrameRun, Incoming, Outgoing } from './window.ts';

export const ACKNOWLEDGE_MS = 1000;
export const RESEND_REQUEST_MS = 150;
export const RESEND_REQUEST_MAX_MS = 1000;
export const PING_MS = 1000;
export const PING_MAX_MS = 30_000;
/** While something is expected, so long a silence is no good sign. */
export const QUIET_MS = 2000;
const NEVER = Number.POSITIVE_INFINITY;

/** What one message of a link says. */
export interface Envelope {
  readonly run: FrameRun;
  /** All parts of the other direction up to this one have come. */
  readonly ack: number;
  /** The other end should acknowledge at once. */
  readonly ping: boolean;
  /** The parts behind `ack` were lost. */
  readonly resend: boolean;
}

export class Endpoint {
  /** The other end misses what is no longer kept: the link can't go on. */
  isUnrecoverable = false;
  /** Since when something that was sent waits for its acknowledgement; null when nothing does. */
  waitsSince: number | null = null;
  /** How often lost parts were asked for. */
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

  /** From now until then a silence is not to be trusted: less and less if that is not for ever. */
  expectTraffic(now: number, until: number): void {
    if (now >= this.#expectsUntil) this.#quietSince = now;
    this.#quietMs = QUIET_MS;
    this.#expectsUntil = until;
  }

  /** Takes a message in; gives the frames that are complete and next in order. */
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

  /** When there is something to send; it may lie in the past. */
  due(): number {
    if (this.outgoing.isPending) return -NEVER;
    return Math.min(this.#acknowledgeAt, this.#resendRequestAt, this.#pingAt, this.#keepAliveAt());
  }

  /** The message that is due, if one is. */
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
