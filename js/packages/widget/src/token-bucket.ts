/** How often something may happen: a token bucket. No second sees more than `perSecond + burst`. */
export class TokenBucket {
  readonly #intervalMs: number;
  /** When the last token that was spent will have come back. */
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
