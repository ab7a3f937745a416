import type { SocketLike } from '../src/socket.ts';

interface Frame {
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A socket whose other end is the test: it reads what was sent and says what comes in. */
export class FakeSocket implements SocketLike {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  isClosed = false;
  readonly sent: Frame[] = [];

  constructor(readonly uri: string) {}

  send(frame: string): void {
    const value: Frame | Frame[] = JSON.parse(frame);
    this.sent.push(...(Array.isArray(value) ? value : [value]));
  }

  close(): void {
    this.isClosed = true;
  }

  accept(): void {
    this.onopen?.(undefined as never);
  }

  receive(frame: unknown): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }

  drop(code: number, reason = ''): void {
    this.onclose?.({ code, reason });
  }

  /** What upstream's handshake asks for, answered with `methods`. */
  answerHandshake(methods: readonly string[]): void {
    const map = Object.fromEntries(['system.listComponents', ...methods].map((name) => [name, true]));
    for (const { id, method } of this.sent.filter((frame) => frame.method === 'system.listComponents')) {
      if (method) this.receive({ jsonrpc: '2.0', id, result: map });
    }
  }

  requests(method: string): Frame[] {
    return this.sent.filter((frame) => frame.method === method);
  }
}
