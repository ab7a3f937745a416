"""`html` has the layout tags of the protocol, and no others."""

import pytest

from jupyter_ac.panels import Tag, html
from jupyter_ac.panels.tags import LayoutTags
from jupyter_ac.panels.wire import LAYOUT_TAGS


def test_there_is_a_function_for_each_tag() -> None:
    tags = {name: tag for name, tag in vars(LayoutTags).items() if isinstance(tag, Tag)}
    assert tags.keys() == LAYOUT_TAGS
    assert {name: tag().type for name, tag in tags.items()} == {name: name for name in tags}


@pytest.mark.parametrize("name", ["script", "iframe", "style", "object"])
def test_there_is_none_for_what_runs_code(name: str) -> None:
    assert not hasattr(html, name)


def test_a_tag_of_ones_own() -> None:
    chart = Tag("Chart")
    element = chart("text", {"values": [1]}, key="a", on_pick=print)
    assert (element.type, element.key, element.props) == ("Chart", "a", {"values": [1]})
    assert element.handlers == {"onPick": print}
