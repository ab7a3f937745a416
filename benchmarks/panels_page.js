// Changes of a panel of 1,000 rows in the page, beside the same changes by plain calls of the DOM.
const ROWS = 1000;
const part = (id, type, props, children, more = {}) => ({ id, type, props, children, ...more });
const textOf = (id, text) => part(id, '#text', {}, [], { text });
const row = (at) => part(`r${at}`, 'li', { className: 'a' }, [textOf(`t${at}`, `row ${at}`)]);
const numbers = Array.from({ length: ROWS }, (_, at) => at);

const CHANGES = {
  texts: {
    batch: () => numbers.map((at) => ({ type: 'setText', nodeId: `t${at}`, text: `text ${at}` })),
    plain: (rows) => {
      for (const at of numbers) rows[at].firstChild.data = `text ${at}`;
    },
  },
  props: {
    batch: () =>
      numbers.map((at) => ({ type: 'setProps', nodeId: `r${at}`, props: { className: 'b', title: `${at}` } })),
    plain: (rows) => {
      for (const at of numbers) {
        rows[at].className = 'b';
        rows[at].title = `${at}`;
      }
    },
  },
  'rows added': {
    batch: () => numbers.map((at) => ({ type: 'appendChild', parentId: 'list', node: row(ROWS + at) })),
    plain: (rows, list) => {
      for (const at of numbers) list.append(plainRow(ROWS + at));
    },
  },
  'rows removed': {
    batch: () => numbers.map((at) => ({ type: 'removeChild', parentId: 'list', nodeId: `r${at}` })),
    plain: (rows) => {
      for (const each of rows) each.remove();
    },
  },
  'rows reversed': {
    batch: () =>
      numbers.slice(1).map((at) => ({
        type: 'moveBefore',
        parentId: 'list',
        nodeId: `r${at}`,
        beforeId: `r${at - 1}`,
      })),
    plain: (rows, list) => {
      for (const at of numbers.slice(1)) list.insertBefore(rows[at], rows[at - 1]);
    },
  },
};

function plainRow(at) {
  const made = document.createElement('li');
  made.className = 'a';
  made.append(`row ${at}`);
  return made;
}

const shadow = () => window.panel.shadowRoot;

async function ours(change) {
  window.plugin.updateTree(part('list', 'ul', {}, numbers.map(row)));
  await drawn();
  const tree = shadow().querySelector('.tree');
  tree.offsetHeight;
  // As it comes from a connection: nothing of it is shared.
  const batch = JSON.parse(JSON.stringify(CHANGES[change].batch()));
  const begun = performance.now();
  window.plugin.applyMutations(batch);
  window.runFrame();
  await window.panel.updateComplete;
  const applied = performance.now();
  tree.offsetHeight;
  return [applied - begun, performance.now() - applied];
}

async function plain(change) {
  const tree = shadow().querySelector('.tree');
  window.plugin.updateTree(null);
  await drawn();
  const list = document.createElement('ul');
  const rows = numbers.map(plainRow);
  list.append(...rows);
  tree.append(list);
  tree.offsetHeight;
  const begun = performance.now();
  CHANGES[change].plain(rows, list);
  const applied = performance.now();
  tree.offsetHeight;
  const times = [applied - begun, performance.now() - applied];
  list.remove();
  return times;
}

async function drawn() {
  window.runFrame();
  await window.panel.updateComplete;
}

/** Times in ms of each change, ours and plain, in alternation: to change the page, and to lay it out. */
window.measure = async (rounds) => {
  // Frames are made here, so that none comes in between.
  window.setThrottle((update) => {
    window.nextFrame = update;
  });
  window.runFrame = () => {
    const update = window.nextFrame;
    window.nextFrame = null;
    update?.();
  };
  const found = {};
  for (const change of Object.keys(CHANGES)) {
    found[change] = { ours: [], plain: [] };
    for (let round = 0; round < rounds + 2; round += 1) {
      const times = [await ours(change), await plain(change)];
      if (round < 2) continue;
      found[change].ours.push(times[0]);
      found[change].plain.push(times[1]);
    }
  }
  return found;
};

/** Frames in a second while a text changes so often, for some seconds. */
window.flood = async (updatesPerSecond, seconds) => {
  window.plugin.updateTree(part('list', 'ul', {}, numbers.map(row)));
  let frames = 0;
  let isOver = false;
  const tick = () => {
    frames += 1;
    if (!isOver) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  const begun = performance.now();
  let sent = 0;
  while (performance.now() - begun < seconds * 1000) {
    const due = ((performance.now() - begun) / 1000) * updatesPerSecond;
    for (; sent < due; sent += 1) {
      const text = `update ${sent}`;
      window.plugin.applyMutations([{ type: 'setText', nodeId: `t${sent % ROWS}`, text }]);
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  isOver = true;
  return (frames * 1000) / (performance.now() - begun);
};
