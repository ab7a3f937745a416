// One end of npm's kkrpc under control: commands as JSON lines on stdin, events as JSON lines on stdout.
//
//   node kkrpc_peer.mjs NODE_MODULES WEBSOCKET_URL VERSION        VERSION: superjson | json
//
// It exposes a plugin's methods or a host's, as the first command says; see `exposed`.
// Commands {cmd, id, …}; each is answered by {id, value} or {id, error}:
//   expose    as: "echo" | "host" | "plugin"
//   call      method, args
//   raw       text: one frame as it stands
//   end       closes as kkrpc does
// Events: {event: "called", method, args}
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [modules, url, version] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), 'any.js'));
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
console.log = console.error; // the library logs there

globalThis.WebSocket = require('ws');
const { RPCChannel, WebSocketClientIO } = await import(pathToFileURL(path.join(modules, 'kkrpc/dist/mod.js')).href);

const noted = (method, answer) => (...args) => {
  say({ event: 'called', method, args });
  return answer?.(...args);
};
const show = (text) => {
  const child = { id: 't', type: '#text', props: {}, children: [], text };
  const node = { id: 'b', type: 'button', props: { _onClickHandlerId: 'b:onClick', gone: undefined }, children: [child] };
  return channel.callMethod('updateTree', [node]);
};
const exposed = {
  echo: {
    echo: (value) => value,
    undefined: () => undefined,
    throws: () => {
      throw new TypeError('thrown on purpose');
    },
    never: () => new Promise(() => {}),
    special: () => ({ at: new Date(0), nan: Number.NaN, minus: -0, 'a.b': [undefined, new Set([1])], gone: undefined }),
    deep: { nested: (a, b) => a + b },
  },
  plugin: {
    initialize: () => show('ready'),
    executeHandler: (id, args) => show(`${id} ${JSON.stringify(args)}`),
    destroy: noted('destroy'),
  },
  host: Object.fromEntries(
    ['updateTree', 'applyMutations', 'log', 'reportError'].map((name) => [name, noted(name)]),
  ),
};

const io = new WebSocketClientIO({ url });
const channel = new RPCChannel(io, { serialization: { version } });

const commands = {
  expose: ({ as }) => channel.expose(exposed[as]),
  call: ({ method, args }) => channel.callMethod(method, args),
  callback: ({ method }) => channel.callMethod(method, [() => 1]),
  raw: ({ text }) => io.write(text),
  end: () => io.signalDestroy(),
};

readline
  .createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, cmd, ...given } = JSON.parse(line);
    try {
      say({ id, value: (await commands[cmd](given)) ?? null });
    } catch (error) {
      say({ id, error: String(error?.message ?? error) });
    }
  })
  .on('close', () => process.exit(0));
