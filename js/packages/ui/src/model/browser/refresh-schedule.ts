/** Refreshes at most every half second, one at a time, and only while what they are for is visible. */

const MIN_MS = 500;

export class RefreshSchedule {
  #isDue = false;
  #isRunning = false;
  #isDisposed = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  #timer: number | undefined;

  /**
   * @param work - must not reject
   * @param isVisible - asked before each refresh; what isn't visible stays due
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly isVisible: () => boolean,
    private readonly now: () => number = Date.now,
  ) {}

  /** Something has changed, or has become visible. */
  request(): void {
    this.#isDue = true;
    this.look();
  }

  /** Runs what is due, now or when the time has come. */
  look(): void {
    if (!this.#isDue || this.#isRunning || this.#isDisposed || this.#timer !== undefined || !this.isVisible())
      return;
    const wait = Math.max(0, this.#startedAt + MIN_MS - this.now());
    if (wait === 0) void this.#run();
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        if (this.#isDue && this.isVisible()) void this.#run();
      }, wait);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDue = false;
    this.#isRunning = true;
    this.#startedAt = this.now();
    await this.work();
    this.#isRunning = false;
    this.look();
  }
}
