/** Error of a failed call, from the server or from this side. */

/** The server's `data.type`, or one of three types of this side. */
export type ErrorType = string;

export class RpcError extends Error {
  override readonly name = 'RpcError';

  /**
   * @param type stable identifier: the server's `data.type`, or `closed`, `timeout`, `unsupported`
   * @param code JSON-RPC code
   * @param data the server's `data`
   */
  constructor(
    message: string,
    readonly type: ErrorType,
    readonly code: number,
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

const UNKNOWN_METHOD = -32601;
const TIMED_OUT = -1000;
const CLOSED = -1001;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(code: number, data: Record<string, unknown>): ErrorType {
  if (typeof data.type === 'string') return data.type;
  if (code === UNKNOWN_METHOD) return 'unsupported';
  return code === TIMED_OUT ? 'timeout' : 'internal';
}

/** Converts a rejection of jrpc, usually a plain `{code, message, data}`, to an `RpcError`. */
export function toRpcError(raw: unknown, method: string): RpcError {
  if (raw instanceof RpcError) return raw;
  if (!isRecord(raw)) return new RpcError(String(raw), 'internal', 0);
  const code = typeof raw.code === 'number' ? raw.code : 0;
  const data = isRecord(raw.data) ? raw.data : {};
  const type = typeOf(code, data);
  if (type === 'timeout' && code === TIMED_OUT) {
    return new RpcError(`The server didn't answer ${method} in time.`, type, code, data);
  }
  if (type === 'unsupported' && code === UNKNOWN_METHOD) {
    return new RpcError(`This server doesn't know ${method}; it may be an older version.`, type, code, data);
  }
  return new RpcError(typeof raw.message === 'string' ? raw.message : `${method} failed`, type, code, data);
}

/** The error of all pending calls when the connection closes. */
export function closedError(): RpcError {
  return new RpcError('The connection to the server was closed.', 'closed', CLOSED);
}
