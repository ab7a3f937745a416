"""One tree: its root, its size, when it is sent."""

from typing import TYPE_CHECKING

import pytest

from jupyter_ac.panels import Fragment, component, html, use_state
from tests.panels.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("nothing", [None, False, [], [None]])
async def test_nothing_is_an_empty_tree(nothing: object) -> None:
    async with shown(component(lambda: nothing)) as one:
        assert one.host.sent == [("updateTree", (None,))]
        assert one.host.errors == []


async def test_a_text_can_be_the_root() -> None:
    @component
    def app() -> object:
        return "only a text"

    async with shown(app) as one:
        assert one.host.tree is not None
        assert (one.host.tree["type"], one.host.text()) == ("#text", "only a text")


async def test_several_roots_are_refused_and_the_last_tree_stays() -> None:
    setters: list[Callable[[int], None]] = []

    @component
    def app() -> object:
        count, set_count = use_state(1)
        setters.append(set_count)
        return Fragment(*[html.p(number, key=number) for number in range(count)])

    async with shown(app) as one:
        setters[0](2)
        await one.settle()
        setters[0](3)
        await one.settle()
        assert one.host.text() == "0"
        assert one.host.errors[0] == (
            "The panel shows 2 things at its top; put them into one element."
        )
        one.view.sync_tree()
        assert one.host.tree is None
        setters[0](1)
        await one.settle()
        assert one.host.text() == "0"
        setters[0](0)
        await one.settle()
        assert one.host.tree is None
        setters[0](1)
        await one.settle()
        assert one.host.text() == "0"


async def test_a_tree_of_too_many_bytes_is_held_back_once_reported() -> None:
    setters: list[Callable[[str], None]] = []

    @component
    def app() -> object:
        text, set_text = use_state("small")
        setters.append(set_text)
        return html.div(html.p(text), html.p("and more"))

    async with shown(app) as one:
        for size in (2, 3):
            setters[0]("x" * size * 1_000_000)
            await one.settle()
        assert one.host.text() == "smalland more"
        assert len(one.host.errors) == 1
        assert "more than 1,048,576 bytes" in one.host.errors[0]
        setters[0]("fits")
        await one.settle()
        assert one.host.text() == "fitsand more"
        assert [mutation["type"] for mutation in one.host.batches[-1]] == ["setRoot"]
        setters[0]("still")
        await one.settle()
        assert [mutation["type"] for mutation in one.host.batches[-1]] == ["setText"]


async def test_another_root_is_a_new_tree() -> None:
    @component
    def app() -> object:
        tag, set_tag = use_state("p")
        shows = {"p": html.p, "h1": html.h1}[tag]
        return shows({"on_click": lambda: set_tag("h1")}, "text")

    async with shown(app) as one:
        await one.fire("onClick")
        assert [mutation["type"] for mutation in one.host.batches[-1]] == ["setRoot"]
        assert one.handlers() == one.host.handler_ids()


async def test_a_render_without_a_change_sends_nothing() -> None:
    @component
    def app() -> object:
        _, again = use_state(0)
        return html.p({"on_click": lambda: again(lambda count: count + 1)}, "same")

    async with shown(app) as one:
        await one.fire("onClick")
        assert one.host.names() == ["updateTree"]
