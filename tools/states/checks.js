// What is checked of each state of the panel, and measured of it. Evaluates to an object of functions.
(() => {
  const SLACK = 1;
  const TARGET = 24;
  const MOST_COUNTS = 300;
  const RECOUNT_MS = 100;
  const PENDING = /is still being made|isn't known yet/;
  const CONTROLS =
    'button, a[href], input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="tab"], ' +
    '[role="menuitem"], [role="menuitemradio"], [role="menuitemcheckbox"], [role="option"], [role="switch"], [role="treeitem"]';
  const LAYERS = '[popover], dialog, [role="dialog"], [role="alertdialog"], [data-ac="toast"], [role="menu"], [role="listbox"]';
  // As wide as what they stand for; each of them is also a row of the list beside the drawing.
  const DRAWN = '[data-ac="icicle-box"]';
  /** Elements that say something by their background alone. */
  const COLOURED = '.status:not([role="status"]), .dot, .caret, .segment, [data-ac="breakdown"] > .bar > span, .track > span';
  const SCROLLS = new Set(['auto', 'scroll', 'hidden', 'clip']);

  const inside = (root) =>
    [...root.querySelectorAll('*')].flatMap((node) => [node, ...(node.shadowRoot ? inside(node.shadowRoot) : [])]);
  const parent = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const ancestors = (node) => {
    const found = [];
    for (let at = parent(node); at; at = parent(at)) found.push(at);
    return found;
  };
  const contains = (outer, node) => node === outer || ancestors(node).includes(outer);
  const within = (node, selector) => [node, ...ancestors(node)].find((at) => at.matches(selector)) ?? null;
  const named = (node) => {
    const hook = within(node, '[data-ac]')?.dataset.ac ?? '';
    const words = (node.getAttribute('aria-label') ?? node.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `${node.localName}${node.className && typeof node.className === 'string' ? `.${node.className.trim().replace(/\s+/g, '.')}` : ''} in ${hook} “${words}”`;
  };
  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const common = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const width = (rect) => rect.right - rect.left;
  const height = (rect) => rect.bottom - rect.top;
  const isEmpty = (rect) => width(rect) <= SLACK || height(rect) <= SLACK;
  const screen = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  const isTopLayer = (node) => node.matches(':popover-open, :modal');

  /** The part of an element that its scrolling ancestors let show. */
  const shown = (node) => {
    let rect = box(node.getBoundingClientRect());
    let position = getComputedStyle(node).position;
    if (isTopLayer(node)) return common(rect, screen());
    for (const at of ancestors(node)) {
      const style = getComputedStyle(at);
      if (position !== 'fixed' && (SCROLLS.has(style.overflowX) || SCROLLS.has(style.overflowY)))
        rect = common(rect, box(at.getBoundingClientRect()));
      if (isTopLayer(at)) break;
      if (style.position !== 'static') position = style.position;
    }
    return common(rect, screen());
  };
  const isRendered = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const scrollers = (node) =>
    ancestors(node).filter((at) => {
      const { overflowX, overflowY } = getComputedStyle(at);
      return [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll');
    });

  /** Controls that can be used now, with the box that takes a click. */
  const controls = () =>
    inside(document)
      .filter((node) => node.matches(CONTROLS) && isRendered(node) && !within(node, '[inert]'))
      .filter((node) => !node.matches(DRAWN))
      .map((node) => {
        const label = node.matches('input') ? (node.labels?.[0] ?? null) : null;
        const target = label && contains(label, node) && isRendered(label) ? label : node;
        return { node, target, full: box(target.getBoundingClientRect()), rect: shown(target) };
      })
      .filter(({ rect }) => !isEmpty(rect));
  /** Whether a scrolling ancestor hides a part of it: a person scrolls first. */
  const isCut = ({ target, rect, full }) => {
    const row = within(target, '[role="treeitem"], [role="option"], li');
    const [part, whole] = row ? [shown(row), box(row.getBoundingClientRect())] : [rect, full];
    return width(part) < width(whole) - SLACK || height(part) < height(whole) - SLACK;
  };

  const deepest = (x, y) => {
    let root = document;
    for (;;) {
      const found = root.elementFromPoint(x, y);
      if (!found?.shadowRoot || found.shadowRoot === root) return found;
      const next = found.shadowRoot.elementFromPoint(x, y);
      if (!next || next === found) return found;
      root = found.shadowRoot;
    }
  };

  /** Whether the middle of a control is its own, or covered by a layer that lies over it on purpose. */
  const standing = ({ target, rect }) => {
    const hit = deepest((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    if (!hit || contains(target, hit) || contains(hit, target)) return 'free';
    const layer = within(hit, LAYERS);
    if (layer && !contains(layer, target)) return 'covered';
    return named(hit);
  };

  const scrolled = (node) => ['auto', 'scroll'].includes(getComputedStyle(node).overflowX);
  const faults = {
    overflow() {
      const page = document.scrollingElement;
      const found = page.scrollWidth > innerWidth || page.scrollHeight > innerHeight ? ['the page scrolls'] : [];
      const sideways = inside(document)
        .filter((node) => isRendered(node) && node.scrollLeft > 0 && !scrolled(node))
        .map((node) => `${named(node)} is scrolled sideways`);
      const wide = inside(document)
        .filter((node) => isRendered(node) && node.getBoundingClientRect().right > innerWidth + SLACK)
        .filter((node) => !ancestors(node).some((at) => SCROLLS.has(getComputedStyle(at).overflowX)))
        .map((node) => `${named(node)} is wider than the page`);
      return [...found, ...sideways, ...wide];
    },

    /** Text of controls that is cut off without a sign of it. */
    clipped() {
      const cut = (node) => {
        const style = getComputedStyle(node);
        if (style.display === 'inline' || style.display === 'contents') return false;
        const isWide = node.scrollWidth > node.clientWidth + SLACK;
        const isHigh = node.scrollHeight > node.clientHeight + SLACK;
        if (isWide && style.textOverflow !== 'ellipsis' && !['auto', 'scroll'].includes(style.overflowX)) return true;
        return isHigh && style.webkitLineClamp === 'none' && !['auto', 'scroll'].includes(style.overflowY);
      };
      return controls()
        .filter(({ node }) => node.matches('button, a, [role="tab"], [role="menuitem"], [role="option"], summary'))
        .flatMap(({ node }) => [node, ...node.querySelectorAll('*')])
        .filter((node) => node instanceof HTMLElement && isRendered(node) && node.textContent.trim() && cut(node))
        .map((node) => `${named(node)}: ${node.scrollWidth} x ${node.scrollHeight} in ${node.clientWidth} x ${node.clientHeight}`);
    },

    /** Controls of which a part can't be seen, since something that doesn't scroll cuts it off. */
    cut() {
      const clips = (at) => {
        const { overflowX } = getComputedStyle(at);
        return overflowX === 'hidden' || overflowX === 'clip';
      };
      return controls().flatMap(({ target, full }) => {
        const by = ancestors(target).find((at) => {
          const { left, right } = at.getBoundingClientRect();
          return clips(at) && (full.left < left - SLACK || full.right > right + SLACK);
        });
        return by && !scrollers(target).length ? [`${named(target)} by ${named(by)}`] : [];
      });
    },

    /** Controls that lie over each other, or under something else. */
    overlaps() {
      const found = controls()
        .filter((control) => !isCut(control))
        .map((control) => ({ ...control, standing: standing(control) }));
      const under = found
        .filter(({ standing }) => standing !== 'free' && standing !== 'covered')
        .map(({ target, standing }) => `${named(target)} is under ${standing}`);
      const free = found.filter(({ standing }) => standing === 'free');
      const pairs = free.flatMap((one, at) =>
        free.slice(at + 1).flatMap((other) => {
          if (contains(one.target, other.target) || contains(other.target, one.target)) return [];
          if (within(one.target, LAYERS) !== within(other.target, LAYERS)) return [];
          return isEmpty(common(one.rect, other.rect)) ? [] : [`${named(one.target)} and ${named(other.target)}`];
        }),
      );
      return [...under, ...pairs];
    },

    /** Controls smaller than 24 x 24 that have another one too near (WCAG 2.2, 2.5.8). */
    targets() {
      const found = controls().filter((control) => !isCut(control));
      const isSmall = ({ full }) => width(full) < TARGET - 0.1 || height(full) < TARGET - 0.1;
      const middle = ({ full }) => ({ x: (full.left + full.right) / 2, y: (full.top + full.bottom) / 2 });
      const isText = ({ node }) => node.matches('a, button') && getComputedStyle(node).display === 'inline';
      const distance = ({ x, y }, rect) =>
        Math.hypot(Math.max(rect.left - x, 0, x - rect.right), Math.max(rect.top - y, 0, y - rect.bottom));
      return found
        .filter((control) => isSmall(control) && !isText(control))
        .flatMap((control) => {
          const at = middle(control);
          const near = found.find((other) => {
            if (other === control || contains(other.target, control.target) || contains(control.target, other.target))
              return false;
            if (within(other.target, LAYERS) !== within(control.target, LAYERS)) return false;
            if (isSmall(other)) return Math.hypot(at.x - middle(other).x, at.y - middle(other).y) < TARGET - 0.1;
            return distance(at, other.full) < TARGET / 2 - 0.1;
          });
          const { full } = control;
          return near ? [`${named(control.target)}: ${width(full)} x ${height(full)}, near ${named(near.target)}`] : [];
        });
    },

    /** Controls that are partly off the page and can't be scrolled into it. */
    outside() {
      return controls()
        .filter(({ full, target }) => {
          const isOut = full.left < -SLACK || full.top < -SLACK || full.right > innerWidth + SLACK || full.bottom > innerHeight + SLACK;
          return isOut && scrollers(target).length === 0;
        })
        .map(({ target }) => named(target));
    },
  };

  return {
    faults() {
      return Object.entries(faults).flatMap(([kind, find]) => [...new Set(find())].map((fault) => `${kind}: ${fault}`));
    },

    /** Boxes of what is shown and has a name: left, top, width and height, by hook or role. */
    boxes(most) {
      const found = {};
      for (const node of inside(document)) {
        const name = node.dataset?.ac ?? node.getAttribute('role') ?? '';
        if (!name || name === 'img' || name === 'presentation' || !isRendered(node) || isEmpty(shown(node))) continue;
        found[name] ??= [];
        if (found[name].length === most) continue;
        const { left, top, width, height } = node.getBoundingClientRect();
        found[name].push([left, top, width, height].map(Math.round));
      }
      return found;
    },

    /** With forced colours: what is chosen or coloured on purpose and looks like what isn't. */
    unmarked() {
      const CHOSEN = ['aria-selected', 'aria-pressed', 'aria-checked'];
      const look = (node, part) => {
        const { backgroundColor, borderTopColor, borderTopWidth, outlineColor, outlineStyle } = getComputedStyle(node, part);
        return [backgroundColor, borderTopColor, borderTopWidth, outlineStyle, outlineStyle === 'none' ? '' : outlineColor];
      };
      const whole = (node) => JSON.stringify([look(node), look(node, '::after'), look(node, '::before')]);
      const shownOnes = inside(document).filter((node) => isRendered(node) && !within(node, '[inert]') && !isEmpty(shown(node)));
      const chosen = shownOnes.flatMap((node) => {
        const name = CHOSEN.find((attribute) => node.getAttribute(attribute) === 'true');
        if (!name || node.matches('input, [role="treeitem"]')) return [];
        const other = [...node.parentElement?.children ?? []].find((at) => at.getAttribute(name) === 'false');
        return other && whole(node) === whole(other) ? [`${named(node)} looks as if it were not chosen`] : [];
      });
      const canvas = getComputedStyle(document.body).backgroundColor;
      const coloured = shownOnes.filter((node) => node instanceof HTMLElement && node.matches(COLOURED) && width(node.getBoundingClientRect()) > SLACK);
      const lost = coloured.filter((node) => {
        const { backgroundColor, borderTopWidth, borderTopStyle } = getComputedStyle(node);
        const isPlain = backgroundColor === canvas || backgroundColor === 'rgba(0, 0, 0, 0)';
        return isPlain && (borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) === 0);
      });
      return [...chosen, ...lost.map((node) => `${named(node)} has lost its colour`)];
    },

    /** Whether the context is counted with the map and with all else that takes the server its time. */
    isCounted() {
      const { breakdown, error } = document.querySelector('[data-ac="app"]').session.breakdown;
      if (error) return true;
      const hasMap = breakdown?.shares.some(({ category, tokens }) => category === 'map' && tokens > 0);
      return hasMap === true && !breakdown.notices.some((notice) => PENDING.test(notice));
    },

    /** Animations that run, in all shadow roots. */
    animations() {
      const roots = [document, ...inside(document).flatMap(({ shadowRoot }) => shadowRoot ?? [])];
      return [...new Set(roots.flatMap((root) => root.getAnimations()))].map(({ effect }) => named(effect.target));
    },

    /**
     * Resolves when all has been drawn that was asked for, and no dialog waits for its content. The context is counted again when a part of it was not
     * ready in the time that the server waits for it, as on a busy machine.
     */
    async settled() {
      const { breakdown, status } = document.querySelector('[data-ac="app"]').session;
      for (let tries = 0; status === 'ready' && !this.isCounted() && tries < MOST_COUNTS; tries += 1) {
        await new Promise((wake) => setTimeout(wake, RECOUNT_MS));
        await breakdown.refresh();
      }
      const isWaiting = () =>
        inside(document).some((node) => node.matches('.spin') && isRendered(node) && within(node, '[role="dialog"]'));
      for (let tries = 0; isWaiting() && tries < MOST_COUNTS; tries += 1)
        await new Promise((wake) => setTimeout(wake, RECOUNT_MS));
      for (let at = 0; at < 2; at += 1) await new Promise(requestAnimationFrame);
      await Promise.all(inside(document).map((node) => node.updateComplete));
      await new Promise(requestAnimationFrame);
    },
  };
})()
