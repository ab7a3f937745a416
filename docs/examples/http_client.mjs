// The client in JavaScript: URL=http://127.0.0.1:18080 TOKEN=3f… node http_client.mjs
// In a page of the host: import { HttpClient } from './static/http-client.js'.
const { HttpClient } = await import(process.env.MODULE ?? `./http-client.js`);

const client = new HttpClient(process.env.URL, { token: process.env.TOKEN });
client.on('error', (error) => console.error(error));
await client.connect(); // follows the state
client.on('state', (state) => console.log('state:', state.connectionState));
console.log(client.state.connectionState, client.canCall('Repo.get_file_content'));
console.log(await client.call('Repo.get_file_content', { path: 'a.py' }));
try {
  await client.call('Repo.get_file_content', { path: 'missing.py' });
} catch (error) {
  console.log(error.code, error.data.type);
}
client.close();
