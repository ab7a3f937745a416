// An open-loop load: calls are sent at a fixed rate whether or not earlier ones have been answered.
//
//   node offered.mjs URL RATE SECONDS CONNECTIONS CALLS
//
// CALLS is JSON, [[method, arguments], …], sent in turn. A bare echo answers the same frames.
// Prints one line: what was answered within the time, what was refused as busy, and how long after
// its due time an answer came, in milliseconds.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const WebSocket = require("ws");
const [url, rateText, secondsText, connectionsText, callsText] = process.argv.slice(2);
const rate = Number(rateText);
const seconds = Number(secondsText);
const calls = JSON.parse(callsText).map(
  ([method, args]) =>
    `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":{"args":${JSON.stringify(args)}},"id":`,
);
const TICK_MS = 2;
const LATE_S = 20; // how long what is still under way is waited for
const WARM_UP = 200;
const REFUSED = /\b503$/; // the server has no room at this moment, and asks to come again
const REFUSALS = 100; // of one client, at most
const PAUSE_MS = 200;

const now = () => Number(process.hrtime.bigint()) / 1e6;
const ID = Buffer.from('"id":');
const BUSY = Buffer.from('"type":"busy"');
const ERROR = Buffer.from('"error":');
const HEAD = 64; // bytes of an answer that hold its id, and whether it is an error

const due = new Map();
const seen = { answered: 0, late: 0, busy: 0, failed: 0, closed: 0 };
const waits = [];
let endsAt = Number.POSITIVE_INFINITY;

const idOf = (data) => {
  const at = data.indexOf(ID);
  return at < 0 ? 0 : Number.parseInt(data.subarray(at + ID.length, at + ID.length + 12).toString(), 10);
};

const take = (data) => {
  const id = idOf(data);
  const expected = due.get(id);
  if (expected === undefined) return; // their handshake
  due.delete(id);
  if (data.subarray(0, HEAD).indexOf(ERROR) >= 0) {
    if (data.indexOf(BUSY) >= 0) seen.busy++;
    else seen.failed++;
    return;
  }
  const at = now();
  waits.push(at - expected);
  if (at <= endsAt) seen.answered++;
  else seen.late++;
};

const connect = () =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on("message", take);
    socket.on("open", () => resolve(socket));
    socket.on("error", reject);
    socket.on("close", () => seen.closed++);
  });

const open = async () => {
  for (let left = REFUSALS; ; left--) {
    try {
      return await connect();
    } catch (error) {
      if (!left || !REFUSED.test(error.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
};

const sockets = await Promise.all(Array.from({ length: Number(connectionsText) }, open));
let sent = 0;
const send = (expected) => {
  const id = sent + 1;
  due.set(id, expected);
  sockets[sent % sockets.length].send(`${calls[sent % calls.length]}${id}}`);
  sent = id;
};
const settle = async (limitMs) => {
  const end = now() + limitMs;
  while (due.size && now() < end) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
};

for (let i = 0; i < WARM_UP; i++) {
  send(now());
  await settle(5000);
}
Object.assign(seen, { answered: 0, late: 0, busy: 0, failed: 0, closed: 0 });
waits.length = 0;

const begun = now();
endsAt = begun + seconds * 1000;
const first = sent;
await new Promise((resolve) => {
  const tick = () => {
    const at = Math.min(now(), endsAt);
    const until = first + Math.floor(((at - begun) * rate) / 1000);
    while (sent < until) send(begun + ((sent - first) * 1000) / rate);
    if (at < endsAt) setTimeout(tick, TICK_MS);
    else resolve();
  };
  tick();
});
const offered = sent - first;
await settle(LATE_S * 1000);
waits.sort((a, b) => a - b);
const share = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0;
const report = {
  offered: offered / seconds,
  answered: seen.answered / seconds,
  answered_in_all: seen.answered + seen.late + seen.busy,
  late: seen.late,
  busy: seen.busy,
  failed: seen.failed,
  missing: due.size,
  closed: seen.closed,
  p50: share(0.5),
  p99: share(0.99),
  longest: waits.at(-1) ?? 0,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
