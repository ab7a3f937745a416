"""Elements: names, keys, children, limits."""

from collections.abc import Iterator
from itertools import count
from typing import cast

import pytest

from jupyter_ac.errors import PanelError, TooLarge
from jupyter_ac.panels import Component, Fragment, component, h, html
from jupyter_ac.panels.elements import prop_name
from jupyter_ac.panels.wire import MAX_NODES


@component
def row() -> None:
    """Shows nothing."""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("on_click", "onClick"),
        ("onClick", "onClick"),
        ("on_key_down", "onKeyDown"),
        ("class_name", "className"),
        ("class_", "className"),
        ("class", "className"),
        ("for_", "htmlFor"),
        ("html_for", "htmlFor"),
        ("type_", "type"),
        ("data_test_id", "data-test-id"),
        ("aria_label", "aria-label"),
        ("aria-label", "aria-label"),
        ("value", "value"),
    ],
)
def test_names_of_props_are_those_of_the_wire(written: str, name: str) -> None:
    assert prop_name(written) == name


@pytest.mark.parametrize("name", ["_onClickHandlerId", "__proto__", "children", "", "1a", "a b"])
def test_reserved_and_impossible_names_are_refused(name: str) -> None:
    with pytest.raises(PanelError, match="no name of a prop"):
        h("div", {name: 1})


def test_props_come_by_name_or_in_a_dict() -> None:
    element = html.button({"aria-label": "Save", "on_click": print}, "Save", disabled=True, key="s")
    assert element.props == {"aria-label": "Save", "disabled": True}
    assert element.handlers == {"onClick": print}
    assert element.key == "s"
    assert html.li({"key": 3}).key == 3


def test_a_handler_of_none_is_no_handler() -> None:
    assert html.button(on_click=None).handlers == {}


def test_a_handler_must_be_a_function() -> None:
    with pytest.raises(PanelError, match="onClick must be a function, not of the type str"):
        html.button(on_click="alert(1)")


@pytest.mark.parametrize("name", ["render", "onclick"])
def test_other_functions_are_refused(name: str) -> None:
    with pytest.raises(PanelError, match="only props such as on_click can be functions"):
        html.button({name: print})


def test_custom_components_have_any_name() -> None:
    assert h("price-chart", values=[1, 2]).props == {"values": [1, 2]}
    for name in ["", "#text", "a b", "<script>", "x" * 65]:
        with pytest.raises(PanelError, match="no type of an element"):
            h(name)


@pytest.mark.parametrize("key", [True, 1.5, (1,), object()])
def test_a_key_is_a_text_or_a_whole_number(key: object) -> None:
    with pytest.raises(PanelError, match="A key is a text or a whole number"):
        h("li", {"key": key})


def test_keys_are_unique_among_siblings() -> None:
    with pytest.raises(PanelError, match="Two children have the key 'a'"):
        html.ul(html.li(key="a"), row(key="a"))
    with pytest.raises(PanelError, match="Two children have the key 1"):
        html.ul([html.li(key=1), html.li(key=1)])


def test_a_text_and_a_number_are_different_keys() -> None:
    mixed = html.ul(html.li(key="1"), html.li(key=1), html.li(), html.li(key="0"), html.li(key=0))
    assert len(set(mixed.children.slots)) == 5


def test_children_are_texts_numbers_lists_and_nothing() -> None:
    items = html.p("a", 1, 1.5, None, True, False, ["b", ["c"]], (each for each in "de")).children
    assert items.items[:6] == ["a", "1", "1.5", None, None, None]
    assert [type(item) for item in items.items[6:]] == [Fragment, Fragment]
    assert items.size == 7


@pytest.mark.parametrize("child", [object(), b"bytes", {1}.__iter__, 1j])
def test_other_children_are_refused(child: object) -> None:
    with pytest.raises(PanelError, match=r"can't be"):
        html.p(child)


def test_a_component_that_was_not_called_is_named() -> None:
    with pytest.raises(PanelError, match="row is a function, which can't be shown; call it"):
        html.p(row)


def test_sizes_are_known_without_counting() -> None:
    element = html.p("a")
    for _ in range(60):
        element = html.div(element, element)
    assert element.size > 2**60
    assert element.height == 62


def test_a_list_without_an_end_is_refused() -> None:
    def endless() -> Iterator[str]:
        for number in count():
            yield str(number)

    with pytest.raises(TooLarge, match=f"more than {MAX_NODES:,}"):
        html.ul(endless())


def test_a_component_is_no_type() -> None:
    with pytest.raises(PanelError, match="a component is called"):
        h(cast("str", Component(lambda: None)))
