// What a hostile plugin sends that JSON in a test would not hold: circles, millions of nodes, names of prototypes.
const part = (id, type, props = {}, children = []) => ({ id, type, props, children });

window.hostileTrees = {
  circle() {
    const tree = part('a', 'div');
    tree.children.push(tree);
    return tree;
  },
  circleInAProp() {
    const loop = [];
    loop.push(loop);
    return part('a', 'div', { loop });
  },
  millionBesideEachOther() {
    return part('r', 'div', {}, Array.from({ length: 1e6 }, (_, at) => part(`${at}`, 'p')));
  },
  millionInsideOfEachOther() {
    let tree = part('x', 'div');
    for (let at = 0; at < 1e6; at += 1) tree = part(`${at}`, 'div', {}, [tree]);
    return tree;
  },
  millionTimesTheSame() {
    return part('r', 'div', {}, Array(1e6).fill(part('l', 'p')));
  },
  twoToTheFortieth() {
    let tree = part('l', 'p');
    for (let at = 0; at < 40; at += 1) tree = part(`${at}`, 'p', {}, [tree, tree]);
    return tree;
  },
  longText: () => part('r', 'div', {}, ['x'.repeat(1e7)]),
  longProp: () => part('r', 'div', { title: 'x'.repeat(1e7) }),
};

window.pollute = () => {
  const props = JSON.parse(
    '{"__proto__": {"pwned": 1, "href": "https://x/"}, "constructor": {"prototype": {"pwned": 1}}}',
  );
  const style = JSON.parse('{"__proto__": {"color": "red"}, "constructor": "x", "toString": "y"}');
  window.plugin.updateTree(
    part('r', 'div', props, [
      part('__proto__', 'a', props),
      part('constructor', '__proto__', props),
      part('hasOwnProperty', 'p', { style, _onClickHandlerId: '__proto__' }),
      part('valueOf', 'toString', { _onClickHandlerId: {} }),
    ]),
  );
  window.plugin.applyMutations([
    { type: 'setProps', nodeId: '__proto__', props },
    { type: 'removeChild', parentId: 'r', nodeId: 'constructor' },
    { type: 'constructor', __proto__: { type: 'setRoot' } },
  ]);
};

/** Points outside of `#box` where the panel is what a click would meet. */
window.coveredOutside = () => {
  const box = document.querySelector('#box').getBoundingClientRect();
  const covered = [];
  for (let x = 2; x < 560; x += 6) {
    for (let y = 2; y < 420; y += 6) {
      const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
      if (isOutside && document.elementFromPoint(x, y) === window.panel) covered.push([x, y]);
    }
  }
  return covered;
};

/** Sends 20,000 changes of the text `t`; resolves to how often the page was changed, and to its frames. */
window.flood = async () => {
  let drawn = 0;
  let frames = 0;
  const tree = window.panel.shadowRoot.querySelector('.tree');
  const observer = new MutationObserver(() => {
    drawn += 1;
  });
  observer.observe(tree, { subtree: true, characterData: true });
  const tick = () => {
    frames += 1;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  for (let round = 0; round < 200; round += 1) {
    for (let at = 1; at <= 100; at += 1) {
      const text = `${round * 100 + at}`;
      window.plugin.applyMutations([{ type: 'setText', nodeId: 't', text }]);
    }
    window.plugin.log('log', ['flood']);
    await new Promise((done) => setTimeout(done));
  }
  return [drawn, frames];
};
