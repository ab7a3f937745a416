// Calls a method by POST: URL=http://127.0.0.1:18080 TOKEN=3f… node post_client.mjs
const call = { jsonrpc: '2.0', id: 1, method: 'Repo.get_file_content', params: { path: 'a.py' } };
const response = await fetch(`${process.env.URL}/rpc`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: `token ${process.env.TOKEN}` },
  body: JSON.stringify(call),
  signal: AbortSignal.timeout(30_000),
});
if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
const { result, error } = await response.json();
if (error) throw new Error(`${error.code}: ${error.message}`);
console.log(result);
