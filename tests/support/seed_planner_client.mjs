// Seed 004's client, as it stands in the seed, and what drives it: calls from standard input, one
// JSON array [method, params] a line; their outcomes on standard output.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

class JSONRPCClient {
  constructor(process) {
    this.process = process;
    this.pendingRequests = new Map();
    this.requestId = 0;
  }

  async request(method, params) {
    const id = ++this.requestId;
    const request = {
      jsonrpc: "2.0",
      method,
      params,
      id
    };

    return new Promise((resolve, reject) => {
      this.pendingRequests.set(id, { resolve, reject });
      this.process.stdin.write(JSON.stringify(request) + '\n');
    });
  }

  handleResponse(data) {
    const response = JSON.parse(data);
    if (this.pendingRequests.has(response.id)) {
      const { resolve, reject } = this.pendingRequests.get(response.id);
      if (response.error) {
        reject(response.error);
      } else {
        resolve(response.result);
      }
      this.pendingRequests.delete(response.id);
    }
  }
}

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const client = new JSONRPCClient(child);
createInterface({ input: child.stdout }).on("line", (line) => client.handleResponse(line));
for await (const line of createInterface({ input: process.stdin })) {
  const [method, params] = JSON.parse(line);
  const outcome = await client.request(method, params).then(
    (result) => ({ result }),
    (error) => ({ error }),
  );
  console.log(JSON.stringify(outcome));
}
child.stdin.end();
