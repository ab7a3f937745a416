// Drives the real @flatmax/jrpc-oo node client: commands as JSON lines on stdin, events as JSON lines on stdout.
//
//   node jrpc_client.mjs NODE_MODULES
//
// Commands {cmd, id, client, …}; each is answered by {id, value} or {id, error}:
//   connect   url, headers?, expose? {Class: [method, …]}, ack?, silent?, timeout_s?
//             silent: a bare socket that never says anything
//   call      method, args, via? "call" (the value of the first remote) | "envelope" | "server"
//   ack       mode: true | undefined | null | reject | reject-object | throw | never
//   expose    name, methods: a class that is added while connected
//   raw       text: one frame as it stands
//   close     code?, or terminate: true
// Events {event, client, …}: open, ready {methods}, called {method, args}, frame {text} of silent ones,
//   close {code, reason}, gone (remoteDisconnected), error {message}, uncaught {message}
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';

const require = createRequire(path.join(path.resolve(process.argv[2]), 'any.js'));
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
console.log = console.error; // the library logs there

const RealSocket = require('ws');
let nextHeaders = {};
class Socket extends RealSocket {
  constructor(uri, options) {
    super(uri, { ...options, headers: nextHeaders });
  }
}
require.cache[require.resolve('ws')].exports = Socket;
const { JRPCNodeClient } = require('@flatmax/jrpc-oo/JRPCNodeClient.js');

process.on('uncaughtException', (error) => say({ event: 'uncaught', message: String(error) }));

const clients = new Map();

function acknowledge(mode) {
  switch (mode) {
    case 'undefined': return undefined;
    case 'null': return null;
    case 'reject': return Promise.reject(new Error('rejected on purpose'));
    case 'reject-object': return Promise.reject({ code: 17, message: 'rejected on purpose', data: { type: 'busy' } });
    case 'throw': throw new Error('thrown on purpose');
    case 'never': return new Promise(() => {});
    default: return true;
  }
}

function exposed(entry, className, methods) {
  class Exposed {}
  for (const method of methods) {
    Exposed.prototype[method] = (...args) => {
      say({ event: 'called', client: entry.name, method: `${className}.${method}`, args });
      return acknowledge(entry.ack);
    };
  }
  return new Exposed();
}

class Client extends JRPCNodeClient {
  setupDone() { say({ event: 'ready', client: this.entry.name, methods: Object.keys(this.call) }); }
  remoteIsUp() {}
  remoteDisconnected() { say({ event: 'gone', client: this.entry.name }); }
}

function connect({ client: name, url, headers, expose, ack, silent, timeout_s: timeout }) {
  nextHeaders = headers ?? {};
  const entry = { name, ack: ack ?? 'true', rpc: null, socket: null };
  if (silent) {
    entry.socket = new Socket(url);
    entry.socket.on('message', (data) => say({ event: 'frame', client: name, text: String(data) }));
  } else {
    entry.rpc = new Client(url);
    entry.rpc.entry = entry;
    entry.rpc.remoteTimeout = timeout ?? 60;
    for (const [className, methods] of Object.entries(expose ?? {})) {
      entry.rpc.addClass(exposed(entry, className, methods), className);
    }
    entry.socket = entry.rpc.wss;
  }
  entry.socket.on('open', () => say({ event: 'open', client: name }));
  entry.socket.on('close', (code, reason) => say({ event: 'close', client: name, code, reason: String(reason) }));
  entry.socket.on('error', (error) => say({ event: 'error', client: name, message: error.message }));
  clients.set(name, entry);
}

async function call(entry, { method, args, via }) {
  if (via === 'server') return entry.rpc.server[method](...args);
  const envelope = await entry.rpc.call[method](...args);
  return via === 'envelope' ? envelope : Object.values(envelope)[0];
}

const commands = {
  connect: (_entry, command) => connect(command),
  call,
  ack: (entry, { mode }) => { entry.ack = mode; },
  expose: (entry, { name, methods }) => entry.rpc.addClass(exposed(entry, name, methods), name),
  raw: (entry, { text }) => entry.socket.send(text),
  close: (entry, { code, terminate }) => (terminate ? entry.socket.terminate() : entry.socket.close(code ?? 1000)),
};

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const command = JSON.parse(line);
  try {
    const value = await commands[command.cmd](clients.get(command.client), command);
    say({ id: command.id, value: value === undefined ? null : value, is_undefined: value === undefined });
  } catch (error) {
    say({ id: command.id, error: error instanceof Error ? { message: String(error) } : error });
  }
}).on('close', () => process.exit(0));
say({ event: 'started' });
