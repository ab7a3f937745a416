"""What frameworks leave on elements, as their development builds do it, in a real browser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.component_source import component_of, placed, read_component
from jupyter_ac.browser.selected_element import ComponentSource
from jupyter_ac.browser.stack_mapping import FrameRow
from tests.browser.chromium import Page, PageServer, needs_chromium, open_page

STACK = r"""Error: react-stack-top-frame
    at exports.jsxDEV (http://127.0.0.1/node_modules/.vite/deps/react_jsx-dev-runtime.js:250:30)
    at Cart (http://127.0.0.1/src/Cart.jsx?t=17:21:9)
    at renderWithHooks (http://127.0.0.1/node_modules/react-dom.js:1:2)"""

# Script by which an element `b` gets what the framework leaves, and what is read of it.
LEFT: dict[str, tuple[str, ComponentSource | None]] = {
    "React 18": (
        """function Cart() {}
        b.__reactFiber$x1 = { type: "b", _debugOwner: { type: Cart },
          _debugSource: { fileName: "/app/src/Cart.jsx", lineNumber: 12, columnNumber: 5 } }""",
        ComponentSource(
            framework="react", name="Cart", file="/app/src/Cart.jsx", path="", line=12, column=5
        ),
    ),
    "React 17, the place on the way up": (
        """const _debugSource = { fileName: "A.js", lineNumber: 3 };
        const up = { type: { displayName: "Named" }, _debugSource };
        b.__reactInternalInstance$x1 = { type: "b", return: up }""",
        ComponentSource(framework="react", name="Named", file="A.js", path="", line=3, column=0),
    ),
    "React 19": (
        f"""function Cart() {{}}
        b.__reactFiber$x1 = {{ type: "b", _debugOwner: {{ type: {{ type: Cart }} }},
          _debugStack: {{ stack: `{STACK}` }} }}""",
        ComponentSource(
            framework="react",
            name="Cart",
            file="http://127.0.0.1/src/Cart.jsx?t=17",
            path="",
            line=21,
            column=9,
        ),
    ),
    "Vue 3": (
        """const parent = { type: { __name: "Cart", __file: "/app/src/Cart.vue" }, parent: null };
        b.__vueParentComponent = { type: { name: "Transition" }, parent }""",
        ComponentSource(
            framework="vue", name="Cart", file="/app/src/Cart.vue", path="", line=0, column=0
        ),
    ),
    "Vue 2, on the element above": (
        """document.body.__vue__ = { $options: { name: "Cart", __file: "src/Cart.vue" } }""",
        ComponentSource(
            framework="vue", name="Cart", file="src/Cart.vue", path="", line=0, column=0
        ),
    ),
    "Svelte": (
        """b.__svelte_meta = { loc: { file: "src/Cart.svelte", line: 11, column: 2, char: 90 } }""",
        ComponentSource(
            framework="svelte", name="", file="src/Cart.svelte", path="", line=12, column=3
        ),
    ),
    "Angular": (
        """class _CartComponent {};
        window.ng = { getComponent: () => null, getOwningComponent: () => new _CartComponent() }""",
        ComponentSource(
            framework="angular", name="CartComponent", file="", path="", line=0, column=0
        ),
    ),
    "an attribute of Vite's inspector": (
        """b.setAttribute("data-v-inspector", "src/C:art.vue:7:3")""",
        ComponentSource(framework="", name="", file="src/C:art.vue", path="", line=7, column=3),
    ),
    "attributes of Astro above it": (
        """document.body.dataset.astroSourceFile = "/app/a.astro";
        document.body.dataset.astroSourceLoc = "4:2" """,
        ComponentSource(framework="", name="", file="/app/a.astro", path="", line=4, column=2),
    ),
    "nothing": ("", None),
    "what only looks like it": (
        """b.__vueParentComponent = 7; b.__reactFiber$x = "x"; b.__svelte_meta = { loc: 1 };
        Object.defineProperty(b, "__vue__", { get() { throw new Error("mine") } })""",
        None,
    ),
    "texts without an end and circles": (
        """const fiber = { _debugSource: { fileName: "x".repeat(1e7), lineNumber: 1e300 } };
        fiber.return = fiber._debugOwner = fiber; b.__reactFiber$x = fiber;
        String.prototype.slice = Array.prototype.push = () => { throw new Error("mine") }""",
        ComponentSource(
            framework="react",
            name="",
            file="x" * 1000 + "… (4,000 characters)",
            path="",
            line=0,
            column=0,
        ),
    ),
}


async def _read(page: Page, url: str) -> ComponentSource | None:
    await page.open(url)
    await page.session.call("DOM.enable")
    return await read_component(page.session, await page.backend_node("b", page.session))


@needs_chromium
@pytest.mark.parametrize("name", LEFT)
async def test_what_a_framework_leaves_is_read(
    chromium: str, server: PageServer, name: str
) -> None:
    script, expected = LEFT[name]
    async with open_page(chromium) as page:
        body = f"<!doctype html><body><p><b id=b>x</b></p><script>{script}</script>"
        assert await _read(page, server.put("/", body)) == expected


@given(
    st.recursive(
        st.none() | st.text() | st.integers() | st.floats(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
    | st.fixed_dictionaries(
        {},
        optional={
            key: st.text() | st.integers() | st.floats() | st.none()
            for key in ("framework", "name", "file", "line", "column", "stack", "place")
        },
    )
)
def test_whatever_the_page_answers_gives_a_row_or_nothing(value: object) -> None:
    source = component_of(value)
    if source is not None:
        assert source["name"] or source["file"]
        assert source["line"] >= 0
        assert source["column"] >= 0
        assert all(len(str(text)) < 1100 for text in source.values())


def test_a_place_in_the_repository_replaces_that_in_the_script() -> None:
    found = component_of({"framework": "react", "name": "Cart", "file": "http://h/a.js", "line": 9})
    assert found is not None
    row = FrameRow(function="Cart", url="http://h/a.js", path="src/Cart.jsx", line=12, column=4)
    assert placed(found, row) == {**found, "path": "src/Cart.jsx", "line": 12, "column": 4}
    assert placed(found, {**row, "path": ""}) == found
