// One round of traffic from node: `node client.mjs raw|jrpc URL COUNT` prints
// {"sequential": calls/s, "at_once": calls/s, "events": awaited events/s}.
// `raw` sends and counts bare frames (the floor), `jrpc` is the real @flatmax/jrpc-oo client.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const [, , kind, url, countText] = process.argv;
const count = Number(countText);
const WARM_UP = 50;

const rate = async (work) => {
  const start = process.hrtime.bigint();
  await work();
  return (count * 1e9) / Number(process.hrtime.bigint() - start);
};

const report = async ({ one, events }) => {
  for (let i = 0; i < WARM_UP; i++) await one();
  const sequential = await rate(async () => {
    for (let i = 0; i < count; i++) await one();
  });
  const atOnce = await rate(() => Promise.all(Array.from({ length: count }, one)));
  const awaited = await rate(() => events(count));
  console.log(JSON.stringify({ sequential, at_once: atOnce, events: awaited }));
  process.exit(0);
};

const raw = () => {
  const WebSocket = require("ws");
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const waiting = [];
  let onEvent = null;
  socket.on("message", (data) => (onEvent ?? waiting.shift())(data));
  const frame = '{"jsonrpc":"2.0","method":"Probe.add","params":{"args":[1,2]},"id":1}';
  const one = () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.send(frame);
    });
  const events = (number) =>
    new Promise((resolve) => {
      onEvent = (data) => {
        if (data.toString() === "END") {
          onEvent = null;
          resolve();
        } else socket.send('{"jsonrpc":"2.0","id":1,"result":true}');
      };
      socket.send(`EVENTS ${number}`);
    });
  socket.on("open", () => report({ one, events }));
};

const jrpc = () => {
  globalThis.console.log = ((log) => (text) => String(text).startsWith("{") && log(text))(console.log);
  const { JRPCNodeClient } = require("@flatmax/jrpc-oo/JRPCNodeClient.js");
  const { ExposeClass } = require("@flatmax/jrpc-oo/ExposeClass.js");
  void ExposeClass;
  class AcApp {
    streamChunk() {
      return true;
    }
  }
  const client = new JRPCNodeClient(url);
  client.addClass(new AcApp(), "AcApp");
  client.setupDone = () => {
    const one = () => client.server["Probe.add"](1, 2);
    const events = (number) => client.server["Probe.events"](number);
    report({ one, events });
  };
};

({ raw, jrpc })[kind]();
