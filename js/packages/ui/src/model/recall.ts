/** Walking through the questions that were asked, from the input. */

export class Recall {
  /** How far back; -1 while nobody walks. */
  #at = -1;
  #shown = '';

  /**
   * The question before the one in the input, or the last one where that is empty.
   *
   * @param questions the last one first
   * @returns null where there is none, or where the input has something of its own
   */
  back(input: string, questions: readonly string[]): string | null {
    if (!input.trim()) this.#at = -1;
    else if (!this.#isShown(input)) return null;
    return this.#show(this.#at + 1, questions);
  }

  /** The question after the one in the input; '' after the last one, null where nobody walks. */
  forward(input: string, questions: readonly string[]): string | null {
    if (!this.#isShown(input)) return null;
    if (this.#at > 0) return this.#show(this.#at - 1, questions);
    this.#at = -1;
    return '';
  }

  #isShown(input: string): boolean {
    return this.#at >= 0 && input === this.#shown;
  }

  #show(at: number, questions: readonly string[]): string | null {
    const question = questions[at];
    if (question === undefined) return null;
    this.#at = at;
    this.#shown = question;
    return question;
  }
}
