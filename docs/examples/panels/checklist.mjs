// A panel in JavaScript: a process of its own that speaks kkrpc 0.2 on its standard input and output.
//
//   npm install kkrpc@0.2
//   node checklist.mjs          a host of panels starts it so
import { NodeIo, RPCChannel } from 'kkrpc';

console.log = console.error; // standard output belongs to the protocol

const items = ['Read the paper', 'Reproduce figure 2', 'Write to the authors'].map((text) => ({ text, done: false }));

const node = (id, type, props = {}, ...children) => ({ id, type, props, children });
const text = (id, value) => ({ id, type: '#text', props: {}, children: [], text: value });

// Functions stay here: the host gets their ids, and calls executeHandler with them.
const handlers = new Map();
const on = (id, event, handler) => {
  handlers.set(`${id}:${event}`, handler);
  return { [`_${event}HandlerId`]: `${id}:${event}` };
};

function row(item, index) {
  const id = `item-${index}`;
  const toggle = on(`${id}-box`, 'onChange', (checked) => {
    item.done = checked;
  });
  const box = node(`${id}-box`, 'input', { type: 'checkbox', checked: item.done, ...toggle });
  return node(id, 'li', {}, node(`${id}-label`, 'label', {}, box, text(`${id}-text`, ` ${item.text}`)));
}

function tree() {
  const done = items.filter((item) => item.done).length;
  const title = node('title', 'h3', {}, text('title-text', `${done} of ${items.length} done`));
  return node('root', 'section', {}, title, node('list', 'ul', {}, ...items.map(row)));
}

const plugin = {
  async initialize({ protocolVersion }) {
    if (protocolVersion !== 3) throw new Error(`this plugin speaks version 3 of the protocol, not ${protocolVersion}`);
    await plugin.syncTree();
  },
  async executeHandler(id, args = []) {
    handlers.get(id)?.(...args);
    await plugin.syncTree();
  },
  syncTree: () => host.updateTree(tree()),
  async updateProps() {},
  async setEnvironment() {},
  async destroy() {},
};

const host = new RPCChannel(new NodeIo(process.stdin, process.stdout), { expose: plugin }).getAPI();
