"""Names of the protocol."""

import re

import pytest

from jupyter_ac.panels.wire import (
    LAYOUT_TAGS,
    handler_id,
    handler_id_prop,
    handler_id_props,
    is_event_prop,
)


@pytest.mark.parametrize(
    ("prop", "is_event"),
    [("onClick", True), ("onA", True), ("onclick", False), ("on", False), ("once", False)],
)
def test_an_event_begins_with_on_and_an_upper_case_letter(prop: str, is_event: bool) -> None:
    assert is_event_prop(prop) is is_event


def test_ids_of_functions_are_made_of_node_and_prop() -> None:
    assert handler_id("node-4", "onClick") == "node-4:onClick"
    assert handler_id_prop("onClick") == "_onClickHandlerId"
    assert handler_id_props("n", ["onClick", "onBlur"]) == {
        "_onClickHandlerId": "n:onClick",
        "_onBlurHandlerId": "n:onBlur",
    }


def test_there_are_forty_layout_tags() -> None:
    assert len(LAYOUT_TAGS) == 40
    assert all(re.fullmatch(r"[a-z]+[1-6]?", tag) for tag in LAYOUT_TAGS)
