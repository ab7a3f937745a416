// A client of `jupyter ac stdio`: calls, cancels one of them, reads progress, ends the host.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const host = spawn('jupyter', ['ac', 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let lastId = 0;

function send(message) {
  host.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function call(method, params) {
  send({ id: ++lastId, method, params });
  return new Promise((resolve) => waiting.set(lastId, resolve));
}

createInterface({ input: host.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === '$/progress') console.log('progress:', message.params.value);
  else if (!message.method) waiting.get(message.id)(message); // not an event, so an answer
});

const search = call('Repo.search_files', { query: 'TODO' });
send({ method: '$/cancelRequest', params: { id: lastId } }); // in time only because it is sent at once
console.log(1, (await search).error);
console.log(2, (await call('Repo.is_clean', {})).result);
host.on('exit', (code) => console.log('exit code', code));
host.stdin.end(); // it ends by itself
