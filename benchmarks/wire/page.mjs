// A page in node, with the real @flatmax/jrpc-oo client: times the calls that it is told to make.
//
//   node page.mjs URL
//
// Prints READY; from then on, for each line `[METHOD, ARGUMENT …]` of JSON on its input, prints the
// milliseconds until the answer was read; `["at once", N, METHOD, …]` makes N calls at once.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const { JRPCNodeClient } = require("@flatmax/jrpc-oo/JRPCNodeClient.js");
const say = (text) => process.stdout.write(`${text}\n`);
console.log = console.error; // the library logs there

class AcApp {
  filesChanged() {
    return true;
  }
}

class Page extends JRPCNodeClient {
  setupDone() {
    const call = async (method, ...given) => {
      const answer = await this.server[method](...given);
      if (answer === undefined || answer === null) throw new Error(`${method} gave nothing`);
    };
    createInterface({ input: process.stdin }).on("line", async (line) => {
      const [first, ...rest] = JSON.parse(line);
      const start = process.hrtime.bigint();
      if (first === "at once") {
        const [count, ...asked] = rest;
        await Promise.all(Array.from({ length: count }, () => call(...asked)));
      } else await call(first, ...rest);
      say(Number(process.hrtime.bigint() - start) / 1e6);
    });
    say("READY");
  }
}

new Page(process.argv[2]).addClass(new AcApp(), "AcApp");
