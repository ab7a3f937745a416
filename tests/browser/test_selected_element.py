"""Elements as they go over the wire."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.browser.selected_element import (
    ElementReading,
    PathStep,
    js_path,
    path_text,
    selected_element,
)

IN_A_FRAME = (
    'document.querySelector("#a").contentDocument.querySelector("p").shadowRoot.querySelector("b")'
)


def steps(*pairs: tuple[str, str]) -> list[PathStep]:
    return [PathStep(scope=scope, selector=selector) for scope, selector in pairs]


@pytest.mark.parametrize(
    ("path", "expression", "line"),
    [
        (steps(("document", "#a")), 'document.querySelector("#a")', "#a"),
        (
            steps(("document", "#a"), ("frame", "p"), ("open shadow root", "b")),
            IN_A_FRAME,
            "#a → frame → p → open shadow root → b",
        ),
        (
            steps(("document", "#a"), ("closed shadow root", "b")),
            "",
            "#a → closed shadow root → b",
        ),
        (steps(("document", ""), ("frame", "b")), "", "? → frame → b"),
    ],
)
def test_a_path_is_an_expression_and_a_line(
    path: list[PathStep], expression: str, line: str
) -> None:
    assert js_path(path) == expression
    assert path_text(path) == line


@given(st.text(min_size=1))
def test_any_selector_is_a_string_of_the_expression(selector: str) -> None:
    code = js_path(steps(("document", selector)))
    inside = code.removeprefix("document.querySelector(").removesuffix(")")
    assert json.loads(inside) == selector
    assert inside.isascii()


def test_an_element_has_the_selector_of_its_last_step() -> None:
    reading = ElementReading(
        tag="b",
        id="x",
        classes=["c"],
        text="t",
        path=steps(("document", "#a"), ("open shadow root", "b")),
        html="<b></b>",
        styles={"display": "inline"},
        role="button",
        name="n",
        rect=None,
        component=None,
        frame_ids=frozenset(),
    )
    element = selected_element("3", 7, reading, None)
    assert element["id"] == "3"
    assert element["backend_node_id"] == 7
    assert element["selector"] == element["preview"]["selector"] == "b"
    assert element["preview"]["classes"] == ["c"]
    assert element["screenshot"] is None
