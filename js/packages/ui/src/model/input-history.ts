/** Input history: steps through the earlier questions with the arrow keys, like a shell. */

export class InputHistory {
  /** Steps back; -1 when no earlier question is shown. */
  #at = -1;
  #shown = '';

  /**
   * The question before the one in the input, or the last one if the input is empty.
   *
   * @param questions newest first
   * @returns null when there is none, or when the input has text of its own
   */
  previous(input: string, questions: readonly string[]): string | null {
    if (!input.trim()) this.#at = -1;
    else if (!this.#isShown(input)) return null;
    return this.#show(this.#at + 1, questions);
  }

  /** The question after the one in the input; '' after the last one, null when no earlier question is shown. */
  next(input: string, questions: readonly string[]): string | null {
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
