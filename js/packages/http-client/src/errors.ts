/** Errors of calls. */

export type Json = Readonly<Record<string, unknown>>;

/** A failed call. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';

  /**
   * @param code of the error in the answer; an HTTP status where the request was refused; or `CLOSED` (the
   *   connection failed), `NO_ANSWER` (nothing came in time), `GAP` (a part of a stream is missing)
   */
  constructor(
    message: string,
    readonly code: number | string,
    readonly data: Json = {},
  ) {
    super(message);
  }
}
