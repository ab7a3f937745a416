// Describes `this`, an element. Runs in an isolated world: the page's changes to built-in objects don't
// reach it. A page can still hide methods of forms and documents behind controls and images of that
// name, so each method is taken from its prototype.
function describe(limits) {
  "use strict";
  const uncurry = (method) => Function.prototype.call.bind(method);
  const getter = (owner, name) => uncurry(Object.getOwnPropertyDescriptor(owner, name).get);
  const attribute = uncurry(Element.prototype.getAttribute);
  const attributes = getter(Element.prototype, "attributes");
  const localName = getter(Element.prototype, "localName");
  const namespace = getter(Element.prototype, "namespaceURI");
  const tagName = getter(Element.prototype, "tagName");
  const next = getter(Element.prototype, "nextElementSibling");
  const previous = getter(Element.prototype, "previousElementSibling");
  const parentElement = getter(Node.prototype, "parentElement");
  const parentNode = getter(Node.prototype, "parentNode");
  const firstChild = getter(Node.prototype, "firstChild");
  const nextSibling = getter(Node.prototype, "nextSibling");
  const nodeType = getter(Node.prototype, "nodeType");
  const data = getter(CharacterData.prototype, "data");
  const ownerDocument = getter(Node.prototype, "ownerDocument");
  const rootNode = uncurry(Node.prototype.getRootNode);
  const host = getter(ShadowRoot.prototype, "host");
  const mode = getter(ShadowRoot.prototype, "mode");
  const view = getter(Document.prototype, "defaultView");
  const findInDocument = uncurry(Document.prototype.querySelectorAll);
  const findInFragment = uncurry(DocumentFragment.prototype.querySelectorAll);
  const escapeName = CSS.escape;

  const ELEMENT = 1, TEXT = 3, DOCUMENT = 9, FRAGMENT = 11;
  const HIDDEN = "…";
  const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
  const CODE = new Set(["script", "style", "noscript", "template"]);

  const cut = (text, most) => {
    const short = text.length > most ? text.slice(0, most) + HIDDEN : text;
    return short.toWellFormed();
  };

  const isOnly = (root, selector, element) => {
    try {
      const find = nodeType(root) === DOCUMENT ? findInDocument : findInFragment;
      const found = find(root, selector);
      return found.length === 1 && found[0] === element;
    } catch {
      return false;
    }
  };

  const place = (element) => {
    let count = 1;
    for (let at = previous(element); at; at = previous(at)) count += 1;
    return `:nth-child(${count})`;
  };

  const step = (element) => {
    const name = localName(element), space = namespace(element);
    let before = 0, others = 0;
    for (const go of [previous, next]) {
      for (let at = go(element); at; at = go(at)) {
        if (localName(at) !== name) continue;
        // `a` in HTML and `a` in SVG are of different types, but a selector doesn't tell them apart.
        if (namespace(at) !== space) return place(element);
        others += 1;
        if (go === previous) before += 1;
      }
    }
    return escapeName(name) + (others ? `:nth-of-type(${before + 1})` : "");
  };

  const climb = (element, root, stepOf, withIds) => {
    const parts = [];
    let length = 0;
    for (let at = element; at; at = parentElement(at)) {
      const id = withIds ? attribute(at, "id") : null;
      const short = id && id.length <= limits.id ? "#" + escapeName(id) : null;
      const isAnchor = short !== null && isOnly(root, short, at);
      const part = isAnchor ? short : stepOf(at);
      parts.unshift(part);
      length += part.length + 3;
      if (length > limits.selector) return "";
      if (isAnchor) break;
    }
    const selector = parts.join(" > ");
    return isOnly(root, selector, element) ? selector : "";
  };

  const selectorIn = (element, root) =>
    climb(element, root, step, true) ||
    climb(element, root, step, false) ||
    climb(element, root, place, false);

  // From the document to the element, through shadow roots.
  const pathTo = (element) => {
    const path = [];
    for (let at = element; path.length < limits.steps; ) {
      const root = rootNode(at);
      const kind = nodeType(root);
      const selector = selectorIn(at, root);
      if (kind === DOCUMENT) {
        path.unshift({ scope: "document", selector });
        return view(root) ? path : null;
      }
      if (kind !== FRAGMENT) return null;
      try {
        at = host(root);
      } catch {
        return null;
      }
      path.unshift({ scope: `${mode(root)} shadow root`, selector });
    }
    return null;
  };

  const SECRET = new Set(["password", "hidden"]);
  const isSecret = (element, name) =>
    name === "value" &&
    localName(element) === "input" &&
    SECRET.has((attribute(element, "type") || "").toLowerCase());

  const escapeText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const escapeValue = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

  const tag = (element) => {
    let text = "<" + cut(localName(element), limits.value);
    const list = attributes(element);
    for (let i = 0; i < list.length && text.length < limits.html; i += 1) {
      const { name, value } = list[i];
      const shown = isSecret(element, name) ? HIDDEN : cut(value, limits.value);
      text += ` ${cut(name, limits.value)}="${escapeValue(shown)}"`;
    }
    return text + ">";
  };

  // Like outerHTML, but never longer than it may be: that of a body can have megabytes.
  const markup = (top) => {
    let text = "", seen = 0, isFull = false;
    const write = (node) => {
      seen += 1;
      isFull = text.length > limits.html || seen > limits.nodes;
      if (isFull) text += HIDDEN;
      else if (nodeType(node) === ELEMENT) text += tag(node);
      else if (nodeType(node) === TEXT) text += escapeText(cut(data(node), limits.text));
    };
    const close = (node) => {
      if (nodeType(node) !== ELEMENT || VOID.has(localName(node))) return;
      text += `</${cut(localName(node), limits.value)}>`;
    };
    write(top);
    let at = top;
    for (;;) {
      const child = isFull ? null : firstChild(at);
      if (child) {
        at = child;
        write(at);
        continue;
      }
      if (!isFull || at === top) close(at);
      for (;;) {
        if (at === top) return text;
        const sibling = isFull ? null : nextSibling(at);
        if (sibling) {
          at = sibling;
          break;
        }
        at = parentNode(at);
        close(at);
      }
      write(at);
    }
  };

  // The text of an element without that of scripts; only its beginning, and at most so many nodes.
  const textOf = (top) => {
    let text = "";
    let at = top;
    for (let seen = 0; seen < limits.nodes && text.length <= limits.text; seen += 1) {
      const isElement = nodeType(at) === ELEMENT;
      if (nodeType(at) === TEXT) {
        const part = data(at).slice(0, 4 * limits.text).replace(/\s+/g, " ");
        text += part === " " || text.endsWith(" ") ? part.trimStart() + " " : part;
      }
      let following = isElement && !CODE.has(localName(at)) ? firstChild(at) : null;
      while (!following && at !== top) {
        following = nextSibling(at);
        if (!following) at = parentNode(at);
      }
      if (!following) break;
      at = following;
    }
    return cut(text.replace(/\s+/g, " ").trim(), limits.text);
  };

  const stylesOf = (element) => {
    const computed = getComputedStyle(element);
    const styles = {};
    for (const name of limits.styles) {
      const value = computed.getPropertyValue(name);
      if (value !== "") styles[name] = cut(value, limits.value);
    }
    return styles;
  };

  if (nodeType(this) !== ELEMENT) return { problem: "it is no element" };
  const path = pathTo(this);
  if (path === null) return { problem: "it is no longer in the page" };
  const classes = (attribute(this, "class") || "").slice(0, limits.html).split(/\s+/);
  return {
    tag: cut(localName(this), limits.value),
    id: cut(attribute(this, "id") || "", limits.value),
    classes: classes.filter(Boolean).slice(0, limits.classes).map((name) => cut(name, limits.value)),
    text: textOf(this),
    path,
    html: markup(this),
    styles: stylesOf(this),
    role: cut(attribute(this, "role") || "", limits.text),
    name: cut(attribute(this, "aria-label") || "", limits.text),
    isLarge: findInDocument(ownerDocument(this), "*").length > limits.accessible,
    isInPage: view(ownerDocument(this)) === top,
  };
}
