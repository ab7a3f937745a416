"""Trees and floods of a hostile plugin, in the real view: nothing leaves its box."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.plugin_page import PluginPage

pytestmark = pytest.mark.e2e
EVIL = "http://evil.test"
NUMBERS = count()

Node = dict[str, object]


def node(kind: str, props: dict[str, object] | None = None, *children: object) -> Node:
    """A node with an id of its own."""
    return {
        "id": f"n{next(NUMBERS)}",
        "type": kind,
        "props": props or {},
        "children": list(children),
    }


@pytest.fixture
def shown(page: Page) -> Iterator[PluginPage]:
    """A page with a panel; it must have asked for nothing else at the end."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    opened = PluginPage(page).open()
    page.add_script_tag(path=Path(__file__).with_name("hostile_trees.js"))
    yield opened
    opened.settle()
    assert opened.foreign == []
    assert errors == []
    assert page.evaluate("window.pwned === undefined && Object.keys(Object.prototype).length === 0")


LOADING = f"url({EVIL}/x.png)"
LOADING_STYLES = [
    {"background": LOADING},
    {"backgroundImage": f'image-set("{EVIL}/a.png" 1x)', "listStyleImage": LOADING},
    {"background": f"u\\72l({EVIL}/b.png)", "borderImage": f"{LOADING} 1"},
    {"background": f"url/**/({EVIL}/c.png)", "cursor": f"{LOADING}, auto"},
    {"--own": LOADING, "background": "var(--own)"},
    {"mask": LOADING, "clipPath": f"url({EVIL}/d.svg#a)", "filter": f"url({EVIL}/e.svg#a)"},
    {"content": LOADING, "shapeOutside": LOADING, "offsetPath": LOADING},
    f"background: {LOADING}; background-image: URL('{EVIL}/f.png')",
    f"background: u\\72l({EVIL}/g.png)",
    f"--x: {LOADING}; background: var(--x); src: {LOADING}",
    f"color: red; }} * {{ background: {LOADING}",
    f"@import '{EVIL}/h.css';",
]
LOADING_NODES: list[tuple[str, dict[str, object]]] = [
    ("img", {"src": f"{EVIL}/1.png"}),
    ("img", {"srcset": f"{EVIL}/2.png 2x", "src": "//evil.test/3.png"}),
    ("img", {"src": "/lab/api/settings", "loading": "eager"}),
    (
        "img",
        {
            "src": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'>"
            f"<image href='{EVIL}/4.png'/></svg>"
        },
    ),
    ("img", {"src": "x", "onerror": "window.pwned = 1"}),
    ("input", {"type": "image", "src": f"{EVIL}/5.png"}),
    ("link", {"rel": "stylesheet", "href": f"{EVIL}/6.css"}),
    ("style", {}),
    ("script", {"src": f"{EVIL}/7.js"}),
    ("iframe", {"src": f"{EVIL}/8.html", "srcdoc": "<script>parent.pwned = 1</script>"}),
    ("object", {"data": f"{EVIL}/9.swf"}),
    ("embed", {"src": f"{EVIL}/10.swf"}),
    ("video", {"src": f"{EVIL}/11.mp4", "poster": f"{EVIL}/12.png"}),
    ("audio", {"src": f"{EVIL}/13.mp3"}),
    ("svg", {"onload": "window.pwned = 1"}),
    ("base", {"href": EVIL}),
    ("meta", {"httpEquiv": "refresh", "content": f"0;url={EVIL}"}),
    ("portal", {"src": EVIL}),
    ("form", {"action": EVIL, "target": "_top"}),
    ("table", {"background": f"{EVIL}/14.png"}),
    ("td", {"background": f"{EVIL}/15.png"}),
    ("button", {"formaction": EVIL, "type": "submit", "autofocus": True}),
    ("a", {"href": f"{EVIL}/16", "ping": f"{EVIL}/17", "download": "x"}),
    ("div", {"dangerouslySetInnerHTML": {"__html": "<img src=x onerror=window.pwned=1>"}}),
    ("div", {"innerHTML": "<img src=x onerror=window.pwned=1>", "textContent": "x"}),
    ("div", {"is": "x-y", "attributeStyleMap": {}, "style": {"cssText": f"background:{LOADING}"}}),
]


def test_nothing_is_loaded_and_nothing_runs(shown: PluginPage) -> None:
    styled = [node("p", {"style": style, "className": "s"}, "x") for style in LOADING_STYLES]
    text = node("style", {}, f"* {{ background: {LOADING} }}")
    script = node("script", {}, "window.pwned = 1")
    shown.show(node("div", {}, *styled, *(node(*each) for each in LOADING_NODES), text, script))
    expect(shown.tree.locator("p.s")).to_have_count(len(LOADING_STYLES))
    # What a plugin names by a tag that isn't on the list is a box with its name.
    assert (
        shown.tree.locator(
            "script, style, link, iframe, object, embed, video, audio, svg, base, meta, portal"
        ).count()
        == 0
    )
    expect(shown.tree.locator(".uniview-unknown").first).to_have_text("Unknown: link")


def test_addresses_and_handlers_in_text_come_to_nothing(shown: PluginPage) -> None:
    addresses = [
        "javascript:window.pwned=1",
        "JaVaScRiPt:window.pwned=1",
        "java\nscript:window.pwned=1",
        " javascript:window.pwned=1",
        "data:text/html,<script>opener.pwned=1</script>",
        "vbscript:x",
        "/tree",
        "#x",
        "//evil.test",
    ]
    links = [node("a", {"href": address, "className": "bad"}, "go") for address in addresses]
    names = [
        "onclick",
        "onClick",
        "ONCLICK",
        "onmouseover",
        "onfocus",
        "onauxclick",
        "onpointerdown",
    ]
    press = node("button", dict.fromkeys(names, "window.pwned = 1"), "press")
    shown.show(node("div", {}, *links, press))
    for link in shown.tree.locator("a.bad").all():
        assert link.get_attribute("href") is None
        link.click()
    shown.tree.locator("button").click()
    shown.tree.locator("button").hover()
    assert shown.calls("executeHandler") == []
    assert len(shown.page.context.pages) == 2  # the profile keeps an empty one


def test_props_pollute_no_prototype(shown: PluginPage) -> None:
    shown.page.evaluate("window.pollute()")
    shown.settle()
    assert shown.page.evaluate("({}).pwned === undefined && [].href === undefined")
    assert shown.tree.locator("a").get_attribute("href") is None
    # The batch has a mutation of no known type: all of it is dropped, and the tree asked for.
    expect(shown.tree.locator(".uniview-unknown")).to_have_count(2)
    assert shown.calls("syncTree") == [[]]


BOXES: list[dict[str, object]] = [
    {"position": "fixed", "inset": 0, "width": "100vw", "height": "100vh", "zIndex": 2147483647},
    {"position": "absolute", "top": -9999, "left": -9999, "width": 99999, "height": 99999},
    {"position": "sticky", "top": -500, "height": 2000, "zIndex": 2147483647},
    {"margin": -3000, "padding": 5000, "zIndex": 99},
    {"transform": "translate(-200px, -200px) scale(40)", "height": 40},
    {"translate": "-200px -200px", "scale": 40, "rotate": "10deg", "height": 40},
    {"boxShadow": "0 0 0 3000px red", "outline": "3000px solid red", "outlineOffset": 100},
    {"filter": "drop-shadow(-150px -120px 0 red)", "textShadow": "-200px -200px 0 red"},
    {"float": "left", "width": 9000, "height": 9000, "position": "relative", "top": -900},
    {"viewTransitionName": "x", "anchorName": "--a", "position": "fixed", "positionAnchor": "--a"},
]


def test_nothing_leaves_the_box(shown: PluginPage) -> None:
    page = shown.page
    page.set_viewport_size({"width": 700, "height": 520})

    def around() -> list[bytes]:
        """What the page looks like outside of the panel."""
        clips = [(0, 0, 700, 60), (0, 60, 80, 300), (480, 60, 220, 300), (0, 360, 700, 160)]
        return [
            page.screenshot(clip={"x": x, "y": y, "width": width, "height": height})
            for x, y, width, height in clips
        ]

    shown.show(node("div", {}, "calm"))
    before = around()
    size = page.evaluate("JSON.stringify(document.documentElement.getBoundingClientRect())")
    for style in BOXES:
        red = {**style, "background": "red", "color": "red"}
        for tag in ("div", "button", "table"):
            shown.show(node("div", {"style": red}, node(tag, {"style": red}, "EVIL")))
            assert page.evaluate("window.coveredOutside()") == [], style
            assert around() == before, style
    assert page.evaluate("JSON.stringify(document.documentElement.getBoundingClientRect())") == size
    assert page.evaluate("[scrollX, scrollY]") == [0, 0]


def test_trees_without_an_end_are_errors_and_the_last_one_stays(shown: PluginPage) -> None:
    shown.show(node("p", {}, "last"))
    names = shown.page.evaluate("Object.keys(window.hostileTrees)")
    assert len(names) == 8
    for name in names:
        shown.page.evaluate("name => window.plugin.updateTree(window.hostileTrees[name]())", name)
        shown.settle()
        expect(shown.error).to_be_visible()
        expect(shown.tree).to_have_text("last")
        shown.page.evaluate("() => window.panel.controller.restart()")
        shown.settle()
        expect(shown.error).to_have_count(0)
        shown.show(node("p", {}, "last"))
    shown.show(node("p", {}, "next"))
    expect(shown.tree).to_have_text("next")


def test_a_flood_is_drawn_once_a_frame(shown: PluginPage) -> None:
    shown.show(
        {
            "id": "r",
            "type": "p",
            "props": {},
            "children": [{"id": "t", "type": "#text", "props": {}, "children": [], "text": "0"}],
        }
    )
    drawn, frames = shown.page.evaluate("window.flood()")
    expect(shown.tree).to_have_text("20000")
    assert 0 < drawn <= frames + 1


def test_events_do_not_pile_up_where_a_plugin_answers_none(shown: PluginPage) -> None:
    shown.page.evaluate("() => window.held.add('executeHandler')")
    shown.show(node("button", {"_onClickHandlerId": "b:onClick"}, "press"))
    shown.page.evaluate(
        "() => { const b = window.panel.shadowRoot.querySelector('.tree button');"
        " for (let at = 0; at < 1000; at += 1) b.click(); }"
    )
    assert len(shown.calls("executeHandler")) == 64
    expect(shown.page.locator('[data-ac="panel-busy"]')).to_be_visible()
