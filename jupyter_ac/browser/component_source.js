// Run by component_source.py in the page's own world, with the element as `this`.
//
// Development builds of web frameworks leave on an element which component made it, and where. The
// page is not trusted: it may have changed every built-in object, so that no method of one is relied
// on, and each text is copied character by character up to a limit.
function component(limits) {
  const copy = (value) => {
    if (typeof value !== "string") return "";
    let text = "";
    for (let at = 0; at < value.length && at < limits.text; at++) text += value[at];
    return text;
  };
  const whole = (value) => (typeof value === "number" && value >= 0 && value < 1e9 ? value | 0 : 0);
  const begins = (name, start) => {
    for (let at = 0; at < start.length; at++) if (name[at] !== start[at]) return false;
    return true;
  };
  const found = (framework, name, file, line, column) => ({
    framework,
    name: copy(name),
    file: copy(file),
    line: whole(line),
    column: whole(column),
    stack: "",
  });

  const reactName = (type) => {
    if (type === null || type === undefined) return "";
    if (typeof type === "function") return type.displayName || type.name || "";
    if (typeof type !== "object") return "";
    const inner = type.type || type.render;
    return type.displayName || (typeof inner === "function" ? inner.displayName || inner.name || "" : "");
  };
  const react = (node) => {
    let fiber = null;
    for (const name in node) {
      if (begins(name, "__reactFiber$") || begins(name, "__reactInternalInstance$")) fiber = node[name];
    }
    if (fiber === null || typeof fiber !== "object") return null;
    let made = fiber;
    let steps = 0;
    while (made && !made._debugSource && !made._debugStack && steps++ < limits.steps) made = made.return;
    let owner = fiber._debugOwner || fiber.return;
    let name = "";
    for (steps = 0; owner && !name && steps++ < limits.steps; owner = owner.return) name = reactName(owner.type);
    const source = (made && made._debugSource) || {};
    const result = found("react", name, source.fileName, source.lineNumber, source.columnNumber);
    const stack = made && made._debugStack;
    if (!result.file && stack) result.stack = copy(stack.stack);
    return result;
  };

  const vue = (node) => {
    let instance = node.__vueParentComponent;
    let name = "";
    for (let steps = 0; instance && steps++ < limits.steps; instance = instance.parent) {
      const type = instance.type || {};
      name = name || type.name || type.__name || "";
      if (type.__file) return found("vue", type.name || type.__name, type.__file);
    }
    if (name) return found("vue", name);
    const options = node.__vue__ && node.__vue__.$options;
    return options ? found("vue", options.name || options._componentTag, options.__file) : null;
  };

  const svelte = (node) => {
    const place = node.__svelte_meta && node.__svelte_meta.loc;
    // Its lines and columns are counted from 0.
    return place ? found("svelte", "", place.file, place.line + 1, place.column + 1) : null;
  };

  const angular = (node) => {
    const { ng } = window;
    if (!ng || typeof ng.getOwningComponent !== "function") return null;
    const owner = ng.getComponent(node) || ng.getOwningComponent(node);
    return owner ? found("angular", owner.constructor.name) : null;
  };

  const PLACES = ["data-v-inspector", "data-qwik-inspector"];
  const FILES = [
    ["data-astro-source-file", "data-astro-source-loc"],
    ["data-inspector-relative-path", "data-inspector-line"],
  ];
  const marked = (node) => {
    if (typeof node.getAttribute !== "function") return null;
    for (const name of PLACES) {
      const place = node.getAttribute(name);
      if (place) return { ...found("", "", ""), place: copy(place) };
    }
    for (const [name, line] of FILES) {
      const file = node.getAttribute(name);
      if (file) return { ...found("", "", ""), place: copy(`${file}:${node.getAttribute(line) || ""}`) };
    }
    return null;
  };

  let node = this;
  for (let steps = 0; node && steps++ < limits.steps; node = node.parentNode) {
    for (const read of [marked, react, vue, svelte, angular]) {
      let result = null;
      try {
        result = read(node);
      } catch {
        continue; // what looks like a framework isn't one
      }
      if (result !== null && (result.name || result.file || result.stack || result.place)) return result;
    }
  }
  return null;
}
