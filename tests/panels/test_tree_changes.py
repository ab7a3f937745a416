"""Mutations, in an order that a strict host accepts."""

from typing import TYPE_CHECKING

from jupyter_ac.panels import component, html, use_state
from jupyter_ac.panels.tree_changes import TreeChanges
from tests.panels.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable


def test_nothing_changed_is_no_change() -> None:
    assert TreeChanges().commit(1) == ([], 0)


async def test_a_node_that_moves_is_sent_as_the_host_has_it_by_then() -> None:
    """The host in memory refuses a move that brings another node than it has."""
    setters: list[Callable[[str], None]] = []

    @component
    def app() -> object:
        order, set_order = use_state("abc")
        setters.append(set_order)
        length = len(order) if order[0] == "a" else 7
        rows = [
            html.li(
                {"title": order},
                html.em(order),
                [html.code(str(number), key=number) for number in range(length)],
                key=name,
            )
            for name in order
        ]
        return html.div(html.p({"title": "long " * 500}), html.ul(rows))

    async with shown(app) as one:
        setters[0]("bca")
        await one.settle()
        kinds = [mutation["type"] for mutation in one.host.batches[-1]]
        assert kinds.index("setText") < kinds.index("setProps") < kinds.index("appendChild")
        assert kinds[-1] == "appendChild"
        assert one.host.errors == []


async def test_what_comes_and_goes_between_two_commits_is_never_sent() -> None:
    setters: list[Callable[[str], None]] = []

    @component
    def app() -> object:
        text, set_text = use_state("a")
        setters.append(set_text)
        return html.div(html.p(text, key=text))

    async with shown(app) as one:
        for text in "bcd":
            setters[0](text)
        await one.settle()
        assert len(one.host.batches) == 1
        assert "b" not in str(one.host.batches[0][0].get("node", ""))
        assert one.host.text() == "d"
