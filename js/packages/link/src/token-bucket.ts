/** Token bucket: rate limit of `perSecond` with bursts; at most `perSecond + burst` in any second. */
export class TokenBucket {
  readonly #intervalMs: number;
  /** Time at which the last spent token is refilled. */
  #refilledAt = Number.NEGATIVE_INFINITY;

  constructor(
    perSecond: number,
    private readonly burst: number,
  ) {
    this.#intervalMs = 1000 / perSecond;
  }

  readyAt(): number {
    return this.#refilledAt - (this.burst - 1) * this.#intervalMs;
  }

  spend(now: number): void {
    this.#refilledAt = Math.max(this.#refilledAt, now) + this.#intervalMs;
  }
}
