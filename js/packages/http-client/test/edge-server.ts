/** A server for the client's tests: each request is answered by the next function, and remembered. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type Message = Record<string, unknown>;
export type Answer = (message: Message, response: ServerResponse) => void;

export class EdgeServer {
  readonly sent: Message[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly paths: string[] = [];
  readonly answers: Answer[] = [];
  /** Statuses for the next requests for the state. */
  readonly refusals: number[] = [];
  readonly streams = new Set<ServerResponse>();
  state: Message | null = null;
  openings = 0;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.server.address().port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  tell(state: Message): void {
    this.state = state;
    for (const stream of this.streams) stream.write(`id: 1\ndata: ${JSON.stringify(state)}\n\n`);
  }

  breakStreams(): void {
    for (const stream of this.streams) stream.end();
    this.streams.clear();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers.push(request.headers);
    this.paths.push(request.url ?? '');
    if (request.method === 'GET') {
      this.openings++;
      const status = this.refusals.shift();
      response.writeHead(status ?? 200, { 'Content-Type': 'text/event-stream' });
      if (status) return void response.end('{"message": "as planned"}');
      response.write(': hello\n\n');
      this.streams.add(response);
      if (this.state) this.tell(this.state);
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body) as Message;
    this.sent.push(message);
    (this.answers.shift() ?? result(null))(message, response);
  }
}

export function result(value: unknown, more: Message = {}): Answer {
  return ({ id }, response) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value, ...more }));
}

export function failure(code: number | string, data: Message = {}, more: Message = {}): Answer {
  return ({ id }, response) =>
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'as planned', data }, ...more }),
    );
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_, response) => response.writeHead(code, headers).end('{"message": "as planned"}');
}

export const lost: Answer = (_, response) => void response.destroy();

/** A stream of these messages, each with `id` of the call where it says so. */
export function events(...messages: Message[]): Answer {
  return ({ id }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const message of messages) {
      const own = 'result' in message || 'error' in message ? { id, ...message } : message;
      response.write(`data: ${JSON.stringify(own)}\n\n`);
    }
    response.end();
  };
}

export function start(id = 's'): Message {
  return { method: 'stream_start', params: { stream_id: id, task_id: 1 } };
}

export function part(sequence: number, chunk: string, id = 's'): Message {
  return { method: 'stream_data', params: { stream_id: id, chunk, sequence } };
}

export function end(total: number, id = 's'): Message {
  return { method: 'stream_end', params: { stream_id: id, total_chunks: total, status: 'ok' } };
}
