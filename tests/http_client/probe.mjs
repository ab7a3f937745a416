// The built client in JavaScript, driven by Python: its module, an address, then a program as JSON.
const [module, url, steps] = process.argv.slice(2);
const { HttpClient } = await import(module);
const client = new HttpClient(url);
client.on('error', (error) => console.log(JSON.stringify({ told: String(error) })));

async function streamed(method, params) {
  const parts = [];
  const stream = client.stream(method, params);
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return { parts, result: value };
    parts.push(value);
  }
}

const kinds = {
  call: (method, params) => client.call(method, params),
  stream: streamed,
  can: async (method) => client.canCall(method),
  state: async () => client.state,
  connect: () => client.connect(),
};

for (const [kind, ...given] of JSON.parse(steps)) {
  try {
    console.log(JSON.stringify({ value: (await kinds[kind](...given)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ code: error.code, data: error.data }));
  }
}
client.close();
