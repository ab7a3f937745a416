"""Attributes and styles of pictures: what is on the lists, as the page has them."""

import re
from pathlib import Path

import pytest

from jupyter_ac.hosts.kernel.plugins import picture_attributes
from jupyter_ac.hosts.kernel.plugins.picture_attributes import attributes_of, style_text
from jupyter_ac.panels.wire import JsonValue

PAGE = Path(__file__).parents[4] / "js/packages/ui/src/panels"


def test_harmless_attributes_are_kept() -> None:
    assert attributes_of("td", {"colspan": 2, "title": "A", "aria-label": "B", "hidden": True}) == {
        "colspan": "2",
        "title": "A",
        "aria-label": "B",
        "hidden": "",
    }
    assert attributes_of("p", {"hidden": False, "aria-hidden": False}) == {"aria-hidden": "false"}
    assert attributes_of("input", {"type": "range", "min": 0.5}) == {"type": "range", "min": "0.5"}


@pytest.mark.parametrize(
    ("tag", "props"),
    [
        ("p", {"onclick": "alert(1)"}),
        ("p", {"onClick": "alert(1)", "_onClickHandlerId": "node-1:onClick"}),
        ("p", {"id": "a", "class": "b", "className": "c", "name": "d", "data-ac": "e"}),
        ("p", {"href": "https://example.org", "src": "data:image/png;base64,AA"}),
        ("p", {"title": ["no"], "lang": None}),
        ("p", {"title": "x" * 10_001}),
        ("p", {'title" onclick="alert(1)': "x", "aria-x y": "z"}),
        ("a", {"href": "javascript:alert(1)"}),
        ("a", {"href": "java\tscript:alert(1)"}),
        ("a", {"href": "/lab/tree/secret"}),
        ("a", {"href": "https://example.org/a b"}),
        ("a", {"href": "https://" + "x" * 2000}),
        ("img", {"src": "https://example.org/a.png"}),
        ("img", {"src": "data:text/html,<script>alert(1)</script>"}),
        ("img", {"srcset": "https://example.org/a.png"}),
        ("iframe", {"srcdoc": "<script></script>"}),
        ("input", {"type": "image", "formaction": "https://example.org"}),
        ("form", {"action": "https://example.org"}),
    ],
)
def test_everything_else_is_left_out(tag: str, props: dict[str, JsonValue]) -> None:
    assert attributes_of(tag, props) == {}


def test_links_open_elsewhere() -> None:
    assert attributes_of("a", {"href": "https://example.org/"}) == {
        "href": "https://example.org/",
        "target": "_blank",
        "rel": "noopener noreferrer nofollow",
    }
    assert attributes_of("img", {"src": "data:image/png;base64,AA"})


def test_styles_become_css() -> None:
    style: dict[str, JsonValue] = {
        "backgroundColor": "rgb(1, 2, 3)",
        "padding": 4,
        "margin": 0,
        "flexGrow": 2,
        "--size": "3px",
        "width": "calc(100% - 2px)",
    }
    assert style_text(style) == (
        "background-color: rgb(1, 2, 3); padding: 4px; margin: 0; flex-grow: 2; --size: 3px; "
        "width: calc(100% - 2px)"
    )
    assert attributes_of("p", {"style": {"color": "red"}}) == {"style": "color: red"}
    assert attributes_of("p", {"style": "color: red"}) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("background", "url(https://example.org/a.png)"),
        ("background", "image-set('https://example.org/a.png' 1x)"),
        ("background", "u\\72l(x)"),
        ("background", "red/**/"),
        ("color", "red; position: fixed"),
        ("color", "red} body {display: none"),
        ("color", "</style><script>"),
        ("position", " Fixed "),
        ("position", "sticky"),
        ("behavior", "x"),
        ("animationName", "x"),
        ("color:red;position", "x"),
        ("color", True),
        ("color", ["red"]),
        ("color", "x" * 2001),
    ],
)
def test_styles_that_fetch_or_leave_the_box_are_left_out(name: str, value: JsonValue) -> None:
    assert style_text({name: value}) == ""


def test_nothing_is_allowed_here_that_the_page_does_not_allow() -> None:
    attributes = (PAGE / "attributes.ts").read_text(encoding="utf-8")
    css = (PAGE / "css-values.ts").read_text(encoding="utf-8")
    in_page = set(re.findall(r"[\w-]+", attributes))
    for tag, names in picture_attributes._BY_TAG.items():
        assert {tag, *names} <= in_page
    assert in_page >= picture_attributes._INPUT_TYPES
    assert set(re.findall(r"[\w-]+", css)) >= picture_attributes._FUNCTIONS
