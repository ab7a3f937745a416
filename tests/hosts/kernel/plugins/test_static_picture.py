"""Pictures of panels: what they show, and that nothing in them acts."""

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as some

from jupyter_ac.hosts.kernel.plugins.static_picture import MAX_CHARS, MAX_ROWS, static_picture
from jupyter_ac.panels.wire import JsonValue, UINode


def node(kind: str, *children: "UINode | str", **props: JsonValue) -> UINode:
    return {"id": "x", "type": kind, "props": props, "children": list(children)}


def text(words: str) -> UINode:
    return {"id": "t", "type": "#text", "props": {}, "children": [], "text": words}


class Read(HTMLParser):
    """Notes the elements of a page, and that each is closed in its place."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"br", "hr", "img", "input"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.tags if found == tag]


def test_it_shows_the_tree_and_says_what_it_is() -> None:
    tree = node("div", node("h1", text("Fruit & veg")), node("hr"), "bare", style={"color": "red"})
    read = Read(static_picture("My <panel>", tree))
    assert "Fruit & veg" in read.words
    assert "bare" in read.words
    assert "Static picture of the panel “My <panel>”; run the cell to make it live." in read.words
    assert {"style": "color: red"} in read.of("div")
    assert "<script" not in static_picture("<script>", node("p", text("<script>")), "<script>")


def test_it_shows_nothing_and_an_error() -> None:
    assert "run the cell" in Read(static_picture("A", None)).words
    assert "ValueError: <no>" in Read(static_picture("A", None, "ValueError: <no>")).words


def test_controls_show_their_state_and_do_nothing() -> None:
    options = [node("option", text(name), value=name) for name in ("a", "b", "c")]
    tree = node(
        "form",
        node("input", type="checkbox", checked=True),
        node("input", value="typed", onChange="x"),
        node("input", type="password", value="secret"),
        node("input", defaultValue=3, type="number"),
        node("textarea", value="</textarea><script>"),
        node("select", *options, value="b"),
        node("select", *options, node("option", text("d")), value=["a", "d"], multiple=True),
        node("button", text("Send")),
    )
    picture = static_picture("A", tree)
    read = Read(picture)
    inputs = read.of("input")
    assert [each.get("value") for each in inputs] == [None, "typed", None, "3"]
    assert "checked" in inputs[0]
    assert "secret" not in picture
    assert re.findall('<option selected="">(.)', picture) == ["b", "a", "d"]
    controls = [*inputs, *read.of("textarea"), *read.of("select"), *read.of("button")]
    assert all("disabled" in attributes for attributes in controls)
    assert read.of("script") == []


def test_tables_lists_and_unknown_components_show_what_they_have() -> None:
    rows: list[JsonValue] = [[number, f"<{number}>", None, True] for number in range(MAX_ROWS + 7)]
    table = node("DataTable", columns=["n", "name", "x", "y"], rows=rows)
    items = [node("p", text(f"item {number}")) for number in range(MAX_ROWS + 1)]
    tree = node("div", table, node("VirtualList", *items), node("price-chart", text("inside")))
    read = Read(static_picture("A", tree))
    assert len(read.of("tr")) == MAX_ROWS + 1
    assert "<3>true" in read.words
    assert "… 7 more rows" in read.words
    assert "… 1 more rows" in read.words
    assert f"item {MAX_ROWS - 1}" in read.words
    assert f"item {MAX_ROWS}" not in read.words
    assert "[price-chart] inside" in read.words
    assert Read(static_picture("A", node("DataTable", columns="x", rows=[1]))).of("tr")


def test_what_is_too_long_is_cut_and_said() -> None:
    tree = node("ul", *(node("li", text("&" * 100)) for _ in range(10_000)))
    picture = static_picture("A" * 100, tree, "&" * 2000)
    assert len(picture) <= MAX_CHARS
    read = Read(picture)
    assert read.of("li")
    assert "left out of this picture" in read.words
    assert "left out" not in Read(static_picture("A", node("p"))).words


def test_an_image_that_is_too_large_leaves_the_rest() -> None:
    image = node("img", src="data:image/png;base64," + "A" * MAX_CHARS, alt="Rain by month")
    read = Read(static_picture("A", node("div", image, node("p", text("below")))))
    assert read.of("img") == [{"alt": "Rain by month"}]
    assert "below" in read.words


PROPS = some.dictionaries(
    some.sampled_from(["href", "src", "title", "style", "value", "onclick", "type", "rows", "a b"]),
    some.one_of(
        some.none(), some.booleans(), some.integers(), some.text(), some.just("javascript:alert(1)")
    ),
    max_size=3,
)
KINDS = some.sampled_from(
    ["div", "p", "a", "img", "input", "select", "textarea", "script", "iframe", "DataTable", "<x>"]
)
TREES = some.recursive(
    some.one_of(some.text(), some.builds(text, some.text())),
    lambda children: some.builds(
        lambda kind, inner, props: node(kind, *inner, **props),
        KINDS,
        some.lists(children, max_size=3),
        PROPS,
    ),
    max_leaves=20,
)


@given(TREES)
def test_no_tree_makes_anything_that_acts(tree: "UINode | str") -> None:
    read = Read(static_picture("A", node("div", tree)))
    for tag, attributes in read.tags:
        assert tag not in {"script", "iframe", "object", "style", "link", "meta", "base"}
        assert not any(name.startswith("on") for name in attributes)
        assert "javascript:" not in (attributes.get("href") or "")
