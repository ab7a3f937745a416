/** What the tests use of node; its own types would change those of timers in all packages. */
declare module 'node:http' {
  export interface IncomingMessage extends AsyncIterable<unknown> {
    readonly headers: Record<string, string>;
    readonly url?: string;
    readonly method?: string;
  }
  export interface ServerResponse {
    writeHead(status: number, headers: Record<string, string>): this;
    write(chunk: string): boolean;
    end(chunk?: string): this;
    destroy(): this;
  }
  export interface Server {
    listen(port: number, host: string, listening: () => void): this;
    address(): { readonly port: number };
    close(closed: () => void): this;
    closeAllConnections(): void;
  }
  export function createServer(serve: (request: IncomingMessage, response: ServerResponse) => void): Server;
}
