// Uses of the client that its types allow, and some that they refuse.
import { type CallOptions, HttpClient, HttpClientError, type Json, type Options, type State } from './http-client.js';

const options: Options = { token: 't', timeoutMs: 1000, random: () => 0.5 };
const client = new HttpClient(new URL('http://127.0.0.1:18080/'), options);
await client.connect();
const state: State = client.state;
const epoch: number = state.epoch;
const calling: CallOptions = { idempotencyKey: 'k', signal: AbortSignal.timeout(epoch) };
const result: unknown = await client.call('Repo.is_clean', [], calling);
const end: () => void = client.on('progress', (value: unknown) => console.log(value, result));
const parts = client.stream('m', { a: 1 });
for (let part = await parts.next(); !part.done; part = await parts.next()) console.log(part.value.length);
const error: Error & { code: number | string; data: Json } = new HttpClientError('m', 'CLOSED');
if (client.canCall('Repo.is_clean') && error.code === 404) end();

// @ts-expect-error there is no such happening
client.on('states', end);
// @ts-expect-error params are an object or an array
await client.call('m', 5);
// @ts-expect-error what the client uses itself
client.post();
// @ts-expect-error the epoch is the host's
client.state.epoch = 1;
client.close();
