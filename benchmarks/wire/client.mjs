// One round of traffic from node; prints one line of rates a second, medians.
//
//   node client.mjs raw URL COUNT           bare frames against the echo: the floor
//   node client.mjs jrpc URL COUNT          the real @flatmax/jrpc-oo client against `Probe`
//   node client.mjs call URL COUNT METHOD   the same client, one method one after another
//
// {"sequential": calls one after another, "at_once": all at once, "events": awaited events}
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const [kind, url, countText, method] = process.argv.slice(2);
const count = Number(countText);
const WARM_UP = 50;
const RUNS = 3; // in a row on one connection; the first compiles the client

const say = (rates) => process.stdout.write(`${JSON.stringify(rates)}\n`);
console.log = console.error; // the library logs there

const rate = async (work) => {
  const start = process.hrtime.bigint();
  await work();
  return (count * 1e9) / Number(process.hrtime.bigint() - start);
};

const inSequence = async (number, one) => {
  for (let i = 0; i < number; i++) await one();
};

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const report = async ({ one, events }) => {
  await inSequence(WARM_UP, one);
  const work = { sequential: () => inSequence(count, one) };
  if (events) {
    work.at_once = () => Promise.all(Array.from({ length: count }, one));
    work.events = () => events(count);
  }
  const seen = {};
  for (let run = 0; run < RUNS; run++) {
    for (const [name, traffic] of Object.entries(work)) {
      seen[name] = [...(seen[name] ?? []), await rate(traffic)];
    }
  }
  say(Object.fromEntries(Object.entries(seen).map(([name, rates]) => [name, median(rates)])));
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

class AcApp {
  streamChunk() {
    return true;
  }
}

const connect = (traffic) => {
  // The package's root imports its server too; this file is the client alone.
  const { JRPCNodeClient } = require("@flatmax/jrpc-oo/JRPCNodeClient.js");
  class Client extends JRPCNodeClient {
    setupDone() {
      report(traffic(this.server));
    }
  }
  new Client(url).addClass(new AcApp(), "AcApp");
};

const jrpc = () =>
  connect((server) => ({
    one: () => server["Probe.add"](1, 2),
    events: (number) => server["Probe.events"](number),
  }));

const call = () => connect((server) => ({ one: () => server[method]() }));

({ raw, jrpc, call })[kind]();
