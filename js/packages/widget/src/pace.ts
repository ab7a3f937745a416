/** How often something may happen: a token bucket. No second sees more than `perSecond + burst`. */
export class Pace {
  readonly #intervalMs: number;
  /** When the last token that was spent will have come back. */
  #paidAt = Number.NEGATIVE_INFINITY;

  constructor(
    perSecond: number,
    private readonly burst: number,
  ) {
    this.#intervalMs = 1000 / perSecond;
  }

  readyAt(): number {
    return this.#paidAt - (this.burst - 1) * this.#intervalMs;
  }

  spend(now: number): void {
    this.#paidAt = Math.max(this.#paidAt, now) + this.#intervalMs;
  }
}
